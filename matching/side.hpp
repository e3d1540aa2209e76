#pragma once
// Rules are written once for "lines": rows or columns. What is said of a line and the lines that cross it
// holds on both sides.
#include <cstddef>
#include <cstdint>

namespace countpm {

enum class Side : std::uint8_t { rows, columns };

constexpr Side other(Side side) {
  return side == Side::rows ? Side::columns : Side::rows;
}
constexpr std::size_t index_of(Side side) {
  return static_cast<std::size_t>(side);
}

}  // namespace countpm
