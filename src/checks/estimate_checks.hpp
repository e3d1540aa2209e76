#pragma once
// The checks on an estimate, against what is certain of its blocks
// (kernels/estimate/bounds/certified_bounds.hpp).
#include "kernels/estimate/bounds/certified_bounds.hpp"
#include "src/checks/checks.hpp"

namespace countpm {

/// The bound that rejection accepts by is no less than the certified lower bound of its block.
void verify_nesting_bound(double log2_nesting, const CertifiedBounds& bounds, Checks& checks);

/// An interval of samples and the product of the certified bounds; all of them log10.
struct IntervalWithinBounds {
  double mean = 0;  // of the samples
  double low = 0;
  double high = 0;
  double least = 0;
  double most = 0;

  /// By chance, or because samples never met what weighs most: one more reason to doubt them.
  bool misses() const;
};

/// The mean is no more than a million times what the value is at most (by Markov's inequality that happens
/// once in a million, whatever the samples' law; else the sampler is wrong), and the interval meets the
/// certified bounds. Where the samples are in doubt the interval was made from these bounds, so that there is
/// nothing more to compare.
void verify_interval(const IntervalWithinBounds& interval, bool doubtful, Checks& checks);

}  // namespace countpm
