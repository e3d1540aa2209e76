#pragma once
// Samples by annealed importance sampling (estimate/annealed/walk.hpp), of any graph.
#include <cstdint>
#include <memory>

#include "kernels/estimate/samples/graph_sampler.hpp"
#include "kernels/estimate/samples/sampler_core.hpp"
#include "matching/block.hpp"

namespace countpm {

/// Learns the schedule, and draws pilot samples until one is long enough to be spread little, or as long as
/// one may be. Throws UnableError as make_sample_graph does, and for graphs whose samples would be far too
/// short; Stopped.
std::unique_ptr<const SamplerCore> make_annealed_sampler(const AnyBlock& block, std::uint64_t seed,
                                                         std::uint64_t stream);
/// The same samples' kind, with their matchings.
std::unique_ptr<const MatchingSampler> make_annealed_matchings(const AnyBlock& block, MatchingUse use,
                                                               std::uint64_t seed, std::uint64_t stream);

}  // namespace countpm
