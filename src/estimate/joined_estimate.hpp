#pragma once
// The blocks' samples become one estimate.
#include <vector>

#include "kernels/estimate/bounds/certified_bounds.hpp"
#include "src/api/estimate_result.hpp"
#include "src/checks/checks.hpp"
#include "src/sampling/sampling.hpp"

namespace countpm {

/// What a mean says with this confidence, within certain bounds, `least` and `most`; an
/// interval that misses them is in doubt. Adds the check of both. All of them log10, and of the mean times
/// 10^exact_log10. Estimate::seed and the numbers of samples are left open.
Estimate estimate_of_mean(const SampledMean& mean, double exact_log10, double least, double most,
                          double confidence, Checks& checks);

/// The product of what was counted and of the blocks' means, with an interval within the product of the
/// bounds, which are of the blocks in turn; the same check. Estimate::seed is left open.
Estimate joined_estimate(double exact_log10, const std::vector<SampledBlock>& sampled,
                         const std::vector<CertifiedBounds>& bounds_of, double confidence, Checks& checks);

}  // namespace countpm
