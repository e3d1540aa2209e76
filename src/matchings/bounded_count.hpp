#pragma once
// A count for deciding whether a branch can be skipped: up to 2^64 - 1, and only where it is found quickly.
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "graph/sparse_matrix.hpp"

namespace countpm {

/// The permanent of the submatrix of the given rows and the columns for which `has_column`, cut at 2^64 - 1;
/// empty where it would take more than 64 columns at a time or 2^14 states. Row by row, in breadth-first
/// order; a state is the set of used columns among those that have been touched and are still needed, its
/// value the number of ways to it. O(states * entries).
std::optional<std::uint64_t> bounded_count(const SparsePattern& pattern, const std::vector<Index>& rows,
                                           const std::function<bool(Index)>& has_column);

}  // namespace countpm
