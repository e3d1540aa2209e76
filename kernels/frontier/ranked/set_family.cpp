#include "kernels/frontier/ranked/set_family.hpp"

namespace countpm {

std::vector<std::uint64_t> binomial_table(std::size_t rows) {
  std::vector<std::uint64_t> table(rows * rows, 0);
  for (std::size_t n = 0; n < rows; ++n) {
    table[n * rows] = 1;
    for (std::size_t k = 1; k <= n; ++k)
      table[n * rows + k] = table[(n - 1) * rows + k - 1] + table[(n - 1) * rows + k];
  }
  return table;
}

SetCounts::SetCounts(SetRule rule) : rule_(rule) {
  if (rule == SetRule::ones) table_ = binomial_table(row);
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
