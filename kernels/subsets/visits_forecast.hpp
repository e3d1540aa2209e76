#pragma once
// How many subsets skipper will visit: population sampling of the tree of prefixes that the jumps prune.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/subsets/prefixes.hpp"

namespace countpm {

/// The columns' order for plan_subsets, most often flipped first. O(n^2 + entries).
template <class Int>
std::vector<Index> skip_order(const IntegerColumns<Int>& columns);

/// log2 of the number of visited subsets over all units, sampled: columns are decided from the slowest to the
/// fastest, a prefix dies (one visit) when a row whose last column was decided is zero, and at most
/// `population` prefixes a column go on, each standing for more. Row sums modulo 2^64: wider values can only
/// mistake a sum for zero with probability about 2^-64. The population is such that about 2^24 sums are
/// looked at. O(population * rows * columns) time; finite for every block.
template <class Int>
double forecast_log2_visits(const IntegerColumns<Int>& columns, const SubsetPlan& plan, std::uint64_t seed);

/// Why the methods that order columns this way refuse a block of so many rows; empty where they do not.
std::optional<Refusal> too_many_rows_to_order(Index rows);

}  // namespace countpm
