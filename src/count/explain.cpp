// Everything that a count would do, and what it would cost, without counting.
#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/arithmetic/bound.hpp"
#include "src/api/entries.hpp"
#include "src/checks/checks.hpp"
#include "src/count/bounds.hpp"
#include "src/input/with_graph.hpp"
#include "src/matchings/passes.hpp"
#include "src/matchings/pattern_stages.hpp"
#include "src/number/number.hpp"
#include "src/plan/plan.hpp"
#include "src/plan/planned_block.hpp"
#include "src/structure/analysis.hpp"
#include "src/structure/blocks.hpp"

namespace countpm {
namespace {

// The largest blocks have every method's rate measured; that takes some 0.1 s a block.
constexpr std::size_t measured_blocks = 16;

// So many of the largest blocks, of most_entries_to_bound entries in all, have certified bounds: about a
// second.
constexpr std::size_t bounded_blocks = 64;

Explanation explain_with(Monitor& monitor, ReadResult read, const CountOptions& options,
                         const PatternSink& patterns) {
  Explanation result;
  summarise_input(read.graph, read.info, result);
  monitor.enter("looking at the graph's structure");
  const Instance instance = to_instance(std::move(read.graph));
  result.problem = instance.problem;
  result.rows = instance.pattern.rows;
  result.columns = instance.pattern.columns;
  result.notes = report_notes(instance, result.input);
  const Poll poll = [&monitor] { monitor.throw_if_stopped(); };
  Analysis analysis = analyse(instance, result.input, poll, result.notes);
  if (patterns) {
    patterns(explained(monitor, [&] {
      return pattern_stages(instance, analysis, options.order, options.seed, monitor.stop_signal());
    }));
  }
  result.matching_size = analysis.matching_size;
  if (analysis.violator) {
    result.violator = std::move(analysis.violator);
    result.reductions = report_rules({});
    result.log10_total_seconds = -std::numeric_limits<double>::infinity();
    return result;
  }
  result.structure_blocks = analysis.blocks;
  result.entries_dropped = analysis.entries_dropped;

  monitor.enter("reducing the graph");
  const ReducedInstance reduced = reduce_blocks(instance, analysis, options.rules, poll);
  result.reductions = report_rules(reduced.tally);
  const NumberArithmetic arithmetic = number_arithmetic(instance.weight_kind, options);
  Number factor = to_number(reduced.factor, arithmetic);
  const Resources resources = resources_for(options);
  add_notes(resources, result.notes);
  PlanRequest request;
  request.candidates.method = options.method;
  std::vector<const AnyBlock*> rest;
  for (const ReducedBlock& block : reduced.blocks) {
    multiply(factor, to_number(block.factor, arithmetic), arithmetic);
    for (const AnyBlock& left : block.reduced) rest.push_back(&left);
  }
  result.factor = to_string(factor);
  enter_planning(reduced.blocks, monitor);
  std::stable_sort(rest.begin(), rest.end(),
                   [](const AnyBlock* a, const AnyBlock* b) { return rows_of(*a) > rows_of(*b); });
  std::uint64_t entries = 0;
  for (const AnyBlock* block : rest) {
    monitor.throw_if_stopped();
    request.candidates.ask_all = result.blocks.size() < measured_blocks;
    request.block = result.blocks.size() + 1;
    request.blocks = rest.size();
    const BlockPlan plan = plan_block(*block, instance.weight_kind, options, resources, request, monitor);
    if (plan.seconds > options.time_limit_seconds - monitor.elapsed()) request.search = false;
    result.blocks.push_back(plan.forecast);
    entries += entries_of(*block);
    if (entries <= most_entries_to_bound && result.blocks.size() <= bounded_blocks && !has_negative(*block))
      result.blocks.back().bounds = bounds_of(*block);
  }
  if (options.interrupted && options.interrupted()) throw InterruptedError("interrupted");
  result.log10_total_seconds = log10_total_seconds(result.blocks);
  result.feasible =
      result.blocks.empty() || result.log10_total_seconds <= std::log10(options.time_limit_seconds);
  return result;
}

}  // namespace

Explanation explain(const Source& source, const ReadOptions& read_options, const CountOptions& options,
                    const PatternSink& patterns) {
  return with_graph(source, read_options, options, [&](Monitor& monitor, ReadResult read) {
    return explain_with(monitor, std::move(read), options, patterns);
  });
}

Explanation explain(ReadResult read, const CountOptions& options, const PatternSink& patterns) {
  return with_graph(std::move(read), options, [&](Monitor& monitor, ReadResult checked) {
    return explain_with(monitor, std::move(checked), options, patterns);
  });
}

}  // namespace countpm
