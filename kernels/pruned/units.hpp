#pragma once
// What fixes the units of a pruned job, as text and back (Job::plan).
#include <string>
#include <string_view>

#include "kernels/pruned/tree.hpp"

namespace countpm {

/// The tree, the level at which its prefixes are listed, and among how many units they are dealt out.
template <class Int>
struct PrunedUnits {
  bool transposed = false;
  PrunedPlan<Int> plan;
  std::size_t prefix_levels = 0;
  std::uint64_t units = 1;
};

template <class Int>
std::string to_text(const PrunedUnits<Int>& units);

/// Throws PlanError where the text is none. Whether it fits the columns: check_fits().
template <class Int>
PrunedUnits<Int> pruned_units_from(std::string_view text);

/// Throws PlanError where the plan is none of these columns.
template <class Int>
void check_fits(const PrunedPlan<Int>& plan, const IntegerColumns<Int>& columns);

}  // namespace countpm
