#pragma once
// A count whose units others run, whoever they are: it posts them here, and somebody takes them away and
// brings back records.
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "src/distributed/work_board.hpp"
#include "src/journal/journal.hpp"
#include "src/run/executor.hpp"
#include "src/units/range_set.hpp"

namespace countpm {

/// Every unit counts once, whoever brings it first, however often it was taken. Thread-safe: the count is on
/// one thread, whoever hands out its units on others. Memory: the ranges that are free, and those done.
class UnitBoard : public WorkBoard {
 public:
  /// What is predicted to take less time than that is not posted: whoever counts does it.
  explicit UnitBoard(double least_seconds = default_least_seconds) : least_seconds_(least_seconds) {}
  // A worker elsewhere takes longer to hear of the plan and to make it.
  static constexpr double default_least_seconds = 0.05;

  /// The count has a plan: everything that fixes the units. Whoever runs some makes it again (UnitWorker).
  void post(JournalHeader header);
  /// As run_tasks(), by those who take units from here; what is not posted, on `threads` threads. The tasks
  /// are those of the header from the first-th on. Throws what the monitor says.
  std::vector<TaskResult> run(const std::vector<Task>& tasks, std::size_t first, int threads,
                              Monitor& monitor);

  std::string plan() const override;
  std::string plan_of(const UnitOrder&) const override { return plan(); }
  std::optional<UnitOrder> take(double seconds, std::uint64_t workers) override;
  UnitDelivery deliver(const UnitOrder& order, const std::string& records) override;
  void give_back(const UnitOrder& order) override;
  void wait(double seconds) override;
  void close() override;

 private:
  struct Posted {
    explicit Posted(const Task& posted);
    const Task* task;
    TaskSum sum;
    RangeSet free;
    RangeSet done;
    std::uint64_t left = 0;
    OrderSize size;
  };
  Posted* posted(std::size_t task);
  bool has_free() const;
  bool all_done() const;
  void free_again(Posted& own, const UnitRange& range);
  bool accept(Posted& own, std::size_t task, FinishedRange finished);

  double least_seconds_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  JournalHeader header_;
  std::string plan_;
  std::size_t first_ = 0;  // task of posted_
  std::vector<std::unique_ptr<Posted>> posted_;
  Monitor* monitor_ = nullptr;  // while they are posted
  bool closed_ = false;
};

}  // namespace countpm
