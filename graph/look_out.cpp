#include "graph/look_out.hpp"

#include <utility>

#include "graph/clock.hpp"

namespace countpm {
namespace {

// Signals are looked at every few microseconds in some loops, and every 50 ms in others; the clock takes
// longer than that. Where looks are close together the clock is read at every 16th.
constexpr double close_seconds = 1e-5;
constexpr int most_skipped = 15;

LookOut* last = nullptr;
bool looking = false;
int skipped = 0;
int to_skip = 0;
double clock_read_at = 0;

}  // namespace

LookOut::LookOut(double seconds, std::function<void()> look)
    : seconds_(seconds),
      next_(seconds_now() + seconds),
      look_(std::move(look)),
      before_(std::exchange(last, this)) {}

LookOut::~LookOut() {
  last = before_;
}

void look_out() {
  if (last == nullptr || looking || skipped++ < to_skip) return;
  const double now = seconds_now();
  to_skip = now - clock_read_at < close_seconds * skipped ? most_skipped : 0;
  skipped = 0;
  clock_read_at = now;
  looking = true;
  for (LookOut* one = last; one != nullptr; one = one->before_) {
    if (now < one->next_) continue;
    one->look_();
    one->next_ = now + one->seconds_;
  }
  looking = false;
}

}  // namespace countpm
