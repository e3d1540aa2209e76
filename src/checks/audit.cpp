#include "src/checks/audit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string_view>
#include <utility>

#include "kernels/spread_form.hpp"
#include "src/checks/other_path.hpp"
#include "src/number/agree.hpp"
#include "src/watch/stopwatch.hpp"

namespace countpm {
namespace {

OtherPath audit_path(const BlockPlan& plan, std::string& what) {
  const Arithmetic& arithmetic = plan.choice.arithmetic;
  const std::string name(plan.method->name());
  const bool was_gpu = !plan.processors.gpus.empty();
  const std::string place = was_gpu ? name + " on the CPU" : name;
  OtherPath path;
  if (arithmetic.kind == Arithmetic::Kind::residues) {
    const std::string_view other = plan.job->other_code();
    if (!other.empty()) path = path_over(plan, {arithmetic});
    what = fmt::format("{} by {}", place, other);
    if (!path.jobs.empty()) return path;
    std::vector<Arithmetic> alone;
    for (const Modulus& modulus : arithmetic.moduli) {
      alone.push_back(arithmetic);
      alone.back().moduli = {modulus};
    }
    if (alone.size() > 1) path = path_over(plan, std::move(alone));
    what = place + " one modulus at a time";
    if (!path.jobs.empty()) return path;
  }
  what = was_gpu ? place : fmt::format("{} by the same code, as it has no other here", name);
  return same_path(plan);
}

std::string first_path(const BlockPlan& plan) {
  return fmt::format("{} on {}", plan.method->name(), plan.processors.name());
}

/// Ranges that were drawn of one block, neighbours joined, and what they added up to.
struct Drawn {
  std::vector<FinishedRange> ranges;
  std::uint64_t units = 0;
};

Drawn draw(const Ledger& ledger, double share, std::mt19937_64& random) {
  std::vector<FinishedRange> all = ledger.ranges();
  std::shuffle(all.begin(), all.end(), random);
  const double wanted = std::ceil(share * static_cast<double>(ledger.units()));
  Drawn drawn;
  std::vector<FinishedRange> chosen;
  for (FinishedRange& finished : all) {
    if (static_cast<double>(drawn.units) >= wanted) break;
    drawn.units += finished.range.size();
    chosen.push_back(std::move(finished));
  }
  std::sort(chosen.begin(), chosen.end(),
            [](const FinishedRange& a, const FinishedRange& b) { return a.range.first < b.range.first; });
  const bool exact = ledger.arithmetic().kind == Arithmetic::Kind::residues;
  for (FinishedRange& finished : chosen) {
    if (exact && !drawn.ranges.empty() && drawn.ranges.back().range.last == finished.range.first) {
      drawn.ranges.back().range.last = finished.range.last;
      add(drawn.ranges.back().value, finished.value, ledger.arithmetic());
    } else {
      drawn.ranges.push_back(std::move(finished));
    }
  }
  return drawn;
}

/// One block's audit: a task for every job of the other path, each with a ledger for the drawn units alone.
struct BlockAudit {
  const BlockPlan* plan;
  Drawn drawn;
  OtherPath path = {};
  std::string what = {};
  std::vector<std::unique_ptr<Ledger>> ledgers = {};
};

Partial value_of(const BlockAudit& audit, const UnitRange& range) {
  std::vector<Partial> values;
  for (const std::unique_ptr<Ledger>& ledger : audit.ledgers) {
    values.push_back(zero(ledger->arithmetic()));
    for (const FinishedRange& again : ledger->ranges()) {
      if (again.range.first >= range.first && again.range.last <= range.last)
        add(values.back(), again.value, ledger->arithmetic());
    }
  }
  return OtherPath::side_by_side(values);
}

/// Looks which unit it is, and throws.
[[noreturn]] void blame(const BlockAudit& audit, const FinishedRange& counted, const Partial& again,
                        std::uint64_t seed, const Monitor& monitor) {
  const BlockPlan& plan = *audit.plan;
  const Arithmetic& arithmetic = plan.choice.arithmetic;
  const std::string advice = fmt::format(
      "no count is given (audit with seed {}); a machine that miscounts, or a fault in countpm: please "
      "report it",
      seed);
  for (std::uint64_t unit = counted.range.first; unit < counted.range.last; ++unit) {
    const Partial one = same_path(plan).sum({unit, unit + 1}, monitor);
    const Partial other = audit.path.sum({unit, unit + 1}, monitor);
    if (agree(one, other)) continue;
    throw CheckError(fmt::format("the audit failed: unit {} of {} is {} by {} on the CPU, and {} by {}; {}",
                                 unit + 1, plan.job->units(), to_text(one, arithmetic), plan.method->name(),
                                 to_text(other, arithmetic), audit.what, advice));
  }
  throw CheckError(fmt::format(
      "the audit failed: units {} to {} of {} added up to {} by {}, and run again to {} by {}, though both "
      "paths agree on each of them now; {}",
      counted.range.first + 1, counted.range.last, plan.job->units(), to_text(counted.value, arithmetic),
      first_path(plan), to_text(again, arithmetic), audit.what, advice));
}

}  // namespace

std::vector<std::unique_ptr<Ledger>> memory_ledgers(const std::vector<PlannedBlock>& planned) {
  std::vector<std::unique_ptr<Ledger>> ledgers;
  for (const PlannedBlock& block : planned) {
    for (const BlockPlan& plan : block.plans)
      ledgers.push_back(std::make_unique<Ledger>(plan.job->units(), plan.choice.arithmetic));
  }
  return ledgers;
}

AuditReport audit_units(const std::vector<PlannedBlock>& planned, const std::vector<Ledger*>& ledgers,
                        double share, std::uint64_t seed, const Resources& resources, Monitor& monitor,
                        Checks& checks) {
  Stopwatch watch;
  AuditReport report;
  report.share = share;
  report.seed = seed;
  for (const PlannedBlock& block : planned) {
    for (const BlockPlan& plan : block.plans) {
      if (parts_of(*plan.job) == 1) continue;
      checks.not_applicable("audit", "the units were for the memory of all ranks, and one runs them again");
      return report;
    }
  }
  std::mt19937_64 random(seed);
  std::vector<BlockAudit> audits;
  double all_seconds = 0;
  double seconds = 0;
  for (const PlannedBlock& block : planned) {
    for (const BlockPlan& plan : block.plans) {
      const Ledger& ledger = *ledgers[audits.size()];
      BlockAudit& audit = audits.emplace_back(BlockAudit{&plan, draw(ledger, share, random)});
      audit.path = audit_path(plan, audit.what);
      report.units += audit.drawn.units;
      report.of += ledger.units();
      all_seconds += plan.seconds;
      seconds += plan.seconds * static_cast<double>(audit.drawn.units) / static_cast<double>(ledger.units());
      if (std::find(report.how.begin(), report.how.end(), audit.what) == report.how.end())
        report.how.push_back(audit.what);
    }
  }
  const std::string name = "audit";
  if (audits.empty()) {
    checks.not_applicable(name, "the reductions left no units to run");
    return report;
  }
  report.work = all_seconds > 0 ? seconds / all_seconds : 1;

  std::vector<Task> tasks;
  for (BlockAudit& audit : audits) {
    std::vector<UnitRange> share_of_block;
    for (const FinishedRange& drawn : audit.drawn.ranges) share_of_block.push_back(drawn.range);
    const std::size_t jobs = audit.path.jobs.size();
    for (std::size_t k = 0; k < jobs; ++k) {
      const Arithmetic& arithmetic = audit.path.arithmetics[k];
      audit.ledgers.push_back(std::make_unique<Ledger>(audit.plan->job->units(), arithmetic, share_of_block));
      tasks.push_back({audit.path.jobs[k].get(),
                       &arithmetic,
                       std::string(audit.plan->method->name()),
                       audit.plan->seconds / static_cast<double>(jobs),
                       {},
                       audit.ledgers.back().get()});
    }
  }
  monitor.begin_stage(name, seconds);
  run_tasks(tasks, fitting_threads(tasks, resources.threads, resources.memory_bytes), monitor);

  for (const BlockAudit& audit : audits) {
    for (const FinishedRange& counted : audit.drawn.ranges) {
      const Partial again = value_of(audit, counted.range);
      if (!agree(counted.value, again)) blame(audit, counted, again, seed, monitor);
    }
  }
  report.seconds = watch.lap();
  checks.passed(name,
                fmt::format("{} of {} units, {:.3g} % of the predicted work, drawn with seed {}, gave the "
                            "same again: {}",
                            report.units, report.of, 100 * report.work, seed, fmt::join(report.how, "; ")));
  return report;
}

}  // namespace countpm
