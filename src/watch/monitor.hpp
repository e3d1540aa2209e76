#pragma once
// Watches a running count from a thread of its own: progress, the time limit, and the user's wish to stop.
// Where there is one thread, from within the work.
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "graph/clock.hpp"
#include "graph/look_out.hpp"
#include "kernels/method.hpp"
#include "src/api/entries.hpp"
#include "src/watch/rate_meter.hpp"

namespace countpm {

/// Lives as long as a count. Every 10 ms it polls `interrupted`, compares the clock with the limit, and
/// reports progress. Either event requests a stop; `throw_if_stopped` then throws what it means. Made and
/// ended by one thread, whose check_stop() looks at its signal meanwhile.
class Monitor {
 public:
  explicit Monitor(const CountOptions& options);
  ~Monitor();
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  const StopSignal& stop_signal() const { return stop_; }
  /// Stops the work for a reason of the caller's own, an exception in another thread, say.
  void request_stop() { stop_.request(); }
  double elapsed() const;

  /// What is being done before anything is predicted, "reading the input", for throw_if_stopped(): until the
  /// next call, or a stage other than "plan". The hint that it gives is then that nothing is known yet.
  void enter(std::string doing);
  /// Does the work. Where it throws Stopped, throws what that means; so every public entry is run.
  template <class Work>
  decltype(auto) explained(const Work& work) const {
    try {
      return work();
    } catch (const Stopped&) {
      throw_if_stopped();
      throw;
    }
  }
  /// The time limit no longer stops anything, also where it is over: what there is is worth having. What is
  /// done from now on looks at interrupt_signal().
  void lift_limit();
  /// The time limit stops the work so much later than it is over.
  void allow_grace(double seconds);
  /// Requested by the user's wish alone.
  const StopSignal& interrupt_signal() const { return interrupt_; }
  /// Whether the time limit has stopped the work.
  bool limit_is_over() const { return reason_.load() == Reason::time_limit; }

  /// A new stage whose work is predicted to take `seconds`; finish(share) adds a finished share of it (from
  /// any thread).
  /// done: of those seconds, what an earlier session did.
  void begin_stage(std::string stage, double seconds, double done = 0);
  void describe(const std::string& method, std::size_t block, std::size_t blocks);
  void finish(double seconds_of_work);
  /// A unit of a wide job (Job::runs_on_all_threads) starts: until finish() the share of it that it tells the
  /// stop signal counts as done.
  void begin_wide_unit(double seconds_of_work);

  /// How far the count is. From any thread.
  Progress progress();
  /// Of the ranks that count together, those that are gone (Channel::lost_ranks). From any thread.
  int lost_ranks() const;

  /// Throws InterruptedError or UnableError (time limit), whichever stopped the work; returns where neither
  /// did.
  void throw_if_stopped() const;

 private:
  enum class Reason { none, interrupted, time_limit };
  void watch();
  void look(std::unique_lock<std::mutex>& lock);
  Progress progress_locked();

  const CountOptions& options_;
  double start_ = seconds_now();
  StopSignal stop_;
  StopSignal interrupt_;
  StopScope scope_{&stop_};
  std::atomic<Reason> reason_{Reason::none};

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool closing_ = false;
  int looks_ = 0;
  bool unlimited_ = false;
  double grace_seconds_ = 0;
  std::string doing_;
  std::string stage_;
  std::string method_;
  std::size_t block_ = 0;
  std::size_t blocks_ = 0;
  double stage_seconds_ = 0;  // predicted
  double stage_done_ = 0;     // of those, finished
  double wide_seconds_ = 0;   // of those, the wide unit that runs
  RateMeter rate_;            // of the stage
  std::thread thread_;
  std::optional<LookOut> look_out_;  // where there is one thread
};

}  // namespace countpm
