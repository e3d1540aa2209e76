#pragma once
// Time and clock for the benchmarks.
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace countpm::bench {

/// CPU seconds of the calling thread: what other processes take does not count.
inline double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Of all threads of this process.
inline double process_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline double wall_seconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 != 0 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Clock frequency in Hz: a chain of dependent additions runs at one a cycle on every processor we know.
inline double clock_hertz() {
  constexpr std::uint64_t additions = 200'000'000;
  std::uint64_t sum = 1;
  const double start = thread_seconds();
  for (std::uint64_t i = 0; i < additions; i += 8) {
#define COUNTPM_ADD asm volatile("add $1, %0" : "+r"(sum));
    COUNTPM_ADD COUNTPM_ADD COUNTPM_ADD COUNTPM_ADD COUNTPM_ADD COUNTPM_ADD COUNTPM_ADD COUNTPM_ADD
#undef COUNTPM_ADD
  }
  return static_cast<double>(additions) / (thread_seconds() - start);
}

}  // namespace countpm::bench
