// Everything that a count would do, and what it would cost, without counting.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "graph/kinds/imaginary_unit.hpp"
#include "kernels/arithmetic/bound.hpp"
#include "src/api/entries.hpp"
#include "src/checks/checks.hpp"
#include "src/count/bounds.hpp"
#include "src/count/count_modulo.hpp"
#include "src/count/letter_count.hpp"
#include "src/input/with_graph.hpp"
#include "src/machine/assume.hpp"
#include "src/machine/load.hpp"
#include "src/matchings/passes.hpp"
#include "src/matchings/pattern_stages.hpp"
#include "src/number/number.hpp"
#include "src/plan/plan.hpp"
#include "src/plan/plan_at_points.hpp"
#include "src/plan/plan_modulo.hpp"
#include "src/plan/planned_block.hpp"
#include "src/proof/count_proof.hpp"
#include "src/structure/analysis.hpp"
#include "src/structure/blocks.hpp"
#include "src/structure/instance_to_count.hpp"

namespace countpm {
namespace {

// The largest blocks have every method's rate measured; that takes some 0.1 s a block.
constexpr std::size_t measured_blocks = 16;

// So many of the largest blocks, of most_entries_to_bound entries in all, have certified bounds: about a
// second.
constexpr std::size_t bounded_blocks = 64;

bool is_any_measured(const std::vector<BlockForecast>& blocks) {
  return std::any_of(blocks.begin(), blocks.end(), [](const BlockForecast& block) {
    return std::any_of(block.methods.begin(), block.methods.end(),
                       [](const MethodForecast& method) { return method.measured; });
  });
}

/// What is read, and watched, here.
CountOptions without_assumption(const CountOptions& options) {
  check_assumed(options.assumed);
  check_settings(options, true);
  CountOptions here = options;
  here.assumed = {};
  here.settings = {};
  here.modulo = {};
  if (!options.assumed.gpu.empty()) {
    if (options.device == "cpu")
      throw UsageError("a GPU is assumed, and the device is to be the CPU: one of the two must go");
    here.device = "auto";
    here.gpus = 0;
  }
  return here;
}

/// Of a block that is counted at points, if that can be: what it will take.
void forecast_at_points(const AnyBlock& block, const PackedForm& form, const CountOptions& options,
                        const Resources& resources, BlockPlan& plan, Monitor& monitor) {
  const auto points = plan_at_points(block, form, options, resources, false, monitor);
  if (!points) return;
  const MethodForecast& own = points->forecast.methods.front();
  for (MethodForecast& forecast : plan.forecast.methods) {
    forecast.chosen = false;
    if (forecast.method == own.method) forecast = own;
  }
  plan.forecast.arithmetic = points->forecast.arithmetic;
  plan.seconds = points->seconds;
}

Explanation explain_with(Monitor& monitor, ReadResult read, const CountOptions& options,
                         const PatternSink& patterns) {
  Explanation result;
  result.assumed = options.assumed;
  summarise_input(read.graph, read.info, result);
  result.settings = options.settings.list();
  std::string no_proof;
  try {
    if (options.proof) result.proof = CountProof(read.graph, read.info, options, monitor).forecast();
  } catch (const UnableError& error) {
    no_proof = error.what();
  }
  monitor.enter("looking at the graph's structure");
  const std::shared_ptr<const LetterWeights> letters = read.graph.letters;
  refuse_without_residue(read.graph, options);
  const bool digit = read.graph.digit.has_value();
  if (read.info.exact) replace_imaginary_unit(read.graph);
  Instance instance = patterns ? instance_of(std::move(read.graph), options.matchings)
                               : instance_to_count(std::move(read.graph), options);
  report_problem(instance, options.matchings, result);
  result.rows = instance.pattern.rows;
  result.columns = instance.pattern.columns;
  result.notes = report_notes(instance, result.input, options.matchings);
  if (!no_proof.empty()) result.notes.push_back(no_proof);
  const Poll poll = [&monitor] { monitor.throw_if_stopped(); };
  Analysis analysis = analyse(instance, result.input, poll, result.notes, options.matchings);
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

  std::optional<LetterCount> packed;
  if (letters) {
    packed.emplace(letters, instance, analysis, poll);
    packed->forecast(instance, analysis, options, monitor);
    result.notes.push_back(packed->describe());
  }
  monitor.enter("reducing the graph");
  const ReducedInstance reduced = packed ? packed->reduced(instance, analysis, options.rules, poll)
                                         : reduce_blocks(instance, analysis, reductions_of(options), poll);
  result.reductions = report_rules(reduced.tally);
  const NumberArithmetic arithmetic = number_arithmetic(instance.weight_kind, options);
  Number factor = to_number(reduced.factor, arithmetic);
  const Resources resources = resources_for(options);
  add_notes(resources, result.notes);
  if (resources.threads > resources.cores)
    result.notes.push_back(
        fmt::format("--assume threads={} forecasts for a machine that has as many cores", resources.threads));
  const LoadMeter load;
  PlanRequest request;
  request.candidates.method = options.method;
  std::vector<const AnyBlock*> rest;
  std::map<const AnyBlock*, const PackedForm*> at_points;
  for (const ReducedBlock& block : reduced.blocks) {
    multiply(factor, to_number(block.factor, arithmetic), arithmetic);
    for (const AnyBlock& left : block.reduced) rest.push_back(&left);
    const auto number = static_cast<std::size_t>(&block - reduced.blocks.data());
    if (packed && packed->form(number) != nullptr)
      at_points.emplace(&block.reduced.front(), packed->form(number));
  }
  result.factor = result.input.exact
                      ? "a polynomial in i"
                      : shown_number(factor, instance.weight_kind, options.arithmetic.bits).digits;
  enter_planning(reduced.blocks, monitor);
  std::stable_sort(rest.begin(), rest.end(),
                   [](const AnyBlock* a, const AnyBlock* b) { return rows_of(*a) > rows_of(*b); });
  std::optional<ModuloGoal> goal;
  if (!options.modulo.empty()) goal.emplace(options.modulo);
  const std::string exactly = goal ? why_exactly(reduced.factor, reduced.blocks, *goal, digit) : "";
  std::uint64_t entries = 0;
  for (const AnyBlock* block : rest) {
    monitor.throw_if_stopped();
    request.candidates.ask_all = result.blocks.size() < measured_blocks;
    request.block = result.blocks.size() + 1;
    request.blocks = rest.size();
    BlockPlan plan = goal && exactly.empty()
                         ? plan_modulo(*block, *goal, options, resources, request, monitor).plan
                         : plan_block(*block, instance.weight_kind, options, resources, request, monitor);
    if (!exactly.empty()) plan.forecast.modulo = in_words_exactly(exactly);
    if (const auto at = at_points.find(block); at != at_points.end())
      forecast_at_points(*block, *at->second, options, resources, plan, monitor);
    if (plan.seconds > options.time_limit_seconds - monitor.elapsed()) request.search = false;
    result.blocks.push_back(plan.forecast);
    entries += entries_to_certify(*block);
    if (entries <= most_entries_to_bound && result.blocks.size() <= bounded_blocks && !has_negative(*block) &&
        !has_monomers(*block))
      result.blocks.back().bounds = bounds_of(*block);
  }
  if (options.interrupted && options.interrupted()) throw InterruptedError("interrupted");
  if (is_any_measured(result.blocks)) result.load = load.since();
  result.log10_total_seconds = log10_total_seconds(result.blocks);
  result.feasible =
      result.blocks.empty() || result.log10_total_seconds <= std::log10(options.time_limit_seconds);
  return result;
}

GraphQuestion question_of(const PatternSink& patterns) {
  return patterns ? GraphQuestion::structure : GraphQuestion::explain;
}

}  // namespace

Explanation explain(const Source& source, const ReadOptions& read_options, const CountOptions& options,
                    const PatternSink& patterns) {
  const CountOptions here = without_assumption(options);
  return with_graph(question_of(patterns), source, read_options, here,
                    [&](Monitor& monitor, ReadResult read) {
                      return explain_with(monitor, std::move(read), options, patterns);
                    });
}

Explanation explain(ReadResult read, const CountOptions& options, const PatternSink& patterns) {
  const CountOptions here = without_assumption(options);
  return with_graph(question_of(patterns), std::move(read), here, [&](Monitor& monitor, ReadResult checked) {
    return explain_with(monitor, std::move(checked), options, patterns);
  });
}

}  // namespace countpm
