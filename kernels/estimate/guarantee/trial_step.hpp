#pragma once
// One trial of RejectionTrials, step by step, for the CPU and GPUs alike: no allocation, no library call.
#include <cstdint>

#include "kernels/arithmetic/bit_operations.hpp"
#include "kernels/estimate/walks/strata.hpp"

namespace countpm {

/// A row in the column of a step: its share among the rows, and what the bound is multiplied by as the step
/// passes it.
struct TrialMove {
  double weight = 0;  // x / f(k+1); 0 for a row whose last entry this is
  double ratio = 1;   // f(k+1) / f(k); for a row whose last entry this is, x / f(k)
};

/// All steps of all trials; sets of rows have `words` words.
struct TrialTables {
  const TrialMove* move = nullptr;         // [step][row]
  const std::uint64_t* present = nullptr;  // [step]: the rows with an entry
  const std::uint64_t* last = nullptr;     // [step]: those whose last entry this is
  std::uint32_t size = 0;
  std::uint32_t words = 0;
};

/// The rows of both sets, ascending, as long as each(row) says so.
template <class Each>
COUNTPM_HD void for_rows(const std::uint64_t* rows, const std::uint64_t* present, std::uint32_t words,
                         const Each& each) {
  for (std::uint32_t w = 0; w < words; ++w) {
    for (std::uint64_t both = rows[w] & present[w]; both != 0; both &= both - 1) {
      if (!each(w * 64 + lowest_bit(both))) return;
    }
  }
}

/// How many of `rows` are among `last`, and one of them.
COUNTPM_HD inline unsigned forced_rows(const std::uint64_t* rows, const std::uint64_t* last,
                                       std::uint32_t words, std::uint32_t& row) {
  unsigned count = 0;
  for (std::uint32_t w = 0; w < words; ++w) {
    const std::uint64_t both = rows[w] & last[w];
    if (both == 0) continue;
    count += bit_count(both);
    row = w * 64 + lowest_bit(both);
  }
  return count;
}

/// Every row is left. Words: of tables.words where that is known when this is compiled, else 0.
template <unsigned Words>
COUNTPM_HD void begin_trial(const TrialTables& tables, std::uint64_t* rows) {
  const std::uint32_t words = Words > 0 ? Words : tables.words;
  for (std::uint32_t w = 0; w < words; ++w) rows[w] = ~std::uint64_t{0};
  if (tables.size % 64 != 0) rows[words - 1] = (std::uint64_t{1} << tables.size % 64) - 1;
}

/// Multiplies the product by the step's probability and takes a row out. False, with product 0, where the
/// product is then not above `least`: the trial is rejected. O(rows with an entry).
template <unsigned Words, class Random>
COUNTPM_HD bool trial_step(const TrialTables& tables, std::uint32_t step, std::uint64_t* rows, double least,
                           Random& random, double& product) {
  const std::uint32_t words = Words > 0 ? Words : tables.words;
  const TrialMove* const move = tables.move + std::size_t{step} * tables.size;
  const std::uint64_t* const present = tables.present + std::size_t{step} * words;
  std::uint32_t chosen = 0;
  const unsigned needy = forced_rows(rows, tables.last + std::size_t{step} * words, words, chosen);
  double sum = 0;
  double ratio = 1;
  if (needy <= 1) {
    for_rows(rows, present, words, [&](std::uint32_t i) {
      sum += move[i].weight;
      ratio *= move[i].ratio;
      return true;
    });
    product *= needy == 1 ? ratio : ratio * sum;
  }
  if (needy > 1 || !(product > least)) {
    product = 0;
    return false;
  }
  if (needy == 0) {
    const double wanted = uniform(random) * sum;
    double below = 0;
    for_rows(rows, present, words, [&](std::uint32_t i) {
      chosen = i;  // the last one, should rounding leave `wanted` beyond it
      below += move[i].weight;
      return below <= wanted;
    });
  }
  rows[chosen / 64] ^= std::uint64_t{1} << chosen % 64;
  return true;
}

/// What a product of the steps' probabilities must be above, lest the trial be rejected: the first number of
/// a trial.
template <class Random>
COUNTPM_HD double rejection_threshold(Random& random) {
  return (static_cast<double>(random.next()) + 0.5) * 0x1p-64;
}

}  // namespace countpm
