#pragma once
// The last resort for a time limit: ends the program where something that cannot be stopped goes on past it.
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace countpm::app {

/// Unless it is destroyed or told by begun() within `seconds`, calls `end` in a thread of its own, which is
/// not to return. For what the library cannot interrupt before anything is counted: a parser of another
/// library, METIS, a planarity test, a sort, the release of a large graph. Where there is one thread it does
/// nothing.
class LimitWatch {
 public:
  LimitWatch(double seconds, std::function<void()> end);
  ~LimitWatch();
  LimitWatch(const LimitWatch&) = delete;
  LimitWatch& operator=(const LimitWatch&) = delete;

  /// There is something to lose from now on, and what is under way looks at the limit itself. Thread-safe.
  void begun();

 private:
  void watch(double seconds, const std::function<void()>& end);

  std::mutex mutex_;
  std::condition_variable wake_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace countpm::app
