#include "src/journal/rerun_units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "kernels/spread_form.hpp"
#include "src/checks/other_path.hpp"
#include "src/checks/rerun_seconds.hpp"
#include "src/number/agree.hpp"
#include "src/text/format_number.hpp"

namespace countpm {
namespace {

// A range that is a larger share of what was done takes too long to be done again.
constexpr double largest_journal_rerun_share = 0.25;
// Predictions are of all threads together, and may be of so many.
constexpr int threads_of_predictions = 64;

/// Where the method has a second path through the arithmetic, by that.
OtherPath path_for_journal(const BlockPlan& plan) {
  OtherPath path;
  if (plan.choice.arithmetic.kind == Arithmetic::Kind::residues)
    path = path_over(plan, {plan.choice.arithmetic});
  return path.jobs.empty() ? same_path(plan) : path;
}

/// Runs a journal's range again. Throws CheckError where it comes out otherwise.
void check_range(const FinishedRange& journaled, const BlockPlan& plan, const OtherPath& path,
                 const Monitor& monitor) {
  if (agree(journaled.value, path.sum(journaled.range, monitor))) return;
  throw CheckError(fmt::format(
      "units {} to {} of {} do not add up to what the checkpoint says: it is damaged in a way that "
      "its checksums do not show, or was written by a machine that miscounts; nothing in it "
      "should be believed",
      journaled.range.first + 1, journaled.range.last, plan.method->name()));
}

}  // namespace

void rerun_journaled_units(const std::vector<PlannedBlock>& planned, const std::vector<Ledger*>& ledgers,
                           double seconds_left, Monitor& monitor, Checks& checks) {
  struct Journaled {
    const BlockPlan* plan;
    FinishedRange finished;
    double seconds;  // that running it again is expected to take
  };
  // What the journal says is only believed where this machine would take longer: else long times that it
  // claims would spare it from being looked at.
  const auto seconds_again = [](const BlockPlan& plan, const FinishedRange& finished) {
    const auto units = static_cast<double>(plan.job->units());
    return std::min(finished.seconds, plan.seconds * plan.job->speed_up(threads_of_predictions) *
                                          static_cast<double>(finished.range.size()) / units);
  };
  std::vector<Journaled> candidates;
  double journaled_seconds = 0;
  std::size_t next = 0;
  for (const PlannedBlock& block : planned) {
    for (const BlockPlan& plan : block.plans) {
      for (FinishedRange& finished : ledgers[next++]->ranges()) {
        if (parts_of(*plan.job) > 1) continue;  // for the memory of all ranks
        const double seconds = seconds_again(plan, finished);
        journaled_seconds += seconds;
        candidates.push_back({&plan, std::move(finished), seconds});
      }
    }
  }
  if (candidates.empty()) return;
  std::random_device seed;
  std::mt19937_64 random(seed());
  std::shuffle(candidates.begin(), candidates.end(), random);
  // Of some, the shortest comes first: what a GPU did at once takes a CPU long.
  const auto some =
      candidates.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(candidates.size(), 8));
  std::iter_swap(candidates.begin(),
                 std::min_element(candidates.begin(), some, [](const Journaled& a, const Journaled& b) {
                   return a.finished.range.size() < b.finished.range.size();
                 }));

  const double affordable = most_rerun_seconds(seconds_left);
  const double budget = rerun_seconds(journaled_seconds, seconds_left);
  const double start = seconds_now();
  std::map<const BlockPlan*, OtherPath> paths;
  std::uint64_t units = 0;
  for (const Journaled& candidate : candidates) {
    const double most =
        units > 0 ? budget
                  : std::min(std::max(budget, largest_journal_rerun_share * journaled_seconds), affordable);
    const double spent = seconds_now() - start;
    if (spent + candidate.seconds > most) continue;
    OtherPath& path = paths[candidate.plan];
    if (path.jobs.empty()) path = path_for_journal(*candidate.plan);
    check_range(candidate.finished, *candidate.plan, path, monitor);
    units += candidate.finished.range.size();
  }
  const std::string name = "checkpoint run again";
  if (units == 0) {
    checks.not_applicable(name, "what the checkpoint has are units too long for the time there is");
  } else {
    checks.passed(name, counted(units, "checkpointed unit") + " gave the same sums again");
  }
}

}  // namespace countpm
