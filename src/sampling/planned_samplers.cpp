#include "src/sampling/planned_samplers.hpp"

#include <fmt/format.h>

#include <utility>

#include "graph/errors.hpp"
#include "src/api/version.hpp"
#include "src/input/asked_kinds.hpp"
#include "src/sampling/make_samplers.hpp"
#include "src/sampling/split_blocks.hpp"
#include "src/structure/analysis.hpp"
#include "src/structure/instance_to_count.hpp"

namespace countpm {

std::optional<GraphToSample> graph_to_sample(ReadResult read, const CountOptions& options, Monitor& monitor) {
  const Poll poll = [&monitor] { monitor.throw_if_stopped(); };
  refuse_kinds(GraphQuestion::estimate, read.graph, read.info, options);
  const Instance instance = instance_to_count(std::move(read.graph), options);
  std::vector<std::string> notes;
  const Analysis analysis = analyse(instance, read.info, poll, notes, options.matchings);
  if (analysis.violator) return std::nullopt;
  return GraphToSample{instance.weight_kind, reduce_blocks(instance, analysis, options.rules, poll)};
}

void refuse_other_plan(const JournalHeader& plan, const CountOptions& options, const std::string& who) {
  if (plan.version != version())
    throw UsageError(fmt::format("{} has countpm {}, and the estimate is led by countpm {}", who, version(),
                                 plan.version));
  if (!plan.estimate) throw UsageError(who + " was to draw samples, and the plan is a count's");
  if (plan.estimate->seed != options.seed)
    throw UsageError(
        fmt::format("{} has seed {}, and the estimate seed {}", who, options.seed, plan.estimate->seed));
}

std::vector<SampledBlock> planned_samplers(GraphToSample graph, const JournalHeader& plan,
                                           const EstimateOptions& options, std::uint64_t seed) {
  const std::vector<AnyBlock> hard =
      sampled_as_before(std::move(graph.reduced), plan.blocks, graph.weight_kind, "the plan");
  return make_samplers(hard, options, seed);
}

void check_samplers(const std::vector<SampledBlock>& own, const JournalHeader& plan, const std::string& who) {
  const std::vector<std::string> here = plans_of_series(own);
  const std::vector<const JournalSampling*> wanted = plan.samplings();
  for (std::size_t k = 0; k < here.size(); ++k) {
    if (here[k] != wanted.at(k)->sampler)
      throw UsageError(fmt::format("{} would draw samples by {}, and the estimate is of samples by {}", who,
                                   here[k], wanted[k]->sampler));
  }
}

}  // namespace countpm
