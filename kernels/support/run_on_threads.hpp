#pragma once
// The same work on several threads, which share it as it sees fit.
#include <cstdint>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "graph/stop_signal.hpp"

namespace countpm {

/// Calls work(), which throws nothing, on so many threads, this one among them, and waits for all;
/// check_stop() looks at the caller's signal in each. On fewer threads where the system starts no more.
template <class Work>
void run_on_threads(std::uint64_t threads, const Work& work) {
  const StopSignal* const stop = current_stop_signal();
  const auto scoped = [&work, stop] {
    const StopScope scope(stop);
    work();
  };
  std::vector<std::jthread> others;
  others.reserve(threads);
  try {
    while (others.size() + 1 < threads) others.emplace_back(scoped);
  } catch (const std::system_error&) {
    // Fewer, then.
  } catch (const std::bad_alloc&) {
    // The same.
  }
  scoped();
}  // joins

}  // namespace countpm
