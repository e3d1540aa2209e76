#pragma once
// What is reported of a sampled block.
#include <string>
#include <vector>

#include "src/estimate/estimate.hpp"
#include "src/sampling/sampling.hpp"

namespace countpm {

EstimatedBlock report_block(const SampledBlock& sampled, const AnyBlock& block, double confidence,
                            int threads);

/// The samplers of all blocks, each once.
std::string sampler_names(const std::vector<SampledBlock>& sampled);

}  // namespace countpm
