#include "apps/limit_watch.hpp"

#include <chrono>
#include <utility>

#include "graph/look_out.hpp"
#include "src/machine/startable_threads.hpp"

namespace countpm::app {

LimitWatch::LimitWatch(double seconds, std::function<void()> end) {
  if constexpr (one_thread) return;
  thread_ = start_thread([this, seconds, end = std::move(end)] { watch(seconds, end); });
}

LimitWatch::~LimitWatch() {
  begun();
  if (thread_.joinable()) thread_.join();
}

void LimitWatch::begun() {
  const std::lock_guard lock(mutex_);
  over_ = true;
  wake_.notify_all();
}

void LimitWatch::watch(double seconds, const std::function<void()>& end) {
  std::unique_lock lock(mutex_);
  if (!wake_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return over_; })) end();
}

}  // namespace countpm::app
