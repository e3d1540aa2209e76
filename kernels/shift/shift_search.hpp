#pragma once
// The search for a good ShiftPlan.
#include <cstdint>

#include "kernels/method.hpp"
#include "kernels/shift/prune_tree.hpp"

namespace countpm {

/// A first plan in next to no time: columns row by row, the row with the fewest open columns next; classes of
/// equal columns first; x about half of each row sum, spread. O(n^2 + entries).
template <class Int>
ShiftPlan<Int> first_plan(const IntegerColumns<Int>& columns, unsigned most_tail, std::uint64_t seed);

}  // namespace countpm
