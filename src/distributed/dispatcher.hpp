#pragma once
// Who gets which units when: the policy behind a count on several machines, without clocks, threads or
// messages, so that tests and a simulation drive the very code that rank 0 runs.
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "src/units/unit_queue.hpp"

namespace countpm {

/// A task as the dispatcher sees it.
struct DispatchTask {
  std::uint64_t units = 1;
  double unit_seconds = 1;           // predicted, for a worker of rate 1
  std::vector<UnitRange> done = {};  // disjoint, in order
};

/// A worker as it presents itself: a rank with its threads and GPUs.
struct WorkerTraits {
  unsigned slots = 1;  // units, or ranges of units, that it works on at a time
  double lead_seconds =
      0.1;          // work that it wants to have beside those: the time that an answer may take, and more
  double rate = 1;  // predicted seconds of work that it does a second, until that is seen
};

struct Assignment {
  std::size_t task = 0;
  UnitRange range;
};

struct DispatchSettings {
  /// A worker that has said nothing for so long, and for `overdue` times as long as what it holds should
  /// take, is taken for stuck once others have nothing to do: they get its units.
  double patience_seconds = 2;
  double overdue = 4;
  double rate_memory_seconds = 10;  // how far back a worker's rate looks
};

/// Every unit is free, held by a worker, or done; it is done once, whoever says so first. A worker holds its
/// slots, what it does in lead_seconds, and never more than its share of all that is left by the rates seen;
/// nor a unit that the others would be through with everything before. Not thread-safe. Memory: 4 bytes a
/// unit. Seconds are of any clock that does not go back.
class Dispatcher {
 public:
  explicit Dispatcher(std::vector<DispatchTask> tasks, const DispatchSettings& settings = {});

  /// Numbers workers from 0.
  std::size_t add_worker(const WorkerTraits& traits, double now);
  /// More for a worker, units of one task; empty where it has enough, or for now there is nothing for it. Ask
  /// again until it is empty, and whenever something has been finished. O(log of the free ranges + units
  /// given).
  std::optional<Assignment> next(std::size_t worker, double now);
  /// A worker has done these. True: count them; false: at least one is done already or none of the task's,
  /// and all of them are to be forgotten (what of them is nobody's is free again).
  bool finish(std::size_t worker, const Assignment& finished, double now);
  /// What it holds is free again, and it gets no more until it finishes something after all or is found.
  void lose(std::size_t worker);
  /// A lost worker answers again.
  void find(std::size_t worker);
  /// Frees what stuck workers hold, where somebody holds nothing. Returns how many units. Call it now and
  /// then; O(workers).
  std::uint64_t reclaim(double now);

  bool done() const { return units_left_ == 0; }
  std::uint64_t units_left() const { return units_left_; }
  std::uint64_t units_held(std::size_t worker) const { return workers_[worker].held; }
  /// Until all is done, at the rates seen.
  double seconds_left() const { return work_left_ / total_rate_; }
  /// Predicted seconds of work a second, as seen lately.
  double rate(std::size_t worker) const { return workers_[worker].rate; }

 private:
  struct Worker {
    WorkerTraits traits;
    double rate = 1;
    double work_seen = 0;     // with what is long ago fading
    double seconds_seen = 0;  // likewise
    double heard = 0;         // when it last finished something, or got work after having none
    std::uint64_t held = 0;
    double held_work = 0;
    bool lost = false;
  };
  std::size_t task_of(std::uint64_t unit) const;
  double unit_work(std::uint64_t unit) const { return tasks_[task_of(unit)].unit_seconds; }
  bool too_slow(const Worker& worker, double unit_seconds) const;
  void release(std::size_t worker, std::uint64_t first, std::uint64_t last);
  void release_all(std::size_t worker);
  void free_unit(std::uint64_t unit);
  void see_rate(Worker& worker, double work, double now);
  void refresh();

  std::vector<DispatchTask> tasks_;
  DispatchSettings settings_;
  std::vector<std::uint64_t> starts_;            // of each task's units in `owner_`, and the end
  std::vector<std::int32_t> owner_;              // free, done, or a worker
  std::map<std::uint64_t, std::uint64_t> free_;  // first -> last, disjoint; neighbours may touch
  std::vector<Worker> workers_;
  std::uint64_t units_left_ = 0;
  double work_left_ = 0;
  double total_rate_ = 1e-9;
  double fastest_unit_rate_ = 0;  // of a single slot
  std::uint64_t until_refresh_ = 0;
  bool stale_ = true;  // something was finished since the last refresh
};

}  // namespace countpm
