#pragma once
// What is reported of a sampled block.
#include "src/estimate/estimate.hpp"
#include "src/estimate/sampling.hpp"

namespace countpm {

EstimatedBlock report_block(const SampledBlock& sampled, const AnyBlock& block, double confidence,
                            int threads);

}  // namespace countpm
