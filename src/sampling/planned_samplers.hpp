#pragma once
// The samplers of an estimate that another process leads: of its plan, made again of the same graph.
#include <optional>
#include <string>
#include <vector>

#include "src/api/estimate_result.hpp"
#include "src/sampling/sampling.hpp"
#include "src/structure/blocks.hpp"

namespace countpm {

/// A graph as far as an estimate is the same whoever leads it.
struct GraphToSample {
  WeightKind weight_kind = WeightKind::none;
  ReducedInstance reduced;
};
/// Empty: it has no perfect matching, so that there is nothing to draw. Throws as estimate() does.
std::optional<GraphToSample> graph_to_sample(ReadResult read, const CountOptions& options, Monitor& monitor);

/// Throws UsageError where the plan is of another version or of another seed than the options'. who: "this
/// rank".
void refuse_other_plan(const JournalHeader& plan, const CountOptions& options, const std::string& who);

/// Of the plan's blocks, as SampleCrew::share_blocks() tells of them. Throws InputError where the graph here
/// has others.
std::vector<SampledBlock> planned_samplers(GraphToSample graph, const JournalHeader& plan,
                                           const EstimateOptions& options, std::uint64_t seed);
/// Throws UsageError where these would draw other samples than those of SampleCrew::share_samplers().
void check_samplers(const std::vector<SampledBlock>& own, const JournalHeader& plan, const std::string& who);

}  // namespace countpm
