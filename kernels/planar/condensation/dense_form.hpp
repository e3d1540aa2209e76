#pragma once
// A dense matrix as condensation on GPUs is given it: its size, and the entries other than zero.
#include <cstdint>

namespace countpm {

struct DenseForm {
  std::uint32_t size = 0;
  bool skew = false;
};

/// Value number signed_value / 2, negated where signed_value is odd. Skew-symmetric: row < column.
struct CondensationEntry {
  std::uint32_t row;
  std::uint32_t column;
  std::uint32_t signed_value;
};

}  // namespace countpm
