#pragma once
// Samples of a block as a graph: of those with odd cycles, with vertices that may stay alone, and of others
// by samplers that do not ask for rows and columns.
#include <memory>

#include "kernels/estimate/samples/sampler_core.hpp"
#include "matching/block.hpp"

namespace countpm {

/// Whether make_graph_sampler makes the block's samples.
bool drawn_as_graph(const AnyBlock& block, const SamplerOptions& options);

/// By `boundary` (estimate/boundary/) or `bethe` (estimate/bethe/general_walk.hpp). Where neither is asked
/// for the one whose pilot samples say more in the same time. Throws UnableError for other samplers, for
/// exact tails, and as make_sample_graph and choose_boundary do.
std::unique_ptr<const SamplerCore> make_graph_sampler(const AnyBlock& block, const SamplerOptions& options,
                                                      std::uint64_t seed, std::uint64_t stream);

/// By `boundary`, where its pilot samples say more in the same time than those of another sampler, of which
/// the square of their spread times the work of one is given; null: they do not, or the graph is too wide.
std::unique_ptr<const SamplerCore> make_steadier_sampler(const AnyBlock& block, double spread_and_work,
                                                         std::uint64_t seed, std::uint64_t stream);

}  // namespace countpm
