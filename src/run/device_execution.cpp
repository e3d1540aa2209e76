#include "src/run/device_execution.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "graph/clock.hpp"
#include "kernels/gpu/device_job.hpp"
#include "src/machine/startable_threads.hpp"
#include "src/units/unit_queue.hpp"
#include "src/watch/first_failure.hpp"

namespace countpm {
namespace {

// Long enough that what a range costs beside its work does not show, short enough for progress and an even
// end.
constexpr double range_seconds = 0.5;
constexpr double least_range_seconds = 0.005;

class DeviceExecution {
 public:
  DeviceExecution(const Task& task, std::optional<std::uint64_t> sampled_unit, Monitor& monitor)
      : task_(task),
        monitor_(monitor),
        queue_(task.job->units(), sampled_unit.value_or(task.job->units()),
               task.ledger != nullptr ? task.ledger->settled() : std::vector<UnitRange>()),
        sampled_unit_(sampled_unit),
        sum_(*task.arithmetic,
             task.ledger != nullptr ? task.ledger->ranges() : std::vector<FinishedRange>()) {}

  TaskResult run(int threads) {
    const double start = seconds_now();
    const std::size_t gpus = task_.processors.gpus.size();
    const std::size_t cpu_threads =
        task_.processors.cpu ? static_cast<std::size_t>(std::max(threads - static_cast<int>(gpus), 0)) : 0;
    {
      std::vector<std::jthread> workers;
      workers.reserve(gpus + cpu_threads);
      try {
        for (const GpuInfo& gpu : task_.processors.gpus)
          workers.emplace_back([this, &gpu] { guarded([&] { feed(gpu); }); });
        for (std::size_t k = 0; k < cpu_threads; ++k)
          workers.emplace_back([this] { guarded([&] { take_single_units(); }); });
      } catch (const std::system_error& error) {
        // Fewer of the CPU's will do; each GPU needs its own.
        if (workers.size() < gpus) {
          monitor_.request_stop();
          refuse_thread(error);
        }
      }
    }
    failure_.rethrow();
    monitor_.throw_if_stopped();
    return join(seconds_now() - start);
  }

 private:
  struct Part {
    UnitRange range;
    Partial value;
    double seconds;
  };

  /// Where one thread fails the others stop.
  template <class Work>
  void guarded(const Work& work) {
    if (!failure_.guard(work)) monitor_.request_stop();
  }

  void feed(const GpuInfo& gpu) {
    const std::unique_ptr<DeviceJob> device = task_.job->on_device(gpu);
    {
      const std::lock_guard lock(mutex_);
      if (kernel_.empty()) kernel_ = device->kernel();
    }
    const double units = static_cast<double>(task_.job->units());
    const double work_per_unit = std::exp2(std::min(task_.job->log2_work(), 1000.0)) / units;
    double rate = std::max(task_.job->nominal_device_rate(gpu), 1.0) / work_per_unit;  // units a second
    const double gpus = static_cast<double>(task_.processors.gpus.size());
    double told = 0;
    while (!monitor_.stop_signal().requested()) {
      const double even = static_cast<double>(queue_.left()) / (2 * gpus);
      const double most = std::max(std::min(range_seconds * rate, even), least_range_seconds * rate);
      const UnitRange range = queue_.take(static_cast<std::uint64_t>(std::clamp(most, 1.0, units)));
      if (range.empty()) break;
      // A wide unit of a single GPU tells how far it is.
      if (task_.job->runs_on_all_threads() && task_.processors.gpus.size() == 1)
        monitor_.begin_wide_unit(predicted(range));
      const double seconds =
          collect(range, [&] { return device->run(range.first, range.last, monitor_.stop_signal()); });
      rate = static_cast<double>(range.size()) / std::max(seconds, 1e-7);
      device_rate_ += rate - std::exchange(told, rate);
    }
  }

  void take_single_units() {
    double seconds_per_unit = 0;
    while (!monitor_.stop_signal().requested()) {
      // What the GPUs will have done before this thread is through with one unit is theirs.
      const double rate = device_rate_;
      if (rate > 0 && seconds_per_unit > static_cast<double>(queue_.left()) / rate) return;
      const UnitRange range = queue_.take(1);
      if (range.empty()) return;
      seconds_per_unit = collect(range, [&] { return task_.job->run(range.first, monitor_.stop_signal()); });
    }
  }

  /// Returns the seconds that it took.
  template <class Run>
  double collect(const UnitRange& range, const Run& run) {
    const double start = seconds_now();
    Partial value = run();
    const double seconds = seconds_now() - start;
    if (task_.ledger != nullptr) task_.ledger->add({range, Partial(value), seconds});
    {
      const std::lock_guard lock(mutex_);
      parts_.push_back({range, std::move(value), seconds});
    }
    monitor_.finish(predicted(range));
    return seconds;
  }

  double predicted(const UnitRange& range) const {
    return task_.predicted_seconds * static_cast<double>(range.size()) /
           static_cast<double>(task_.job->units());
  }

  TaskResult join(double seconds) {
    std::sort(parts_.begin(), parts_.end(),
              [](const Part& a, const Part& b) { return a.range.first < b.range.first; });
    TaskResult result;
    result.seconds = seconds;
    result.sampled_unit = sampled_unit_;
    for (Part& part : parts_) {
      sum_.add(part.range.first, part.value);
      result.thread_seconds += part.seconds;
      if (sampled_unit_ == part.range.first) {
        result.sampled_seconds = part.seconds;
        result.sampled_value = std::move(part.value);
      }
    }
    result.thread_seconds += sum_.journaled_seconds();
    result.value = sum_.total();
    result.kernel = std::move(kernel_);
    return result;
  }

  const Task& task_;
  Monitor& monitor_;
  UnitQueue queue_;
  std::optional<std::uint64_t> sampled_unit_;
  OrderedSum sum_;
  std::atomic<double> device_rate_{0};  // units a second, all GPUs together, as last seen
  std::mutex mutex_;
  std::vector<Part> parts_;
  std::string kernel_;
  FirstFailure failure_;
};

}  // namespace

TaskResult run_on_devices(const Task& task, std::optional<std::uint64_t> sampled_unit, int threads,
                          Monitor& monitor, std::size_t number, std::size_t tasks) {
  monitor.describe(task.method, number, tasks);
  return DeviceExecution(task, sampled_unit, monitor).run(threads);
}

}  // namespace countpm
