#pragma once
// Who watches a count where a program has one thread, as in WebAssembly: the work itself, where it looks at a
// stop signal. Everywhere else that is a thread's business.
#include <functional>

namespace countpm {

#ifdef COUNTPM_ONE_THREAD
inline constexpr bool one_thread = true;
#else
inline constexpr bool one_thread = false;
#endif

/// While it lives, look_out() calls `look`, which throws nothing, once in so many seconds at most. Only where
/// there is one thread; they end in the opposite order of their making.
class LookOut {
 public:
  LookOut(double seconds, std::function<void()> look);
  ~LookOut();
  LookOut(const LookOut&) = delete;
  LookOut& operator=(const LookOut&) = delete;

 private:
  friend void look_out();
  double seconds_;
  double next_;
  std::function<void()> look_;
  LookOut* before_;
};

/// Called wherever work looks at a stop signal, which takes some nanoseconds.
void look_out();

}  // namespace countpm
