#include "src/count/planned_count.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "src/count/bounds_in_reserve.hpp"
#include "src/count/count_modulo.hpp"
#include "src/count/report_count.hpp"
#include "src/distributed/leader.hpp"
#include "src/input/asked_kinds.hpp"
#include "src/input/report.hpp"
#include "src/journal/journaled_count.hpp"
#include "src/machine/load.hpp"
#include "src/structure/instance_to_count.hpp"
#include "src/structure/not_planar.hpp"

namespace countpm {
namespace {

/// What does not fit the limits is refused. A count with a checkpoint may go on another time: only what can
/// never be done in the time limit is.
void refuse(const std::vector<PlannedBlock>& planned, double planned_before, const CountOptions& options,
            const Resources& resources, const Monitor& monitor) {
  CountOptions limits = options;
  if (options.checkpoint.used()) {
    refuse_units_beyond_limit(planned, options, resources, monitor.elapsed());
    limits.time_limit_seconds = std::numeric_limits<double>::infinity();
  }
  refuse_if_beyond_limits(planned, limits, resources, monitor.elapsed() + planned_before);
}

/// Small blocks are planned in less time than it takes to ask the system for its load.
bool worth_metering(const std::vector<ReducedBlock>& blocks) {
  constexpr std::uint64_t few_rows = 24;
  return std::any_of(blocks.begin(), blocks.end(), [](const ReducedBlock& block) {
    return std::any_of(block.reduced.begin(), block.reduced.end(),
                       [](const AnyBlock& left) { return rows_of(left) > few_rows; });
  });
}

PackedBlocks packed_blocks(const std::optional<LetterCount>& letters) {
  return letters ? letters->packed_blocks() : PackedBlocks();
}

void make_plans(std::vector<ReducedBlock> blocks, const CountOptions& options, Monitor& monitor,
                const Journal* journal, PlannedCount& count) {
  const std::string file = options.checkpoint.name();
  const WeightKind weights = count.weight_kind;
  std::optional<LoadMeter> load;
  if (worth_metering(blocks)) load.emplace();
  if (journal != nullptr) {
    count.blocks = plan_as_before(std::move(blocks), journal->header.blocks, file, weights, options,
                                  count.resources, monitor, false, packed_blocks(count.letters));
  } else if (count.letters) {
    count.blocks = count.letters->plan(std::move(blocks), options, count.resources, weights, monitor);
  } else if (!options.modulo.empty()) {
    count.blocks = plan_for_residues(std::move(blocks), count, options, monitor);
  } else {
    count.blocks = plan_blocks(std::move(blocks), weights, options, count.resources, monitor);
  }
  if (load) count.resources.load = load->since();
  refuse(count.blocks, 0, options, count.resources, monitor);
  if (!options.double_check) return;
  count.recounts = journal != nullptr
                       ? plan_recounts_as_before(count.blocks, journal->header.recounts, file, weights,
                                                 options, count.resources, monitor)
                       : plan_double_check(count.blocks, weights, options, count.resources, monitor);
  refuse(count.recounts, predicted_seconds(count.blocks), options, count.resources, monitor);
}

}  // namespace

ReducedCount reduce_count(Graph graph, const InputInfo& input, const CountOptions& options, Stopwatch& watch,
                          Monitor& monitor, const PlanBefore& before) {
  const Poll poll = [&monitor] { monitor.throw_if_stopped(); };
  monitor.enter("looking at the graph's structure");
  refuse_kinds(GraphQuestion::count, graph, input, options);
  ReducedCount count;
  refuse_without_residue(graph, options);
  if (options.read) options.read(graph);
  count.result = report_input(graph, input);
  count.result.settings = options.settings.list();
  count.result.seconds.read = watch.lap();

  count.letter = letter_of(graph);
  count.digit = graph.digit;
  const std::shared_ptr<const LetterWeights> letters = graph.letters;
  if (input.exact) count.unit = replace_imaginary_unit(graph);
  Instance& instance = count.instance.emplace(instance_to_count(std::move(graph), options));
  count.weight_kind = instance.weight_kind;
  report_problem(instance, options.matchings, count.result);
  count.result.notes = report_notes(instance, input, options.matchings);
  poll();
  Analysis& analysis = count.analysis;
  analysis = analyse(instance, input, poll, count.result.notes, options.matchings);
  count.result.seconds.structure = watch.lap();
  if (analysis.violator) {
    report_zero(std::move(analysis), count.result);
    count.result.seconds.total = monitor.elapsed();
    return count;
  }

  count.resources = resources_for(options);
  add_notes(count.resources, count.result.notes);
  if (letters) {
    count.letters.emplace(letters, instance, analysis, poll);
    if (before.header == nullptr || before.prove) {
      count.letters->count_at_one(instance, analysis, options, count.resources, monitor, before.header);
    } else {
      count.letters->pack_as_told(instance, *before.header, before.file);
    }
    count.result.notes.push_back(count.letters->describe());
    count.result.seconds.structure += watch.lap();
  }
  monitor.enter("reducing the graph");
  count.reduced.emplace(count.letters ? count.letters->reduced(instance, analysis, options.rules, poll)
                                      : reduce_blocks(instance, analysis, reductions_of(options), poll));
  count.result.seconds.reduce = watch.lap();
  poll();
  return count;
}

ToldPlans plan_as_told(ReducedCount& reduced, const JournalHeader& header, const std::string& file,
                       const CountOptions& options, Monitor& monitor) {
  Resources& resources = reduced.resources;
  if (options.device == "auto") resources.gpus = choose_gpus(options);
  if (options.channel != nullptr) resources.ranks = options.channel->ranks();
  ToldPlans plans;
  plans.blocks = plan_as_before(std::move(reduced.reduced->blocks), header.blocks, file, reduced.weight_kind,
                                options, resources, monitor, true, packed_blocks(reduced.letters));
  refuse_if_beyond_limits(plans.blocks, options, resources, 0);
  if (header.recounts.empty()) return plans;
  plans.recounts = plan_recounts_as_before(plans.blocks, header.recounts, file, reduced.weight_kind, options,
                                           resources, monitor, true);
  refuse_if_beyond_limits(plans.recounts, options, resources, 0);
  return plans;
}

PlannedCount plan_count(Graph graph, const InputInfo& input, const CountOptions& options, Stopwatch& watch,
                        Monitor& monitor, const Journal* journal, BoundsInReserve* reserve) {
  if (reserve != nullptr) refuse_kinds(GraphQuestion::bounds, graph, input, options);
  if (reserve != nullptr && !options.modulo.empty())
    throw UsageError("bounds are of a number, and not of its residues");
  PlanBefore before;
  if (journal != nullptr) before = {&journal->header, options.checkpoint.name(), !journal->header.part};
  ReducedCount reduced = reduce_count(std::move(graph), input, options, watch, monitor, before);
  if (reserve != nullptr) {
    reserve->take(reduced, options.time_limit_seconds - monitor.elapsed());
    monitor.allow_grace(0);
  }
  PlannedCount count;
  count.result = std::move(reduced.result);
  count.weight_kind = reduced.weight_kind;
  if (count.result.violator) return count;
  count.letter = std::move(reduced.letter);
  count.digit = reduced.digit;
  count.letters = std::move(reduced.letters);
  count.unit = std::move(reduced.unit);
  count.factor = std::move(reduced.reduced->factor);
  count.tally = reduced.reduced->tally;
  count.resources = std::move(reduced.resources);
  if (options.channel != nullptr && options.channel->rank() == 0) {
    count.resources.ranks = options.channel->ranks();
    const auto known = std::make_shared<std::optional<std::uint64_t>>();
    const std::uint64_t own_bytes = count.resources.memory_bytes;
    count.resources.least_rank_bytes = [&channel = *options.channel, &monitor, own_bytes, known] {
      if (!*known) *known = least_room_of_ranks(channel, own_bytes, monitor);
      return **known;
    };
  }
  try {
    make_plans(std::move(reduced.reduced->blocks), options, monitor, journal, count);
  } catch (const UnableError& error) {
    if (reserve != nullptr && !monitor.limit_is_over())
      reserve->make_the_best(count.blocks, count.resources, options, monitor);
    // A refusal to count by a method of planar graphs says what is not planar in the input.
    const bool needs_planarity =
        options.method != "auto" && method_named(options.method).traits().needs_planarity;
    // With monomers it refuses planar graphs, too.
    if (!needs_planarity || beyond_perfect_matchings(reduced.instance->problem) || monitor.limit_is_over())
      throw;
    refuse_not_planar(error, *reduced.instance, input, reduced.analysis);
  }
  count.resources.least_rank_bytes = {};
  count.result.seconds.plan = watch.lap();
  return count;
}

}  // namespace countpm
