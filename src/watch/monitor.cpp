#include "src/watch/monitor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "kernels/support/mpfr_caches.hpp"
#include "src/machine/channel.hpp"
#include "src/machine/startable_threads.hpp"
#include "src/text/format_duration.hpp"

namespace countpm {
namespace {

constexpr std::chrono::duration<double> tick(0.01);
constexpr int ticks_a_report = 20;

}  // namespace

Monitor::Monitor(const CountOptions& options) : options_(options) {
  if constexpr (one_thread) {
    look_out_.emplace(tick.count(), [this] {
      std::unique_lock lock(mutex_);
      look(lock);
    });
  } else {
    thread_ = start_thread([this] { watch(); });
  }
  free_mpfr_caches_with_this_thread();  // a thread of the caller's
}

Monitor::~Monitor() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

double Monitor::elapsed() const {
  return seconds_now() - start_;
}

void Monitor::enter(std::string doing) {
  const std::lock_guard lock(mutex_);
  doing_ = std::move(doing);
}

void Monitor::lift_limit() {
  const std::lock_guard lock(mutex_);
  unlimited_ = true;
  Reason over = Reason::time_limit;
  reason_.compare_exchange_strong(over, Reason::none);
}

void Monitor::allow_grace(double seconds) {
  const std::lock_guard lock(mutex_);
  grace_seconds_ = seconds;
}

void Monitor::begin_stage(std::string stage, double seconds, double done) {
  const std::lock_guard lock(mutex_);
  if (stage != "plan") doing_.clear();
  stage_ = std::move(stage);
  stage_seconds_ = seconds;
  stage_done_ = done;
  rate_.start(elapsed(), seconds > 0 ? done / seconds : 0);
  wide_seconds_ = 0;
}

void Monitor::describe(const std::string& method, std::size_t block, std::size_t blocks) {
  const std::lock_guard lock(mutex_);
  method_ = method;
  block_ = block;
  blocks_ = blocks;
}

void Monitor::finish(double seconds_of_work) {
  const std::lock_guard lock(mutex_);
  stage_done_ += seconds_of_work;
  wide_seconds_ = 0;
}

void Monitor::begin_wide_unit(double seconds_of_work) {
  const std::lock_guard lock(mutex_);
  stop_.report_share(0);
  wide_seconds_ = seconds_of_work;
}

void Monitor::watch() {
  std::unique_lock lock(mutex_);
  while (!closing_) {
    wake_.wait_for(lock, tick);
    if (!closing_) look(lock);
  }
}

/// With the lock, also at the end.
void Monitor::look(std::unique_lock<std::mutex>& lock) {
  if (reason_ == Reason::none) {
    lock.unlock();
    const bool interrupted = options_.interrupted && options_.interrupted();
    lock.lock();
    if (interrupted) {
      reason_ = Reason::interrupted;
      interrupt_.request();
      stop_.request();
    } else if (!unlimited_ && elapsed() > options_.time_limit_seconds + grace_seconds_) {
      reason_ = Reason::time_limit;
      stop_.request();
    }
  }
  if (++looks_ % ticks_a_report != 0 || stage_.empty() || !options_.progress) return;
  try {
    const Progress progress = progress_locked();
    lock.unlock();
    options_.progress(progress);
  } catch (const std::bad_alloc&) {
    // Near the memory's end a line of progress is no matter; this thread has to stay.
  }
  if (!lock.owns_lock()) lock.lock();
}

Progress Monitor::progress() {
  const std::lock_guard lock(mutex_);
  return progress_locked();
}

int Monitor::lost_ranks() const {
  return options_.channel != nullptr ? options_.channel->lost_ranks() : 0;
}

Progress Monitor::progress_locked() {
  Progress progress;
  progress.stage = stage_;
  progress.method = method_;
  progress.block = block_;
  progress.blocks = blocks_;
  progress.elapsed_seconds = elapsed();
  const double done = stage_done_ + wide_seconds_ * std::clamp(stop_.share_reported(), 0.0, 1.0);
  progress.done = stage_seconds_ > 0 ? std::min(done / stage_seconds_, 1.0) : 0;
  // The rate so far, not the prediction, says how long the rest takes.
  rate_.note(progress.elapsed_seconds, progress.done);
  const RemainingTime remaining = rate_.remaining();
  progress.share_a_second = rate_.rate();
  progress.remaining_seconds = remaining.seconds;
  progress.remaining_low = remaining.low;
  progress.remaining_high = remaining.high;
  return progress;
}

void Monitor::throw_if_stopped() const {
  switch (reason_.load()) {
    case Reason::interrupted:
      throw InterruptedError("interrupted");
    case Reason::time_limit: {
      const std::lock_guard lock(mutex_);
      const std::string limit =
          fmt::format("the time limit of {} is over", format_duration(options_.time_limit_seconds));
      if (doing_.empty())
        throw UnableError(limit + " before the count was done", "try a longer --time-limit");
      throw UnableError(fmt::format("{} while {}", limit, doing_),
                        "a longer --time-limit gets further; how much more it takes is not known yet");
    }
    case Reason::none:
      return;
  }
}

}  // namespace countpm
