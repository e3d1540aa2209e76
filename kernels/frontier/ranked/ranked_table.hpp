#pragma once
// The values of a table without keys.
#include <cstdint>

#include "kernels/support/growing_buffer.hpp"

namespace countpm {

/// The lowest words of all, `stride` of them, then the next.
struct RankedTable {
  Buffer<std::uint64_t> values;
  std::uint64_t stride = 1;
};

}  // namespace countpm
