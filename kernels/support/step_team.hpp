#pragma once
// Threads for one piece of work in many small steps, some tenths of a millisecond each: they stay awake from
// step to step.
//
// Whoever has a step to do claims one part of it after the other, the caller as well, who then waits for
// those that others have claimed. Where the machine is busy the system may put one of these aside, and the
// caller waits for some milliseconds: where waiting takes more than it should, the others are sent away, and
// the caller goes on alone. Parts do the same whoever runs them.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "graph/clock.hpp"

namespace countpm {

class StepTeam {
 public:
  /// So many threads, the caller's among them; fewer where the system starts no more.
  explicit StepTeam(int threads) {
    others_.reserve(static_cast<std::size_t>(std::max(threads, 1)));
    try {
      while (static_cast<int>(others_.size()) + 1 < threads) others_.emplace_back([this] { help(); });
    } catch (const std::system_error&) {
      // Fewer, then.
    } catch (const std::bad_alloc&) {
      // The same: those that there are wait for steps, and nobody else would send them away.
    }
  }
  ~StepTeam() { dismiss(); }
  StepTeam(const StepTeam&) = delete;
  StepTeam& operator=(const StepTeam&) = delete;

  /// Calls call(part) for parts 0 .. parts - 1, parts < 2^16, and returns when all are done; what one of them
  /// throws comes out here. By the thread that made the team.
  template <class Call>
  void run(std::uint32_t parts, const Call& call) {
    if (others_.empty() || parts < 2) {
      for (std::uint32_t part = 0; part < parts; ++part) call(part);
      return;
    }
    call_ = [](const void* of, std::uint32_t part) { (*static_cast<const Call*>(of))(part); };
    object_ = &call;
    left_.store(parts, std::memory_order_relaxed);
    const std::uint32_t step = ++step_;
    next_.store(std::uint64_t{step} << 32 | std::uint64_t{parts} << 16, std::memory_order_release);
    step_here_.store(step, std::memory_order_release);
    step_here_.notify_all();
    work(step);
    const double begin = seconds_now();
    for (int spins = 0; left_.load(std::memory_order_acquire) > 0; ++spins) rest(spins);
    const double now = seconds_now();
    waited_ += now - begin;
    if (failed_.load(std::memory_order_relaxed)) {
      failed_ = false;
      std::rethrow_exception(std::exchange(failure_, nullptr));
    }
    if (waited_ > most_waiting + most_share_of_waiting * (now - begun_)) dismiss();
  }

  /// The caller's among them.
  std::size_t threads() const { return others_.size() + 1; }

 private:
  static constexpr double most_waiting = 0.01;
  static constexpr double most_share_of_waiting = 0.2;
  static constexpr int spins_awake = 2000;      // then helpers sleep, and
  static constexpr int spins_unyielding = 200;  // the caller lets others run

  static void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  static void rest(int spins) {
    if (spins < spins_unyielding) {
      pause();
    } else {
      std::this_thread::yield();
    }
  }

  // next_ is the step, how many parts it has, and the next one of them, so that no part of another step is
  // claimed.
  void work(std::uint32_t step) {
    std::uint64_t next = next_.load(std::memory_order_acquire);
    while (next >> 32 == step && (next & 0xffff) < (next >> 16 & 0xffff)) {
      if (!next_.compare_exchange_weak(next, next + 1, std::memory_order_acq_rel)) continue;
      try {
        call_(object_, static_cast<std::uint32_t>(next & 0xffff));
      } catch (...) {
        if (!failed_.exchange(true)) failure_ = std::current_exception();
      }
      left_.fetch_sub(1, std::memory_order_release);
      next = next_.load(std::memory_order_acquire);
    }
  }

  void help() {
    std::uint32_t seen = 0;
    while (true) {
      std::uint32_t step = step_here_.load(std::memory_order_acquire);
      for (int spins = 0; step == seen && spins < spins_awake; ++spins) {
        pause();
        step = step_here_.load(std::memory_order_acquire);
      }
      if (step == seen) {
        step_here_.wait(seen, std::memory_order_acquire);
        continue;
      }
      if (step == last_step) return;
      seen = step;
      work(step);
    }
  }

  void dismiss() {
    if (others_.empty()) return;
    step_here_.store(last_step, std::memory_order_release);
    step_here_.notify_all();
    others_.clear();  // joins
  }

  static constexpr std::uint32_t last_step = ~std::uint32_t{0};

  void (*call_)(const void*, std::uint32_t) = nullptr;
  const void* object_ = nullptr;
  std::uint32_t step_ = 0;
  double begun_ = seconds_now();
  double waited_ = 0;
  std::exception_ptr failure_;
  std::atomic<bool> failed_{false};
  std::atomic<std::uint32_t> left_{0};
  std::atomic<std::uint64_t> next_{0};
  std::atomic<std::uint32_t> step_here_{0};
  std::vector<std::jthread> others_;
};

}  // namespace countpm
