#pragma once
// What may be asked of an estimate.
#include "src/estimate/estimate.hpp"

namespace countpm {

/// Throws UsageError for values beyond their ranges and options that exclude each other or that the sampler
/// does not know; UnableError for what no GPU does.
void check_estimate_options(const EstimateOptions& options);

}  // namespace countpm
