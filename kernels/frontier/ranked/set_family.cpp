#include "kernels/frontier/ranked/set_family.hpp"

namespace countpm {

SetCounts::SetCounts(SetRule rule) : rule_(rule) {
  if (rule == SetRule::parity) return;
  table_.assign(std::size_t{row} * row, 0);
  table_[0] = 1;
  for (std::size_t n = 1; n < row; ++n) {
    table_[n * row] = 1;
    for (std::size_t k = 1; k <= n; ++k)
      table_[n * row + k] = table_[(n - 1) * row + k - 1] + table_[(n - 1) * row + k];
  }
}

std::uint64_t SetCounts::high_part(const SetFamily& family, std::uint32_t low, std::uint64_t rank) const {
  std::uint64_t high = 0;
  std::int64_t number = family.number;
  for (std::uint32_t bit = family.width; bit-- > low;) {
    const std::uint64_t without = (*this)(bit, number);
    high <<= 1U;
    if (rank < without) continue;
    rank -= without;
    number = rest(number, 1);
    high |= 1U;
  }
  return high;
}

const SetCounts& set_counts(SetRule rule) {
  static const SetCounts ones(SetRule::ones);
  static const SetCounts parity(SetRule::parity);
  return rule == SetRule::ones ? ones : parity;
}

}  // namespace countpm
