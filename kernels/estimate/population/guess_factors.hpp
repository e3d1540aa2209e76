#pragma once
// The fitted part of a population's guess, as tables of what a step multiplies priorities by: fit_guess.hpp
// says where they come from.
//
// A step knows a state by its near columns, those that any of the step's factors is about, as bits in the
// order of `near`: at most 64. A factor counts where a state has used all its columns. Factors are powers of
// two, whose exponents are integers in units of 2^-16: sums of them are exact in any order, and what a factor
// brings in one step it takes out in another one.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kernels/arithmetic/host_device.hpp"

namespace countpm {

constexpr int guess_unit_bits = 16;

/// 2^(exponent / 2^16).
class GuessPowers {
 public:
  GuessPowers();
  /// Precondition: |exponent| < 1000 * 2^16.
  double operator()(std::int32_t exponent) const { return power(table_.data(), exponent); }
  /// The same by a copy of table().
  static COUNTPM_HD double power(const double* table, std::int32_t exponent) {
    const auto whole = static_cast<std::uint64_t>((exponent >> guess_unit_bits) + 1023) << 52;
    double power = 0;
    memcpy(&power, &whole, sizeof power);
    return power * (table[exponent >> 8 & 255] * table[256 + (exponent & 255)]);
  }
  const std::array<double, 512>& table() const { return table_; }

 private:
  std::array<double, 512> table_;  // of 2^(k / 2^8), then of 2^(k / 2^16)
};

/// The sum of the exponents of those factors whose columns are all used: of a factor k the columns low[k] and
/// high[k] of 32 near ones each. A loop without branches, which compilers turn into one over vectors.
COUNTPM_HD inline std::int32_t guess_sum(const std::uint32_t* low, const std::uint32_t* high,
                                         const std::int32_t* exponent, std::uint64_t count,
                                         std::uint64_t used) {
  const auto unused_low = static_cast<std::uint32_t>(~used);
  const auto unused_high = static_cast<std::uint32_t>(~used >> 32);
  std::int32_t sum = 0;
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::uint32_t missing = (low[k] & unused_low) | (high[k] & unused_high);
    sum += exponent[k] & -static_cast<std::int32_t>(missing == 0);
  }
  return sum;
}

struct GuessFactorList {
  std::vector<std::uint32_t> low;
  std::vector<std::uint32_t> high;
  std::vector<std::int32_t> exponent;
  std::vector<std::uint64_t> first;  // of every step or entry; one more

  void add(std::uint64_t columns, std::int32_t of_factor) {
    low.push_back(static_cast<std::uint32_t>(columns));
    high.push_back(static_cast<std::uint32_t>(columns >> 32));
    exponent.push_back(of_factor);
  }
  std::int32_t sum(std::size_t at, std::uint64_t used) const {
    return guess_sum(low.data() + first[at], high.data() + first[at], exponent.data() + first[at],
                     first[at + 1] - first[at], used);
  }
};

struct GuessFactors {
  static constexpr std::uint32_t most_near = 64;

  std::vector<std::uint32_t> near;        // bits of columns (PopulationPlan::Entry)
  std::vector<std::uint64_t> first_near;  // of every step; one more
  GuessFactorList of_steps;               // whatever column a state takes
  GuessFactorList of_entries;             // where a state takes the entry's column

  bool empty() const { return first_near.empty(); }

  /// The near columns of the step that a state has used. `has(bit)`: whether it has.
  template <class Has>
  std::uint64_t near_used(std::size_t step, const Has& has) const {
    const std::uint32_t* bits = near.data() + first_near[step];
    const auto count = static_cast<unsigned>(first_near[step + 1] - first_near[step]);
    std::uint64_t used = 0;
    for (unsigned k = 0; k < count; ++k) used |= static_cast<std::uint64_t>(has(bits[k]) ? 1 : 0) << k;
    return used;
  }
};

}  // namespace countpm
