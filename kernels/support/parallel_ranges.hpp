#pragma once
// A loop over 0 .. count - 1 in chunks, on several threads, for the tables of wide jobs.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>

#include "graph/stop_signal.hpp"
#include "kernels/support/run_on_threads.hpp"

namespace countpm {

/// Calls call(first, last) for consecutive chunks until all are done or one has thrown; that exception is
/// thrown here. check_stop() looks at the caller's signal in all threads, before every chunk too. One thread
/// where there are fewer than two chunks; what no thread can be started for is done by those that there are.
template <class Call>
void parallel_ranges(int threads, std::uint64_t count, std::uint64_t chunk, const Call& call) {
  std::atomic<std::uint64_t> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      for (std::uint64_t first = next.fetch_add(chunk);
           first < count && !failed.load(std::memory_order_relaxed); first = next.fetch_add(chunk)) {
        check_stop();
        call(first, std::min(count, first + chunk));
      }
    } catch (...) {
      if (!failed.exchange(true)) failure = std::current_exception();
    }
  };
  const std::uint64_t chunks = (count + chunk - 1) / chunk;
  run_on_threads(std::min(static_cast<std::uint64_t>(std::max(threads, 1)), chunks), work);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace countpm
