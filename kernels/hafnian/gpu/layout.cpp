#include "kernels/hafnian/gpu/layout.hpp"

#include <algorithm>

namespace countpm::pair_sets {
namespace {

DeviceLayout layout_with(const Pairing& pairing, unsigned lower, unsigned value_bytes) {
  const PairShape& shape = pairing.shape;
  DeviceLayout layout;
  layout.value_bytes = value_bytes;
  layout.pairs = shape.pairs;
  layout.monomers = shape.monomers;
  layout.upper = shape.pairs - lower;
  for (unsigned level = 0; level < shape.pairs; ++level) {
    layout.vertices[level] = shape.vertices(level);
    layout.polynomials[level] = shape.polynomials(level);
  }
  // Degrees 0 .. pairs - 1 at the most: coefficients in blocks of four.
  const unsigned room = (shape.pairs + 3) / 4 * 4;
  layout.stride = room + margin;
  std::uint32_t at = margin;
  const auto take = [&at](std::uint32_t values) {
    const std::uint32_t place = at;
    at += values;
    return place;
  };
  for (unsigned level = 1; level <= layout.upper; ++level) {
    layout.matrix[level] = take(layout.polynomials[level] * layout.stride);
    layout.product[level] = take(layout.stride);
  }
  layout.closing = take(layout.stride);
  layout.values = at;

  layout.shared_stride = layout.stride | 1U;
  at = margin;
  for (unsigned depth = 0; depth < lower; ++depth) {
    const std::uint32_t count = depth == 0 ? 1 : 1U << (depth - 1);
    layout.shared_matrix[depth] =
        take(count * layout.polynomials[layout.upper + depth] * layout.shared_stride);
    layout.shared_product[depth] = take(count * layout.shared_stride);
  }
  if (layout.monomers != 0) layout.shared_closing = take((1U << (lower - 1)) * layout.shared_stride);
  layout.shared_values = at;
  return layout;
}

}  // namespace

DeviceLayout device_layout(const Pairing& pairing, std::uint64_t shared_bytes, unsigned value_bytes) {
  unsigned lower = std::min(most_lower, pairing.shape.pairs - pairing.decided);
  while (lower > 1 && layout_with(pairing, lower, value_bytes).shared_bytes() > shared_bytes) --lower;
  return layout_with(pairing, lower, value_bytes);
}

std::vector<std::uint16_t> entry_table(unsigned vertices) {
  std::vector<std::uint16_t> table;
  for (unsigned row = 1; row < vertices; ++row) {
    for (unsigned column = 0; column < row; ++column)
      table.push_back(static_cast<std::uint16_t>(row << 8 | column));
  }
  return table;
}

}  // namespace countpm::pair_sets
