#pragma once
// A cluster of virtual GPUs under the real dispatcher and the real ledger: discrete events, no clock, no
// sleep.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <optional>
#include <queue>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "src/distributed/dispatcher.hpp"
#include "src/journal/journal.hpp"

namespace countpm::simulation {

/// What is simulated. Seconds are virtual.
struct Cluster {
  std::uint64_t units = 65536;
  std::size_t workers = 1;     // a GPU each
  double unit_seconds = 1;     // on a GPU of speed 1
  double speed_spread = 0;     // a GPU's speed is exp(normal * spread)
  double unit_spread = 0;      // and a unit's length likewise
  double latency_seconds = 0;  // of a message
  double failure_seconds = 0;  // a GPU's mean time between failures; 0: never
  /// As with mpirun: a failure ends the job, which goes on from the checkpoint after restart_seconds. Else
  /// the GPU alone is away for that long, and what it held is given to others.
  bool failure_ends_job = true;
  double restart_seconds = 300;
  double write_seconds = 0.02;  // the checkpoint takes what is new no more often
  std::uint64_t seed = 1;
};

struct Report {
  double seconds = 0;           // from the start to the end
  double ideal_seconds = 0;     // all units' work over all GPUs' speeds
  double end_idle_seconds = 0;  // of a GPU on average: between its last unit and the end
  double lost_gpu_seconds = 0;  // worked for units that were lost, or done twice
  std::uint64_t failures = 0;
  std::uint64_t messages = 0;        // in and out of rank 0
  std::uint64_t busiest_second = 0;  // messages in it
  std::uint64_t records = 0;         // written to the checkpoint
  std::uint64_t bytes = 0;           // of them
  std::uint64_t final_bytes = 0;     // of the checkpoint with its ranges merged
  bool every_unit_once = false;
  double efficiency() const { return ideal_seconds / seconds; }
};

class Simulation {
 public:
  explicit Simulation(const Cluster& cluster)
      : cluster_(cluster),
        random_(cluster.seed),
        header_(header()),
        ledger_(cluster.units, header_.blocks[0].tasks[0].arithmetic) {
    std::normal_distribution<double> normal;
    double speed = 0;
    for (std::size_t k = 0; k < cluster_.workers; ++k) {
      gpus_.push_back({std::exp(normal(random_) * cluster_.speed_spread)});
      speed += gpus_.back().speed;
    }
    double work = 0;
    for (std::uint64_t unit = 0; unit < cluster_.units; ++unit) {
      lengths_.push_back(cluster_.unit_seconds * std::exp(normal(random_) * cluster_.unit_spread));
      work += lengths_.back();
    }
    report_.ideal_seconds = work / speed;
  }

  Report run() {
    begin_job(0);
    if (cluster_.failure_seconds > 0) plan_failure(0);
    while (!dispatcher_->done()) {
      if (events_.empty()) throw std::logic_error("nothing goes on, and not all is done");
      const Event event = events_.top();
      events_.pop();
      now_ = event.time;
      happen(event);
    }
    report_.seconds = now_;
    write();
    for (const Gpu& gpu : gpus_)
      report_.end_idle_seconds += (now_ - std::min(gpu.last_busy, now_)) / static_cast<double>(gpus_.size());
    check();
    report_.busiest_second = std::max(report_.busiest_second, messages_this_second_);
    return report_;
  }

 private:
  struct Gpu {
    double speed = 1;
    std::uint64_t life = 0;  // counts failures: what an earlier life began does not arrive
    bool away = false;
    std::deque<UnitRange> stock = {};
    bool busy = false;
    double busy_since = 0;
    double last_busy = 0;
  };
  struct Event {
    enum Kind { arrive, done, reported, fail, back, restart };
    double time;
    Kind kind;
    std::size_t gpu;
    UnitRange range;
    std::uint64_t life;
    bool operator>(const Event& other) const { return time > other.time; }
  };

  static JournalHeader header() {
    JournalHeader header;
    header.id = "00000000000000000000000000000000";
    JournalTask task;
    task.arithmetic.moduli = choose_primes(6);  // a 64 x 64 count has 296 bits
    header.blocks.push_back({true, false, {task}});
    return header;
  }

  /// What unit k yields: k + 1, so that the sum tells whether each was there once.
  Partial value_of(const UnitRange& range) const {
    Partial sum = zero(ledger_.arithmetic());
    const uint128 value = static_cast<uint128>(range.first + 1 + range.last) * range.size() / 2;
    for (uint128& residue : std::get<Residues>(sum).residue) residue = value;
    return sum;
  }

  void plan(Event event) { events_.push(event); }
  void count_message() {
    ++report_.messages;
    const double second = std::floor(now_);
    if (second > second_) {
      report_.busiest_second = std::max(report_.busiest_second, messages_this_second_);
      second_ = second;
      messages_this_second_ = 0;
    }
    ++messages_this_second_;
  }

  void begin_job(double at) {
    now_ = at;
    dispatcher_.emplace(
        std::vector<DispatchTask>{{cluster_.units, cluster_.unit_seconds, ledger_.settled()}});
    for (auto& gpu : gpus_) {
      gpu.away = false;
      dispatcher_->add_worker({1, 2 * range_seconds + 0.1, 1}, now_);
    }
    idle_.clear();
    for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) fill(gpu);
  }

  void fill(std::size_t gpu) {
    if (gpus_[gpu].away) return;
    while (const auto given = dispatcher_->next(gpu, now_)) {
      count_message();
      plan({now_ + cluster_.latency_seconds, Event::arrive, gpu, given->range, gpus_[gpu].life});
    }
    if (dispatcher_->units_held(gpu) == 0) idle_.push_back(gpu);
  }

  /// As rank 0 does after everything that it hears.
  void fill_idle() {
    std::vector<std::size_t> asking;
    asking.swap(idle_);
    for (const std::size_t gpu : asking) fill(gpu);
  }

  void start_next(std::size_t number) {
    Gpu& gpu = gpus_[number];
    if (gpu.busy || gpu.stock.empty()) return;
    // As the scheduler has it: half a second, and near the end half of what is there.
    std::uint64_t in_stock = 0;
    for (const UnitRange& range : gpu.stock) in_stock += range.size();
    const double rate = gpu.speed / cluster_.unit_seconds;
    const auto most = static_cast<std::uint64_t>(
        std::max(1.0, std::min(range_seconds * rate, static_cast<double>(in_stock) / 2)));
    UnitRange& front = gpu.stock.front();
    const UnitRange taken{front.first, front.first + std::min(most, front.size())};
    front.first = taken.last;
    if (front.empty()) gpu.stock.pop_front();
    double length = 0;
    for (std::uint64_t unit = taken.first; unit < taken.last; ++unit) length += lengths_[unit] / gpu.speed;
    gpu.busy = true;
    gpu.busy_since = now_;
    plan({now_ + length, Event::done, number, taken, gpu.life});
  }

  void plan_failure(double now) {
    std::exponential_distribution<double> wait(static_cast<double>(gpus_.size()) / cluster_.failure_seconds);
    const std::size_t gpu = random_() % gpus_.size();
    plan({now + wait(random_), Event::fail, gpu, {}, 0});
  }

  void drop_all(Gpu& gpu) {
    if (gpu.busy) report_.lost_gpu_seconds += now_ - gpu.busy_since;
    ++gpu.life;
    gpu.busy = false;
    gpu.stock.clear();
    gpu.away = true;
    gpu.last_busy = now_;
  }

  void happen(const Event& event) {
    Gpu& gpu = gpus_[event.gpu];
    const bool of_this_life = event.life == gpu.life;
    switch (event.kind) {
      case Event::arrive:
        if (!of_this_life) return;
        gpu.stock.push_back(event.range);
        start_next(event.gpu);
        return;
      case Event::done:
        if (!of_this_life) return;
        gpu.busy = false;
        gpu.last_busy = now_;
        plan({now_ + cluster_.latency_seconds, Event::reported, event.gpu, event.range, event.life});
        start_next(event.gpu);
        return;
      case Event::reported:
        if (!of_this_life) return;
        count_message();
        if (dispatcher_->finish(event.gpu, {0, event.range}, now_)) {
          if (!ledger_.add({event.range, value_of(event.range), 1}))
            throw std::logic_error("the ledger has it already");
        } else {
          report_.lost_gpu_seconds +=
              static_cast<double>(event.range.size()) * cluster_.unit_seconds / gpu.speed;
        }
        if (now_ - written_at_ >= cluster_.write_seconds) write();
        fill(event.gpu);
        fill_idle();
        return;
      case Event::fail:
        plan_failure(now_);
        if (gpu.away) return;
        ++report_.failures;
        if (cluster_.failure_ends_job) {
          for (Gpu& each : gpus_) drop_all(each);
          write();
        } else {
          drop_all(gpu);
          dispatcher_->lose(event.gpu);
          fill_idle();
        }
        plan({now_ + cluster_.restart_seconds,
              cluster_.failure_ends_job ? Event::restart : Event::back,
              event.gpu,
              {},
              0});
        return;
      case Event::back:
        gpu.away = false;
        dispatcher_->find(event.gpu);
        fill(event.gpu);
        return;
      case Event::restart:
        begin_job(now_);
        return;
    }
  }

  void write() {
    written_at_ = now_;
    for (FinishedRange& finished : ledger_.take_new()) {
      ++report_.records;
      report_.bytes += record_line(header_, {0, std::move(finished)}).size();
    }
  }

  void check() {
    Partial sum = zero(ledger_.arithmetic());
    for (const FinishedRange& finished : ledger_.take_all()) {
      add(sum, finished.value, ledger_.arithmetic());
      report_.final_bytes += record_line(header_, {0, finished}).size();
    }
    report_.every_unit_once = ledger_.units_done() == cluster_.units &&
                              std::get<Residues>(sum) == std::get<Residues>(value_of({0, cluster_.units}));
  }

  static constexpr double range_seconds = 0.5;  // unit_work.cpp
  Cluster cluster_;
  std::mt19937_64 random_;
  JournalHeader header_;
  Ledger ledger_;
  std::vector<Gpu> gpus_;
  std::vector<double> lengths_;
  std::optional<Dispatcher> dispatcher_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::vector<std::size_t> idle_;
  double now_ = 0;
  double second_ = 0;
  double written_at_ = 0;
  std::uint64_t messages_this_second_ = 0;
  Report report_;
};

inline Report simulate(const Cluster& cluster) {
  return Simulation(cluster).run();
}

}  // namespace countpm::simulation
