#pragma once
// Samples of a block as a graph: of those with odd cycles, with vertices that may stay alone, and of others
// by samplers that do not ask for rows and columns.
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

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

/// By `boundary`, where its pilot samples take less time until the mean is known (work_to_goal) than `best`,
/// which another sampler would take; null: they do not, the states of one bond would take more nanoseconds
/// than `most_preparation`, or the graph is too wide.
struct SteadierSampler {
  std::unique_ptr<const SamplerCore> core;
  double work_to_goal = std::numeric_limits<double>::infinity();
};
SteadierSampler make_steadier_sampler(const AnyBlock& block, double best, double most_preparation,
                                      std::uint64_t seed, std::uint64_t stream);

/// A matching as pairs of the sampled graph's vertices, (v, v) for one alone; of a bipartite block its rows
/// come first, then its columns.
using VertexPairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Samples with the matchings that they are the weights of: for what depends on these.
class MatchingSampler {
 public:
  virtual ~MatchingSampler() = default;
  virtual SamplerKind kind() const = 0;
  /// As BlockSampler::work.
  virtual double work() const = 0;
  /// Calls take(ln of the weight, matching) for samples first .. first + count - 1 in turn, until it says
  /// false; -infinity, and part of a matching, for one of weight 0. The mean of weight times f(matching) is
  /// the sum, over all matchings, of what each counts times f. Thread-safe. Throws Stopped.
  virtual void draw(std::uint64_t first, std::uint64_t count, const StopSignal& stop,
                    const std::function<bool(double, const VertexPairs&)>& take) const = 0;
};

/// What samples with their matchings are for. Draws: a few of them are kept, by their weights.
enum class MatchingUse { means, draws };

/// By `boundary`, `bethe` or `annealed` of the graph, also of a bipartite one; empty: as make_graph_sampler
/// chooses. Throws UnableError for other samplers, and as make_sample_graph does.
std::unique_ptr<const MatchingSampler> make_matching_sampler(const AnyBlock& block,
                                                             std::optional<SamplerKind> kind,
                                                             std::uint64_t seed, std::uint64_t stream,
                                                             MatchingUse use = MatchingUse::means);

}  // namespace countpm
