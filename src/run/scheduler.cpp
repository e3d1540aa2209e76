#include "src/run/scheduler.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <utility>

#include "graph/errors.hpp"
#include "src/machine/startable_threads.hpp"

namespace countpm {
namespace {

constexpr auto nap = std::chrono::milliseconds(50);

}  // namespace

int threads_beside(std::size_t gpus, int threads) {
  return std::max(threads - static_cast<int>(gpus), gpus > 0 ? 0 : 1);
}

void Scheduler::put(std::size_t task, const UnitRange& range, std::optional<std::uint64_t> alone) {
  {
    const std::lock_guard lock(mutex_);
    if (on_cpu_.size() <= task) on_cpu_.resize(task + 1);
    queue_.put(task, range, alone);
  }
  wake_.notify_all();
}

void Scheduler::run() {
  closed_ = true;
  start_threads(cpu_threads_ > 0 ? useful_threads() - 1 : 0, 0);
  if (cpu_threads_ > 0) serve(std::nullopt);
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  rethrow();
}

void Scheduler::start() {
  start_threads(cpu_threads_, std::min(cpu_threads_, 1));
  const std::lock_guard lock(mutex_);
  cpu_threads_ = static_cast<int>(threads_.size() - gpus_);
}

void Scheduler::start_threads(int on_cpu, int needed) {
  threads_.reserve(gpus_ + static_cast<std::size_t>(std::max(on_cpu, 0)));
  const auto start = [this](std::optional<std::size_t> gpu) {
    threads_.push_back(start_thread([this, gpu] { serve(gpu); }));
  };
  try {
    for (std::size_t gpu = 0; gpu < gpus_; ++gpu) start(gpu);
    for (int k = 0; k < on_cpu; ++k) start(std::nullopt);
  } catch (const UnableError&) {
    // Of the CPU's fewer will do, but each GPU needs its own.
    if (threads_.size() >= gpus_ + static_cast<std::size_t>(needed)) return;
    work_.stop_others();
    end();
    throw;
  }
}

void Scheduler::drop() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    queue_.clear();
  }
  wake_.notify_all();
}

void Scheduler::end() {
  drop();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void Scheduler::expect_end(double seconds) {
  const std::lock_guard lock(mutex_);
  end_at_ = clock_() + seconds;
}

double Scheduler::cpu_seconds_each(std::size_t task) const {
  const std::lock_guard lock(mutex_);
  const Seen& seen = on_cpu_[task];
  return seen.numbers > 0 ? seen.seconds / seen.numbers : 0;
}

void Scheduler::serve(std::optional<std::size_t> gpu) {
  const StopScope scope(&stop_);
  if (failure_.guard([&] { take_ranges(gpu); })) return;
  work_.stop_others();
  drop();
}

Pace Scheduler::cpu_pace(std::size_t task) const {
  Pace pace = work_.on_cpu(task);
  const Seen& seen = on_cpu_[task];
  if (seen.numbers > 0) pace.rate = seen.numbers / std::max(seen.seconds, 1e-9 * seen.numbers);
  return pace;
}

std::uint64_t Scheduler::size(const Pace& pace, std::size_t sharers) const {
  const double even = static_cast<double>(queue_.left()) / static_cast<double>(2 * sharers);
  const double least = std::max(static_cast<double>(pace.least), pace.least_seconds * pace.rate);
  const double wanted = std::max(std::min(pace.seconds * pace.rate, even), least);
  return wanted < static_cast<double>(pace.most) ? static_cast<std::uint64_t>(wanted) : pace.most;
}

/// No more than there are ranges for.
int Scheduler::useful_threads() const {
  const auto task = queue_.next([&](std::size_t t) { return work_.takes(t, false); });
  if (!task) return 1;
  const std::uint64_t first = size(cpu_pace(*task), static_cast<std::size_t>(cpu_threads_));
  const std::uint64_t ranges = (queue_.left() - 1) / std::max<std::uint64_t>(first, 1) + 1;
  return static_cast<int>(std::min(ranges, static_cast<std::uint64_t>(cpu_threads_)));
}

/// Whether a thread of the CPU would be through with a long number before all the rest is done.
bool Scheduler::worth_starting(std::size_t task) const {
  if (gpus_ == 0 || !work_.takes(task, true)) return true;
  const double rate = cpu_pace(task).rate;
  if (rate == 0) return true;
  const double longest = std::max(1 / rate, on_cpu_[task].longest);
  double left = std::numeric_limits<double>::infinity();
  if (end_at_) {
    left = *end_at_ - clock_();
  } else if (device_rate_ > 0) {
    left = static_cast<double>(queue_.left()) / device_rate_;
  }
  return longest < left;
}

void Scheduler::take_ranges(std::optional<std::size_t> gpu) {
  std::map<std::size_t, GpuRunner> on_gpu;  // by task
  double own_rate = 0;                      // this GPU's part of device_rate_
  std::unique_lock lock(mutex_);
  while (!stop_.requested() && !(begun_ && work_.ended())) {
    const auto takes = [&](std::size_t task) { return work_.takes(task, gpu.has_value()); };
    const auto task =
        queue_.next([&](std::size_t t) { return takes(t) && (gpu.has_value() || worth_starting(t)); });
    if (!task) {
      if (closed_ && !queue_.next(takes)) return;
      wake_.wait_for(lock, nap);
      continue;
    }
    if (gpu && !on_gpu.contains(*task)) {
      lock.unlock();
      on_gpu.emplace(*task, work_.on_gpu(*task, *gpu));
      lock.lock();
      continue;
    }
    GpuRunner* const runner = gpu ? &on_gpu.at(*task) : nullptr;
    const std::uint64_t most = runner != nullptr
                                   ? size(runner->pace, gpus_)
                                   : size(cpu_pace(*task), static_cast<std::size_t>(cpu_threads_));
    const UnitRange range = queue_.take(*task, most);
    begun_ = true;
    if (queue_.left() == 0) wake_.notify_all();
    lock.unlock();
    const double start = clock_();
    if (runner != nullptr) {
      runner->run(range);
    } else {
      work_.run(*task, range);
    }
    const double seconds = clock_() - start;
    lock.lock();
    const auto numbers = static_cast<double>(range.size());
    if (runner != nullptr) {
      runner->pace.rate = numbers / std::max(seconds, 1e-7);
      device_rate_ += runner->pace.rate - std::exchange(own_rate, runner->pace.rate);
    } else {
      Seen& seen = on_cpu_[*task];
      seen.numbers += numbers;
      seen.seconds += seconds;
      seen.longest = std::max(seen.longest, seconds / numbers);
    }
  }
}

}  // namespace countpm
