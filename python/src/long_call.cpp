#include "python/src/long_call.hpp"

#include <chrono>
#include <thread>

#include "src/machine/startable_threads.hpp"

namespace countpm::python {

namespace nb = nanobind;

namespace {

constexpr auto tick = std::chrono::milliseconds(50);

nb::object seconds_or_none(double seconds) {
  return seconds < 0 ? nb::object(nb::none()) : nb::object(nb::float_(seconds));
}

}  // namespace

nb::dict progress_dict(const Progress& progress) {
  nb::dict report;
  report["stage"] = progress.stage;
  report["method"] = progress.method;
  report["block"] = progress.block;
  report["blocks"] = progress.blocks;
  report["done"] = progress.done;
  report["rate"] = progress.share_a_second;
  report["elapsed_seconds"] = progress.elapsed_seconds;
  report["remaining_seconds"] = seconds_or_none(progress.remaining_seconds);
  report["remaining_low"] = seconds_or_none(progress.remaining_low);
  report["remaining_high"] = seconds_or_none(progress.remaining_high);
  return report;
}

void check_signals() {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

LongCall::LongCall(nb::handle progress) : progress_(nb::borrow(progress)) {}

std::function<bool()> LongCall::interrupted() {
  return [this] { return stop_.load(); };
}

void LongCall::watch(Options& options) {
  options.interrupted = interrupted();
  if (progress_.is_none()) return;
  options.progress = [this](const Progress& progress) {
    const std::lock_guard lock(mutex_);
    latest_ = progress;
  };
}

void LongCall::tell_progress() {
  std::optional<Progress> report;
  {
    const std::lock_guard lock(mutex_);
    report.swap(latest_);
  }
  if (report) progress_(progress_dict(*report));
}

/// With Python's lock.
void LongCall::look() {
  if (raised_) return;
  try {
    check_signals();
    tell_progress();
  } catch (...) {
    raised_ = std::current_exception();
    stop_ = true;
  }
}

void LongCall::run_beside(const std::function<void()>& task) {
  {
    const nb::gil_scoped_release released;
    std::thread worker = start_thread([&] {
      try {
        task();
      } catch (...) {
        failure_ = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      done_ = true;
      done_changed_.notify_one();
    });
    std::unique_lock lock(mutex_);
    while (!done_changed_.wait_for(lock, tick, [this] { return done_; })) {
      lock.unlock();
      {
        const nb::gil_scoped_acquire acquired;
        look();
      }
      lock.lock();
    }
    lock.unlock();
    worker.join();
  }
  if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace countpm::python
