#include "kernels/support/for_parts.hpp"

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>

namespace countpm {

void for_parts(std::size_t count, int threads, const StopSignal& stop,
               const std::function<void(std::size_t)>& body) {
  std::exception_ptr failure;
  std::mutex mutex;
  std::atomic<bool> failed{false};
  const auto parts = static_cast<std::int64_t>(count);
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1 && parts > 1)
  for (std::int64_t part = 0; part < parts; ++part) {
    if (stop.requested() || failed.load(std::memory_order_relaxed)) continue;
    const StopScope scope(&stop);
    try {
      body(static_cast<std::size_t>(part));
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
      failed = true;
    }
  }
  if (failure) std::rethrow_exception(failure);
  stop.check();
}

}  // namespace countpm
