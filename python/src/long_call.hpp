#pragma once
// What may take long, run beside the interpreter: on a thread of its own, while the one that called waits
// without Python's lock, looks every 50 ms whether a signal came in (Ctrl-C: only the main thread is told,
// and only there), and hands progress to the caller's function.
#include <nanobind/nanobind.h>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "src/api/options.hpp"

namespace countpm::python {

/// What a waiting thread has to look at; called with Python's lock. Throws nanobind::python_error where a
/// signal's handler, or the progress function, raised.
void check_signals();

/// What countpm.Progress is made of. With Python's lock.
nanobind::dict progress_dict(const Progress& progress);

class LongCall {
 public:
  /// progress: a function of a dict, or None.
  explicit LongCall(nanobind::handle progress);

  /// Lets the call be stopped, and its progress be heard. The options are used by run() alone.
  void watch(Options& options);
  std::function<bool()> interrupted();

  /// Called with Python's lock; `work` runs without. Throws what it throws; where Python raised meanwhile,
  /// that, once the work has stopped.
  template <class Work>
  auto run(const Work& work) -> decltype(work()) {
    std::optional<decltype(work())> result;
    run_beside([&] { result.emplace(work()); });
    return std::move(*result);
  }

 private:
  void run_beside(const std::function<void()>& task);
  void look();
  void tell_progress();

  nanobind::object progress_;
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::condition_variable done_changed_;
  bool done_ = false;
  std::optional<Progress> latest_;
  std::exception_ptr raised_;   // in Python
  std::exception_ptr failure_;  // in the work
};

}  // namespace countpm::python
