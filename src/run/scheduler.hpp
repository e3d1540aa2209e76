#pragma once
// The scheduler of one process: it deals out ranges of numbers (units of tasks, samples, trials) to threads
// and GPUs. Ranks, which answer late or never, are dealt to by the dispatcher of rank 0
// (src/distributed/dispatcher.hpp); what a rank gets ends up here.
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "graph/clock.hpp"
#include "graph/first_failure.hpp"
#include "graph/stop_signal.hpp"
#include "src/units/unit_queue.hpp"

namespace countpm {

/// How large a range is to be: what takes about `seconds`, or towards the end half of a runner's even share
/// of what is left; never less than `least`, or than takes `least_seconds`.
struct Pace {
  double seconds = 0;
  double least_seconds = 0;
  std::uint64_t least = 1;
  std::uint64_t most = ~std::uint64_t{0};
  double rate = 0;  // numbers a second, before it is seen; 0: not known, the first range is the least
};

/// A task on one GPU. It is made, used and destroyed by the thread that feeds the GPU.
struct GpuRunner {
  Pace pace;
  std::function<void(const UnitRange& range)> run;
};

/// What is dealt out. Tasks are numbered from 0; all is called from any thread.
class Work {
 public:
  virtual ~Work() = default;
  /// Whether GPUs, or the CPU's threads, take ranges of the task.
  virtual bool takes([[maybe_unused]] std::size_t task, [[maybe_unused]] bool gpu) const { return true; }
  virtual Pace on_cpu(std::size_t task) const = 0;
  /// Where there are GPUs: before one's first range of the task.
  virtual GpuRunner on_gpu([[maybe_unused]] std::size_t task, [[maybe_unused]] std::size_t gpu) { return {}; }
  /// A range on a thread of the CPU.
  virtual void run(std::size_t task, const UnitRange& range) = 0;
  /// Whether no further range is to be begun; asked before every one but the first.
  virtual bool ended() { return false; }
  /// Something was thrown: what runs elsewhere is to stop.
  virtual void stop_others() = 0;
};

/// Threads of the CPU that run something beside so many GPUs: a thread that feeds a GPU sleeps while that
/// works, but takes a core to itself where it does not.
int threads_beside(std::size_t gpus, int threads);

/// Deals what is put in, from the front: every number once. Each GPU has a host thread; a thread of the CPU
/// leaves alone what GPUs will have done before it would be through with a number that takes as long as the
/// longest before it: units can be very uneven, and all would wait for the last.
class Scheduler {
 public:
  /// `work` and `stop` outlive it. Where `stop` is requested no range is begun.
  Scheduler(Work& work, std::size_t gpus, int cpu_threads, const StopSignal& stop,
            double (*clock)() = seconds_now)
      : work_(work), gpus_(gpus), cpu_threads_(cpu_threads), stop_(stop), clock_(clock) {}
  /// Waits for what runs, and forgets the rest.
  ~Scheduler() { end(); }
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  /// As UnitQueue::put.
  void put(std::size_t task, const UnitRange& range, std::optional<std::uint64_t> alone = {});

  /// Has all done that was put in, the calling thread being one of the CPU's. Throws what the work threw,
  /// other than Stopped; UnableError where there is no thread for a GPU: of others fewer will do.
  void run();

  /// Or: starts threads that wait for more to be put in. Throws UnableError where there is none for a GPU, or
  /// none at all.
  void start();
  /// Of those, how many run things on the CPU.
  int cpu_threads() const { return cpu_threads_; }
  /// When others will have done all that there is, in seconds from now: it then is not for these GPUs alone.
  void expect_end(double seconds);
  void rethrow() { failure_.rethrow(); }

  /// Seconds a number took on one thread of the CPU, on average; 0: none did.
  double cpu_seconds_each(std::size_t task) const;

 private:
  struct Seen {
    double numbers = 0;
    double seconds = 0;
    double longest = 0;  // seconds for a number, in the range where they were longest
  };
  void start_threads(int on_cpu, int needed);
  void drop();
  void end();
  void serve(std::optional<std::size_t> gpu);
  void take_ranges(std::optional<std::size_t> gpu);
  Pace cpu_pace(std::size_t task) const;
  std::uint64_t size(const Pace& pace, std::size_t sharers) const;
  int useful_threads() const;
  bool worth_starting(std::size_t task) const;

  Work& work_;
  std::size_t gpus_;
  int cpu_threads_;
  const StopSignal& stop_;
  double (*clock_)();
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  UnitQueue queue_;
  std::vector<Seen> on_cpu_;      // of each task
  double device_rate_ = 0;        // numbers a second, all GPUs together, as last seen
  std::optional<double> end_at_;  // when others will have done all
  bool closed_ = false;           // nothing more is put in
  bool begun_ = false;            // some range is
  FirstFailure failure_;
  std::vector<std::thread> threads_;
};

}  // namespace countpm
