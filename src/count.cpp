// A count, from the graph to the checked number. `count_graph` is the whole house: one call a step.
#include <fmt/format.h>

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/analysis.hpp"
#include "src/blocks.hpp"
#include "src/countpm.hpp"
#include "src/distributed/leader.hpp"
#include "src/journal/journaled_count.hpp"
#include "src/monitor.hpp"
#include "src/not_planar.hpp"
#include "src/number.hpp"
#include "src/planned_block.hpp"
#include "src/report.hpp"
#include "src/report_count.hpp"
#include "src/stopwatch.hpp"
#include "src/verify_run.hpp"

namespace countpm {
namespace {

struct Plans {
  std::vector<PlannedBlock> blocks;
  std::vector<PlannedBlock> recounts;  // of --double-check
};

/// What does not fit the limits is refused. A count with a checkpoint may go on another time: only what can
/// never be done in the time limit is.
void refuse(const std::vector<PlannedBlock>& planned, double planned_before, const CountOptions& options,
            const Resources& resources, const Monitor& monitor) {
  CountOptions limits = options;
  if (!options.checkpoint.file.empty()) {
    refuse_units_beyond_limit(planned, options, resources, monitor.elapsed());
    limits.time_limit_seconds = std::numeric_limits<double>::infinity();
  }
  refuse_if_beyond_limits(planned, limits, resources, monitor.elapsed() + planned_before);
}

/// Those of the journal, where there is one to go on with.
Plans make_plans(std::vector<ReducedBlock> blocks, WeightKind weight_kind, const CountOptions& options,
                 const Resources& resources, Monitor& monitor, const Journal* journal) {
  const std::string& file = options.checkpoint.file;
  Plans plans;
  if (journal != nullptr) {
    plans.blocks = plan_as_before(std::move(blocks), journal->header.blocks, file, weight_kind, options,
                                  resources, monitor);
  } else {
    plans.blocks = plan_blocks(std::move(blocks), weight_kind, options, resources, monitor);
  }
  refuse(plans.blocks, 0, options, resources, monitor);
  if (!options.double_check) return plans;
  plans.recounts = journal != nullptr
                       ? plan_recounts_as_before(plans.blocks, journal->header.recounts, file, weight_kind,
                                                 options, resources, monitor)
                       : plan_double_check(plans.blocks, weight_kind, options, resources, monitor);
  refuse(plans.recounts, predicted_seconds(plans.blocks), options, resources, monitor);
  return plans;
}

JournalProgress progress_of(Monitor& monitor) {
  const Progress progress = monitor.progress();
  return {progress.elapsed_seconds,
          progress.remaining_seconds,
          progress.remaining_low,
          progress.remaining_high,
          {}};
}

/// A refusal to count by a method of planar graphs says what is not planar in the input.
template <class MakePlans>
Plans showing_not_planar(const Instance& instance, const InputInfo& input, const Analysis& analysis,
                         const CountOptions& options, const MakePlans& make) {
  try {
    return make();
  } catch (const UnableError& error) {
    if (options.method != "planar" && options.method != "condensation") throw;
    refuse_not_planar(error, instance, input, analysis);
  }
}

std::size_t number_of_plans(const std::vector<PlannedBlock>& planned) {
  std::size_t number = 0;
  for (const PlannedBlock& block : planned) number += block.plans.size();
  return number;
}

/// On all ranks, where there are several; the tasks are those of the plan from the first-th on.
TaskRunner runner(std::optional<Leader>& leader, std::size_t first) {
  if (!leader) return run_tasks;
  return [&leader, first](const std::vector<Task>& tasks, int threads, Monitor& monitor) {
    return leader->run(tasks, first, threads, monitor);
  };
}

CountResult count_graph(Graph graph, const InputInfo& input, const CountOptions& options, Stopwatch& watch,
                        Monitor& monitor, Checkpoint* checkpoint) {
  const Poll poll = [&monitor] { monitor.explain_stop(); };
  CountResult result = report_input(graph, input);
  result.seconds.read = watch.lap();

  const Instance instance = to_instance(std::move(graph));
  result.problem = instance.problem;
  result.notes = report_notes(instance, input);
  poll();
  Analysis analysis = analyse(instance, input, poll, result.notes);
  result.seconds.structure = watch.lap();
  if (analysis.violator) {
    report_zero(std::move(analysis), result);
    result.seconds.total = monitor.elapsed();
    return result;
  }

  const Resources resources = resources_for(options);
  ReducedInstance reduced = reduce_blocks(instance, analysis, options.rules, poll);
  result.seconds.reduce = watch.lap();
  poll();

  const Journal* journal = checkpoint != nullptr ? checkpoint->journal() : nullptr;
  const auto [planned, recounts] = showing_not_planar(instance, input, analysis, options, [&] {
    return make_plans(std::move(reduced.blocks), instance.weight_kind, options, resources, monitor, journal);
  });
  result.seconds.plan = watch.lap();

  const NumberArithmetic arithmetic = number_arithmetic(instance.weight_kind, options);
  Checks checks;
  std::optional<Leader> leader;
  if (options.channel != nullptr)
    leader.emplace(*options.channel).share(journal_header(input, planned, recounts, options));
  if (checkpoint != nullptr) {
    checkpoint->begin(journal_header(input, planned, recounts, options),
                      [&monitor] { return progress_of(monitor); });
  }
  const std::vector<Ledger*> ledgers = ledgers_of(planned, 0, checkpoint);
  const std::vector<Ledger*> recount_ledgers = ledgers_of(recounts, ledgers.size(), checkpoint);
  if (journal != nullptr) {
    const auto left = [&] { return options.time_limit_seconds - monitor.elapsed(); };
    rerun_journaled_units(planned, ledgers, left(), monitor, checks);
    rerun_journaled_units(recounts, recount_ledgers, left(), monitor, checks);
  }
  const BlockCounts counts =
      run_planned(planned, arithmetic, "count", resources, monitor, ledgers, runner(leader, 0));
  result.threads = counts.threads;
  result.ranks = options.channel != nullptr ? options.channel->ranks() : 1;
  result.seconds.count = watch.lap();

  verify_blocks(planned, counts, checks);
  rerun_sampled_units(planned, counts, monitor, checks);
  if (options.double_check) {
    const BlockCounts second = run_planned(recounts, arithmetic, "double-check", resources, monitor,
                                           recount_ledgers, runner(leader, number_of_plans(planned)));
    verify_recounts(counts, recounts, second, checks);
  }

  report_total(product(reduced.factor, counts.counts, arithmetic), checks, result);
  report_entropy(result);
  report_blocks(planned, counts, result);
  report_reductions(reduced.tally, planned, result);
  if (options.method != "auto" && options.method != result.method) {
    result.notes.push_back(
        fmt::format("the structure and the reductions left nothing for {} to count", options.method));
  }
  if (checkpoint != nullptr) checkpoint->finish(result.count);
  result.seconds.verify = watch.lap();
  result.seconds.total = monitor.elapsed();
  return result;
}

/// Says with the reason to stop what the checkpoint then holds.
template <class Count>
CountResult with_checkpoint(const CountOptions& options, const Count& count) {
  const std::unique_ptr<Checkpoint> checkpoint = open_checkpoint(options.checkpoint);
  try {
    return count(checkpoint.get());
  } catch (const InterruptedError&) {
    if (!checkpoint || !checkpoint->begun()) throw;
    throw InterruptedError("interrupted; " + checkpoint->close());
  } catch (const UnableError& error) {
    if (!checkpoint || !checkpoint->begun()) throw;
    throw UnableError(std::string(error.what()), checkpoint->close());
  }
}

}  // namespace

CountResult count(const Source& source, const ReadOptions& read_options, const CountOptions& options) {
  check_options(options);
  Monitor monitor(options);
  Stopwatch watch;
  ReadOptions reading = read_options;
  if (!options.checkpoint.file.empty()) {
    if (source.kind != Source::Kind::file && source.kind != Source::Kind::lattice)
      throw UsageError("a checkpoint needs an input that can be read again: a file or a lattice");
    reading.hash = true;
  }
  if (options.channel != nullptr) reading.hash = true;
  return with_checkpoint(options, [&](Checkpoint* checkpoint) {
    ReadResult read = read_graph(source, reading);
    monitor.explain_stop();
    if (checkpoint != nullptr) check_same_input(*checkpoint, read.info, options);
    return count_graph(std::move(read.graph), read.info, options, watch, monitor, checkpoint);
  });
}

CountResult count(Graph graph, const CountOptions& options) {
  check_options(options);
  Monitor monitor(options);
  Stopwatch watch;
  if (!options.checkpoint.file.empty())
    throw UsageError("a checkpoint needs an input that can be read again: a file or a lattice");
  if (options.channel != nullptr) throw UsageError("several ranks need an input that each of them can read");
  InputInfo input;
  input.path = "<graph>";
  return count_graph(std::move(graph), input, options, watch, monitor, nullptr);
}

}  // namespace countpm
