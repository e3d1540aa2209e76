#pragma once
// What the samples of a launch are.
#include <cstdint>

namespace countpm {

/// Numbers first .. first + count - 1 of a stream, times 2^exponent.
struct SampleNumbers {
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;
  std::int64_t exponent = 0;
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

}  // namespace countpm
