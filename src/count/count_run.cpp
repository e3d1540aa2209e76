#include "src/count/count_run.hpp"

#include <algorithm>
#include <utility>

#include "graph/errors.hpp"
#include "src/checks/audit.hpp"
#include "src/journal/journaled_count.hpp"
#include "src/journal/rerun_units.hpp"
#include "src/number/number.hpp"

namespace countpm {
namespace {

std::size_t number_of_plans(const std::vector<PlannedBlock>& planned) {
  std::size_t number = 0;
  for (const PlannedBlock& block : planned) number += block.plans.size();
  return number;
}

}  // namespace

CountRun::CountRun(const PlannedCount& plan, const InputInfo& input, const CountOptions& options,
                   Monitor& monitor, Checkpoint* checkpoint, bool keep, UnitBoard* board)
    : plan_(plan),
      options_(options),
      monitor_(monitor),
      arithmetic_(number_arithmetic(plan.weight_kind, options)),
      board_(board) {
  goes_on_ = checkpoint != nullptr && checkpoint->journal() != nullptr;
  JournalHeader header;  // that of a journal to go on with stays
  const bool told = options.channel != nullptr || board != nullptr;
  if (told || (checkpoint != nullptr && !goes_on_))
    header = journal_header(input, plan.blocks, plan.recounts, options);
  if (options.channel != nullptr) leader_.emplace(*options.channel).share(header);
  if (board != nullptr) board->post(header);
  if (checkpoint != nullptr) {
    checkpoint->begin(std::move(header), progress_of(monitor));
  } else if (options.audit_share > 0 || keep) {
    in_memory_ = memory_ledgers(plan.blocks);
    for (const std::unique_ptr<Ledger>& ledger : in_memory_) ledgers_.push_back(ledger.get());
    return;
  }
  ledgers_ = ledgers_of(plan.blocks, 0, checkpoint);
  recount_ledgers_ = ledgers_of(plan.recounts, ledgers_.size(), checkpoint);
}

void CountRun::check_journaled_units(Checks& checks) {
  if (!goes_on_) return;
  const auto left = [this] { return options_.time_limit_seconds - monitor_.elapsed(); };
  rerun_journaled_units(plan_.blocks, ledgers_, left(), monitor_, checks);
  rerun_journaled_units(plan_.recounts, recount_ledgers_, left(), monitor_, checks);
}

/// The tasks are those of the whole plan from the first-th on.
BlockCounts CountRun::run(const std::vector<PlannedBlock>& planned, const std::string& stage,
                          const std::vector<Ledger*>& ledgers, std::size_t first) {
  TaskRunner runner = run_tasks;
  if (leader_) {
    runner = [this, first](const std::vector<Task>& tasks, int threads, Monitor& monitor) {
      return leader_->run(tasks, first, threads, monitor);
    };
  } else if (board_ != nullptr) {
    runner = [this, first](const std::vector<Task>& tasks, int threads, Monitor& monitor) {
      return board_->run(tasks, first, threads, monitor);
    };
  }
  return run_planned(planned, arithmetic_, stage, plan_.resources, monitor_, ledgers, runner);
}

BlockCounts CountRun::count() {
  return run(plan_.blocks, "count", ledgers_, 0);
}

AuditReport CountRun::audit(Checks& checks) {
  return audit_units(plan_.blocks, ledgers_, options_.audit_share, options_.seed, plan_.resources, monitor_,
                     checks);
}

/// Nothing where they take much longer than predicted.
std::optional<BlockCounts> CountRun::try_recount(const std::vector<PlannedBlock>& recounts) {
  const double seconds = predicted_seconds(recounts);
  CountOptions limited = options_;
  limited.progress = nullptr;
  limited.time_limit_seconds = seconds_of_trial(seconds, options_.time_limit_seconds - monitor_.elapsed());
  monitor_.begin_stage("double-check", seconds);
  Monitor monitor(limited);
  try {
    return run_planned(recounts, arithmetic_, "double-check", plan_.resources, monitor);
  } catch (const UnableError&) {
    monitor_.throw_if_stopped();
    return std::nullopt;
  }
}

BlockCounts CountRun::recount(std::vector<PlannedBlock>& recounts) {
  // What a journal or others who count know cannot be planned again.
  const bool settled = leader_ || board_ != nullptr || !recount_ledgers_.empty();
  if (!settled && std::any_of(recounts.begin(), recounts.end(), is_unsure)) {
    if (auto counts = try_recount(recounts)) return *std::move(counts);
    for (std::size_t b = 0; b < recounts.size(); ++b) {
      if (is_unsure(recounts[b]))
        recounts[b] = plan_recount_by_same_methods(plan_.blocks[b], plan_.weight_kind, options_,
                                                   plan_.resources, monitor_);
    }
    refuse_if_beyond_limits(recounts, options_, plan_.resources, monitor_.elapsed());
  }
  return run(recounts, "double-check", recount_ledgers_, number_of_plans(plan_.blocks));
}

}  // namespace countpm
