#pragma once
// An exception must not leave a thread: the first that any of several threads throws waits here for whoever
// waits for them.
#include <exception>
#include <mutex>

#include "graph/stop_signal.hpp"

namespace countpm {

class FirstFailure {
 public:
  /// Does the work. False where it threw what should be thrown again. Stopped should not: whoever stopped it
  /// knows why. Thread-safe.
  template <class Work>
  bool guard(const Work& work) {
    try {
      work();
      return true;
    } catch (const Stopped&) {
      return true;
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      return false;
    }
  }

  /// Throws what was thrown first, if anything was.
  void rethrow() {
    const std::lock_guard lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace countpm
