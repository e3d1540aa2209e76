#pragma once
// What planning does on several threads at once.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

#include "graph/errors.hpp"
#include "src/machine/startable_threads.hpp"

namespace countpm {

/// work(k) for 0 <= k < count, which throws nothing, on that many threads at most, this one among them; what
/// no thread can be started for is done by those that there are.
template <class Work>
void do_side_by_side(std::size_t count, std::size_t threads, const Work& work) {
  std::atomic<std::size_t> next{0};
  const auto take = [&] {
    for (std::size_t k = next++; k < count; k = next++) work(k);
  };
  std::vector<std::thread> others;
  others.reserve(std::min(count, threads));
  try {
    while (others.size() + 1 < std::min(count, threads)) others.push_back(start_thread(take));
  } catch (const UnableError&) {
    // Fewer, then.
  }
  take();
  for (std::thread& other : others) other.join();
}

}  // namespace countpm
