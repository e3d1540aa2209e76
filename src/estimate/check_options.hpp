#pragma once
// What may be asked of an estimate.
#include <vector>

#include "src/estimate/estimate.hpp"

namespace countpm {

/// Throws UsageError for values beyond their ranges and options that exclude each other or that the sampler
/// does not know; UnableError for what no GPU does.
void check_estimate_options(const EstimateOptions& options);
/// Those that the sampler knows; the others as if they had not been given.
SamplerOptions known_options(SamplerKind kind, SamplerOptions options);
/// Throws UsageError for an option that none of these samplers knows.
void check_compared_samplers(const std::vector<SamplerKind>& kinds, const SamplerOptions& options);

}  // namespace countpm
