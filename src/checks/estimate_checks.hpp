#pragma once
// The checks on an estimate, against what is certain of its blocks
// (kernels/estimate/bounds/certified_bounds.hpp).
#include "kernels/estimate/bounds/certified_bounds.hpp"
#include "src/checks/checks.hpp"

namespace countpm {

/// The bound that rejection accepts by is no less than the certified lower bound of its block.
void verify_nesting_bound(double log2_nesting, const CertifiedBounds& bounds, Checks& checks);

/// The interval that the samples gave, from `low` to `high`, meets the product of the certified bounds, from
/// `least` to `most`; all of them log10. Where the samples are in doubt the interval was made from these
/// bounds, so that there is nothing to compare.
void verify_interval(double low, double high, double least, double most, bool doubtful, Checks& checks);

}  // namespace countpm
