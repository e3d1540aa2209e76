#pragma once
// The samplers of an estimate's blocks, the same on whatever machine they are made.
#include <cstdint>
#include <string>
#include <vector>

#include "src/api/estimate_result.hpp"
#include "src/machine/resources.hpp"
#include "src/sampling/sampling.hpp"

namespace countpm {

/// Of every block one, and beside it a second one as the options say (SecondOpinion). Throws as BlockSampler.
/// Gets ready on SpareThreads::here() threads.
std::vector<SampledBlock> make_samplers(const std::vector<AnyBlock>& hard, const EstimateOptions& options,
                                        std::uint64_t seed);

/// BlockSampler::plan of each with that of its second: everything that fixes the samples of all series beside
/// the seed.
std::vector<std::string> plans_of_series(const std::vector<SampledBlock>& sampled);

/// Number `series` of SampleBatch::series; null: there is none.
SampledBlock* series_of(std::vector<SampledBlock>& sampled, std::size_t series);
const SampledBlock* series_of(const std::vector<SampledBlock>& sampled, std::size_t series);

/// Lowers the threads to as many as the samplers have memory for. Throws UnableError where there is none for
/// one.
void fit_threads_to_samplers(const std::vector<SampledBlock>& sampled, Resources& resources,
                             std::vector<std::string>& notes);

}  // namespace countpm
