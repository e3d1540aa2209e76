// A count, from the graph to the checked number. `count_graph` is the whole house: one call a step.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/audit.hpp"
#include "src/countpm.hpp"
#include "src/distributed/leader.hpp"
#include "src/journal/journaled_count.hpp"
#include "src/monitor.hpp"
#include "src/number.hpp"
#include "src/planned_count.hpp"
#include "src/report.hpp"
#include "src/report_count.hpp"
#include "src/stopwatch.hpp"
#include "src/verify_run.hpp"

namespace countpm {
namespace {

/// For CountResult::recheck.
std::string recheck_text(const InputInfo& input, const std::vector<PlannedBlock>& planned,
                         const CountOptions& options) {
  JournalHeader header = journal_header(input, planned, {}, options);
  header.version = version();
  return header_text(header);
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
  const Journal* journal = checkpoint != nullptr ? checkpoint->journal() : nullptr;
  PlannedCount plan = plan_count(std::move(graph), input, options, watch, monitor, journal);
  CountResult result = std::move(plan.result);
  if (result.violator) {
    if (journal != nullptr) {
      checkpoint->begin({}, progress_of(monitor));
      checkpoint->finish(result.count);
    }
    return result;
  }
  const std::vector<PlannedBlock>& planned = plan.blocks;
  const std::vector<PlannedBlock>& recounts = plan.recounts;

  const NumberArithmetic arithmetic = number_arithmetic(plan.weight_kind, options);
  Checks checks;
  std::optional<Leader> leader;
  if (options.channel != nullptr)
    leader.emplace(*options.channel).share(journal_header(input, planned, recounts, options));
  if (checkpoint != nullptr) {
    checkpoint->begin(journal_header(input, planned, recounts, options), progress_of(monitor));
  }
  std::vector<Ledger*> ledgers = ledgers_of(planned, 0, checkpoint);
  const std::vector<Ledger*> recount_ledgers = ledgers_of(recounts, ledgers.size(), checkpoint);
  if (journal != nullptr) {
    const auto left = [&] { return options.time_limit_seconds - monitor.elapsed(); };
    rerun_journaled_units(planned, ledgers, left(), monitor, checks);
    rerun_journaled_units(recounts, recount_ledgers, left(), monitor, checks);
  }
  std::vector<std::unique_ptr<Ledger>> in_memory;
  if (options.audit_share > 0 && checkpoint == nullptr) {
    in_memory = memory_ledgers(planned);
    for (const std::unique_ptr<Ledger>& ledger : in_memory) ledgers.push_back(ledger.get());
  }
  const BlockCounts counts =
      run_planned(planned, arithmetic, "count", plan.resources, monitor, ledgers, runner(leader, 0));
  result.threads = counts.threads;
  result.ranks = options.channel != nullptr ? options.channel->ranks() : 1;
  result.seconds.count = watch.lap();

  verify_blocks(planned, counts, checks);
  rerun_sampled_units(planned, counts, monitor, checks);
  if (options.audit_share > 0) {
    result.audit =
        audit_units(planned, ledgers, options.audit_share, options.seed, plan.resources, monitor, checks);
  }
  if (options.double_check) {
    const BlockCounts second = run_planned(recounts, arithmetic, "double-check", plan.resources, monitor,
                                           recount_ledgers, runner(leader, number_of_plans(planned)));
    verify_recounts(counts, recounts, second, checks);
  }

  report_total(product(plan.factor, counts.counts, arithmetic), checks, result);
  report_entropy(result);
  report_blocks(planned, counts, result);
  report_reductions(plan.tally, planned, result);
  if (options.recheck) result.recheck = recheck_text(input, planned, options);
  if (options.method != "auto" && options.method != result.method) {
    result.notes.push_back(
        fmt::format("the structure and the reductions left nothing for {} to count", options.method));
  }
  if (checkpoint != nullptr) checkpoint->finish(result.count);
  result.seconds.verify = watch.lap();
  result.seconds.total = monitor.elapsed();
  return result;
}

}  // namespace

CountResult count(const Source& source, const ReadOptions& read_options, const CountOptions& options) {
  check_options(options);
  Monitor monitor(options);
  Stopwatch watch;
  ReadOptions reading = read_options;
  if (options.checkpoint.used()) {
    if (source.kind != Source::Kind::file && source.kind != Source::Kind::lattice)
      throw UsageError("a checkpoint needs an input that can be read again: a file or a lattice");
    reading.hash = true;
  }
  if (options.channel != nullptr) reading.hash = true;
  const std::unique_ptr<Checkpoint> checkpoint = open_checkpoint(options.checkpoint);
  CountResult result;
  with_last_words(checkpoint.get(), [&] {
    ReadResult read = read_graph(source, reading);
    monitor.explain_stop();
    if (checkpoint) check_same_input(*checkpoint, read.info, options);
    if (checkpoint) refuse_part(*checkpoint, options);
    result = count_graph(std::move(read.graph), read.info, options, watch, monitor, checkpoint.get());
  });
  return result;
}

CountResult count(Graph graph, const CountOptions& options) {
  check_options(options);
  Monitor monitor(options);
  Stopwatch watch;
  if (options.checkpoint.used())
    throw UsageError("a checkpoint needs an input that can be read again: a file or a lattice");
  if (options.channel != nullptr) throw UsageError("several ranks need an input that each of them can read");
  InputInfo input;
  input.path = "<graph>";
  return count_graph(std::move(graph), input, options, watch, monitor, nullptr);
}

}  // namespace countpm
