#include "kernels/hafnian/gpu/layout.hpp"

#include <algorithm>
#include <bit>
#include <optional>

namespace countpm::pair_sets {
namespace {

/// The groups of the last pairs. False: they are too many.
bool lay_out_groups(DeviceLayout& layout, const PairShape& shape) {
  if (layout.lower() > most_lower) return false;
  unsigned sets = 1;
  std::vector<SignedWeight> weight(1);
  for (unsigned first = layout.upper; first < shape.pairs; first = shape.group_end[first]) {
    const unsigned end = shape.group_end[first];
    for (unsigned pair = first; pair < end; ++pair) {
      layout.lower_copies[pair - layout.upper] = static_cast<unsigned char>(end - first);
      layout.lower_start[pair - layout.upper] = static_cast<unsigned char>(first - layout.upper);
      layout.lower_sets[pair - layout.upper] = static_cast<unsigned char>(sets);
    }
    if (end == shape.pairs) break;  // the last pair is in every set
    sets *= end - first + 1;
    if (sets > most_together) return false;
    std::vector<SignedWeight> next;
    for (const SignedWeight& before : weight) {
      for (unsigned left = 0; left <= end - first; ++left) {
        next.push_back(before);
        next.back().decide(end - first, left);
      }
    }
    weight = std::move(next);
  }
  for (unsigned set = 0; set < sets; ++set) {
    layout.together_weight[set] = static_cast<std::uint32_t>(weight[set].weight);
    if (weight[set].negative) layout.together_minus |= 1U << set;
  }
  return true;
}

/// Empty where so many last pairs have too many sets.
std::optional<DeviceLayout> layout_with(const Pairing& pairing, unsigned lower, unsigned value_bytes) {
  const PairShape& shape = pairing.shape;
  DeviceLayout layout;
  layout.value_bytes = value_bytes;
  layout.pairs = shape.pairs;
  layout.monomers = shape.monomers;
  layout.upper = shape.pairs - lower;
  if (!lay_out_groups(layout, shape)) return std::nullopt;
  for (unsigned pair = 0; pair < layout.upper; pair = shape.group_end[pair])
    layout.group_start[layout.groups++] = static_cast<unsigned char>(pair);
  layout.group_start[layout.groups] = static_cast<unsigned char>(layout.upper);
  for (unsigned level = 0; level <= shape.pairs; ++level)
    layout.length[level] = static_cast<unsigned char>(shape.reach(level) + 1);
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
    const std::uint32_t count = depth == 0 ? 1 : layout.lower_sets[depth - 1];
    layout.shared_matrix[depth] =
        take(count * layout.polynomials[layout.upper + depth] * layout.shared_stride);
    layout.shared_product[depth] = take(count * layout.shared_stride);
  }
  if (layout.monomers != 0) layout.shared_closing = take(layout.totals() * layout.shared_stride);
  layout.shared_values = at;
  return layout;
}

}  // namespace

DeviceLayout device_layout(const Pairing& pairing, std::uint64_t shared_bytes, unsigned value_bytes) {
  std::optional<DeviceLayout> chosen = layout_with(pairing, 1, value_bytes);
  std::vector<unsigned> starts;
  for (unsigned pair = pairing.decided; pair + 1 < pairing.shape.pairs; pair = pairing.shape.group_end[pair])
    starts.push_back(pair);
  while (!starts.empty()) {
    std::optional<DeviceLayout> more = layout_with(pairing, pairing.shape.pairs - starts.back(), value_bytes);
    if (!more || more->shared_bytes() > shared_bytes) break;
    chosen = more;
    starts.pop_back();
  }
  return *chosen;
}

std::uint64_t DeviceLayout::items_from(unsigned first) const {
  std::uint64_t items = 1;
  for (unsigned group = 0; group < groups; ++group) {
    if (group_start[group] >= first) items *= copies(group) + 1;
  }
  return items;
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
