#pragma once
// What all samples of a population sampler share: the order of the rows, where each live column has its bit,
// and how much a used column is expected to matter.
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/estimate/population/guess_factors.hpp"
#include "kernels/estimate/samples/sample_matrix.hpp"

namespace countpm {

/// A state after t rows is the set of the live columns (those with a row among the first t and one after
/// them) that these rows used; its rest is the permanent of the rows and columns left. h_t(state), the
/// product of 1 / u_t(j) over its used live columns j, is the guess for its rest up to a constant: u_t(j) is
/// the sum of r_i a_ij over the rows i left, r Sinkhorn's row factors of the whole matrix. Any positive u
/// leaves samples unbiased.
struct PopulationPlan {
  struct Entry {
    std::uint32_t bit = 0;  // of the column
    bool last = false;      // the column has no row after this one
    double taken = 1;       // a_ij h_t(state with j) / h_t(state without j)
    double kept = 1;        // h_t / h_{t-1} of a state that had used j before
  };

  std::vector<std::uint32_t> row;          // in the order of the steps
  std::vector<std::uint64_t> first_entry;  // of every step; one more
  std::vector<Entry> entries;
  std::uint32_t width = 0;  // the most live columns, with those of the step
  std::uint32_t highest_degree = 0;
  GuessFactors fitted;  // h is multiplied by these, where there are any (fit_guess.hpp)

  std::size_t steps() const { return row.size(); }
};

/// Rows in the best of some greedy orders and breadth-first ones: the least sum of log2 of the states that
/// each step admits; entries in no perfect matching are left out. Nothing where more than `most_width`
/// columns are live at a time. O(entries) an order. `row_factor` are the positive r of the matrix, which is
/// the block's.
std::optional<PopulationPlan> plan_population(const AnyBlock& block, const SampleMatrix& matrix,
                                              const std::vector<double>& row_factor,
                                              std::uint32_t most_width);

}  // namespace countpm
