// A count, from the graph to the checked number. `count_graph` is the whole house: one call a step.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/api/entries.hpp"
#include "src/checks/count_checks.hpp"
#include "src/count/count_run.hpp"
#include "src/count/planned_count.hpp"
#include "src/count/report_count.hpp"
#include "src/input/with_graph.hpp"
#include "src/journal/journaled_count.hpp"
#include "src/number/number.hpp"
#include "src/watch/monitor.hpp"
#include "src/watch/stopwatch.hpp"

namespace countpm {
namespace {

/// For CountResult::recheck.
std::string recheck_text(const InputInfo& input, const std::vector<PlannedBlock>& planned,
                         const CountOptions& options) {
  JournalHeader header = journal_header(input, planned, {}, options);
  header.version = version();
  return header_text(header);
}

CountResult count_graph(Graph graph, const InputInfo& input, const CountOptions& options, Stopwatch& watch,
                        Monitor& monitor, Checkpoint* checkpoint) {
  const Journal* journal = checkpoint != nullptr ? checkpoint->journal() : nullptr;
  PlannedCount plan = plan_count(std::move(graph), input, options, watch, monitor, journal);
  CountResult result = std::move(plan.result);
  if (result.violator) {
    if (options.recheck) result.recheck = recheck_text(input, {}, options);
    finish_at_once(checkpoint, journal_header(input, {}, {}, options), result.count, monitor);
    return result;
  }

  Checks checks;
  CountRun run(plan, input, options, monitor, checkpoint);
  run.check_journaled_units(checks);
  const BlockCounts counts = run.count();
  result.threads = counts.threads;
  if (counts.fitting_threads < plan.resources.threads)
    result.notes.push_back(note_on_threads(counts.fitting_threads, plan.resources));
  result.ranks = options.channel != nullptr ? options.channel->ranks() : 1;
  result.seconds.count = watch.lap();

  verify_blocks(plan.blocks, counts, checks);
  rerun_sampled_units(plan.blocks, counts, monitor, checks);
  if (options.audit_share > 0) result.audit = run.audit(checks);
  if (options.double_check) verify_recounts(counts, plan.recounts, run.recount(), checks);

  report_total(product(plan.factor, counts.counts, run.arithmetic()), plan.weight_kind, checks, result);
  report_entropy(result);
  report_blocks(plan.blocks, counts, result);
  report_reductions(plan.tally, plan.blocks, result);
  if (options.recheck) result.recheck = recheck_text(input, plan.blocks, options);
  if (options.method != "auto" && options.method != result.method) {
    result.notes.push_back(
        fmt::format("the structure and the reductions left nothing for {} to count", options.method));
  }
  if (checkpoint != nullptr) {
    checkpoint->finish(result.count);
    if (std::string trouble = checkpoint->trouble(); !trouble.empty())
      result.notes.push_back(std::move(trouble));
  }
  result.seconds.verify = watch.lap();
  result.seconds.total = monitor.elapsed();
  return result;
}

}  // namespace

CountResult count(const Source& source, const ReadOptions& read_options, const CountOptions& options) {
  check_options(options);
  Monitor monitor(options);
  Stopwatch watch;
  ReadOptions reading = reading_for_checkpoint(source, read_options, options.checkpoint);
  if (options.channel != nullptr) reading.hash = true;
  const std::unique_ptr<Checkpoint> checkpoint =
      monitor.explained([&] { return open_checkpoint(options.checkpoint); });
  CountResult result;
  annotate_interruption(checkpoint.get(), [&] {
    monitor.explained([&] {
      monitor.enter("reading the input");
      ReadResult read = read_graph(source, reading);
      monitor.throw_if_stopped();
      if (checkpoint) check_same_input(*checkpoint, read.info, options);
      if (checkpoint) refuse_other_journals(*checkpoint, options);
      result = count_graph(std::move(read.graph), read.info, options, watch, monitor, checkpoint.get());
    });
  });
  return result;
}

CountResult count(ReadResult read, const CountOptions& options) {
  refuse_checkpoint_of_graph(options.checkpoint);
  if (options.channel != nullptr) throw UsageError("several ranks need an input that each of them can read");
  Stopwatch watch;
  return with_graph(std::move(read), options, [&](Monitor& monitor, ReadResult checked) {
    return count_graph(std::move(checked.graph), checked.info, options, watch, monitor, nullptr);
  });
}

CountResult count(Graph graph, const CountOptions& options) {
  return count(in_memory(std::move(graph)), options);
}

}  // namespace countpm
