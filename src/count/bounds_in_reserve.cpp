#include "src/count/bounds_in_reserve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <new>
#include <utility>

#include "src/checks/checks.hpp"
#include "src/count/bounds.hpp"
#include "src/plan/block_tasks.hpp"
#include "src/run/executor.hpp"
#include "src/structure/balance.hpp"

namespace countpm {
namespace {

constexpr double share_for_bounds = 0.1;
constexpr double least_seconds_for_bounds = 5e-3;
// Before anything is planned: planning may take all the time there is.
constexpr double most_seconds_before_plans = 0.25;
// As --exact-below for estimates.
constexpr double easy_seconds = 1;
constexpr double share_for_easy_blocks = 0.5;
// Parity takes microseconds up to here; beyond the limit there is no time for more.
constexpr Index most_rows_to_check = 256;

double width_of(const CertifiedBounds& bounds) {
  return bounds.log2_upper - bounds.log2_lower;
}

std::vector<const BlockPlan*> plans_of(const std::vector<PlannedBlock>& planned) {
  std::vector<const BlockPlan*> plans;
  for (const PlannedBlock& block : planned) {
    for (const BlockPlan& plan : block.plans) plans.push_back(&plan);
  }
  return plans;
}

/// The easiest first, of those that fit the memory, as long as all together take no longer than that.
std::vector<std::size_t> easy_plans(const std::vector<const BlockPlan*>& plans, const Resources& resources,
                                    double seconds) {
  std::vector<std::size_t> easy;
  for (std::size_t p = 0; p < plans.size(); ++p) {
    if (plans[p]->job && plans[p]->seconds <= easy_seconds &&
        peak_bytes({plans[p]->job.get()}, 1) <= resources.memory_bytes)
      easy.push_back(p);
  }
  std::sort(easy.begin(), easy.end(),
            [&](std::size_t a, std::size_t b) { return plans[a]->seconds < plans[b]->seconds; });
  double sum = 0;
  const auto end = std::find_if(easy.begin(), easy.end(), [&](std::size_t p) {
    sum += plans[p]->seconds;
    return sum > seconds;
  });
  easy.erase(end, easy.end());
  return easy;
}

}  // namespace

void BoundsInReserve::take(const ReducedCount& count, double seconds_left) {
  if (!count.reduced) return;
  summary_ = static_cast<const InputSummary&>(count.result);
  weight_kind_ = count.weight_kind;
  notes_ = count.result.notes;
  factor_.multiply(positive(count.reduced->factor));
  for (const ReducedBlock& block : count.reduced->blocks) {
    refuse_negative(block.original);
    ReducedBlock own{{}, block.factor, block.reduced};
    // The blocks are to be those that are planned.
    if (weight_kind_ >= WeightKind::real) balance(own);
    factor_.multiply(positive(own.factor));
    for (AnyBlock& left : own.reduced) {
      check_stop();
      refuse_negative(left);
      Piece& piece = pieces_.emplace_back();
      piece.bounds = bounds_at_once(left);
      piece.block = std::move(left);
    }
  }
  ready_ = true;
  improve_pieces(count.resources.threads,
                 std::min(share_for_bounds * std::max(seconds_left, 0.0), most_seconds_before_plans));
}

void BoundsInReserve::improve_pieces(int threads, double seconds) {
  std::vector<std::size_t> order;
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    if (!pieces_[p].improved && !pieces_[p].count) order.push_back(p);
  }
  std::sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
    const double first = width_of(pieces_[a].bounds);
    const double second = width_of(pieces_[b].bounds);
    return first != second ? first > second : a < b;
  });
  for (const std::size_t p : order) {
    const double needed = static_cast<double>(entries_to_certify(pieces_[p].block)) *
                          seconds_to_bound_an_entry / std::max(threads, 1);
    if (needed > seconds) continue;
    seconds -= needed;
    pieces_[p].bounds = certified_bounds(pieces_[p].block, threads);
    pieces_[p].improved = true;
  }
}

void BoundsInReserve::improve(const std::vector<PlannedBlock>& planned, int threads, double seconds_left) {
  const double predicted = std::min(predicted_seconds(planned), std::max(seconds_left, 0.0));
  improve_pieces(threads, std::max(share_for_bounds * predicted, least_seconds_for_bounds));
}

void BoundsInReserve::make_the_best(const std::vector<PlannedBlock>& planned, const Resources& resources,
                                    const CountOptions& options, Monitor& monitor) {
  if (!ready_) return;
  const std::vector<const BlockPlan*> plans = plans_of(planned);
  const auto left = [&] { return std::max(options.time_limit_seconds - monitor.elapsed(), 0.0); };
  const std::vector<std::size_t> easy = easy_plans(plans, resources, share_for_easy_blocks * left());
  std::vector<std::unique_ptr<Ledger>> ledgers;
  std::vector<Task> tasks;
  double seconds = 0;
  for (const std::size_t p : easy) {
    const BlockPlan& plan = *plans[p];
    ledgers.push_back(std::make_unique<Ledger>(plan.job->units(), plan.choice.arithmetic));
    tasks.push_back(task_of(plan));
    tasks.back().ledger = ledgers.back().get();
    seconds += plan.seconds;
  }
  const auto keep_easy = [&] {
    for (std::size_t e = 0; e < easy.size(); ++e) keep(pieces_[easy[e]], *plans[easy[e]], *ledgers[e]);
  };
  try {
    if (!tasks.empty()) {
      monitor.begin_stage("count what is easy", seconds);
      run_tasks(tasks, fitting_threads(tasks, resources.threads, resources.memory_bytes), monitor);
    }
    keep_easy();
    monitor.begin_stage("plan", 0);
    improve_pieces(resources.threads, left());
  } catch (const Stopped&) {
    if (!monitor.limit_is_over()) monitor.throw_if_stopped();
    keep_easy();
  } catch (const UnableError&) {
    keep_easy();
  } catch (const std::bad_alloc&) {
    return;  // there are bounds of all
  }
}

void BoundsInReserve::keep(Piece& piece, const BlockPlan& plan, const Ledger& ledger) const {
  if (piece.count || ledger.units_done() != plan.job->units()) return;
  const StopSignal never;  // what follows is short, and the limit may be over
  const StopScope scope(&never);
  OrderedSum sum(ledger.arithmetic());
  for (FinishedRange& finished : ledger.ranges()) sum.add(finished.range, std::move(finished.value));
  Number count = to_number(sum.total(), plan.choice);
  if (rows_of(piece.block) <= most_rows_to_check) {
    Checks checks;
    verify_block({piece.block, mpq_class(1), {}}, count, 0, checks);
  }
  BoundedProduct interval;
  interval.multiply(count);
  if (interval.log2_upper() < piece.bounds.log2_lower || interval.log2_lower() > piece.bounds.log2_upper)
    Checks::failed("certified bounds",
                   fmt::format("from 2^{:.6f} ({}) to 2^{:.6f} ({})", piece.bounds.log2_lower,
                               piece.bounds.lower_by, piece.bounds.log2_upper, piece.bounds.upper_by),
                   to_string(count));
  piece.count = std::move(count);
  piece.method = plan.method->name();
}

void BoundsInReserve::keep_finished(const std::vector<PlannedBlock>& planned,
                                    const std::vector<Ledger*>& ledgers) {
  if (!ready_) return;
  const std::vector<const BlockPlan*> plans = plans_of(planned);
  for (std::size_t p = 0; p < plans.size() && p < ledgers.size(); ++p)
    keep(pieces_[p], *plans[p], *ledgers[p]);
}

BoundedCount BoundsInReserve::result(std::string reason, double seconds) const {
  BoundedCount result;
  static_cast<InputSummary&>(result) = summary_;
  result.reason = std::move(reason);
  result.notes = notes_;
  result.seconds = seconds;
  BoundedProduct total = factor_;
  double largest = -std::numeric_limits<double>::infinity();
  result.bounds.lower_by = result.bounds.upper_by = "count";
  for (const Piece& piece : pieces_) {
    BoundedBlock& block = result.blocks.emplace_back();
    block.rows = rows_of(piece.block);
    block.entries = entries_of(piece.block);
    block.general = is_general(piece.block);
    BoundedProduct own;
    if (piece.count) {
      ++result.counted;
      block.method = piece.method;
      block.count = to_string(*piece.count);
      own.multiply(*piece.count);
      total.multiply(*piece.count);
      block.bounds = {own.log10_lower(), own.log10_upper(), "count", "count"};
      continue;
    }
    block.bounds = report_of(piece.bounds);
    total.multiply(piece.bounds.log2_lower, piece.bounds.log2_upper);
    if (piece.bounds.log2_upper <= largest) continue;
    largest = piece.bounds.log2_upper;
    result.bounds.lower_by = piece.bounds.lower_by;
    result.bounds.upper_by = piece.bounds.upper_by;
  }
  result.bounds.log10_lower = total.log10_lower();
  result.bounds.log10_upper = total.log10_upper();
  const bool whole = weight_kind_ <= WeightKind::integer;
  result.lower = total.lower_text(whole);
  result.upper = total.upper_text(whole);
  return result;
}

}  // namespace countpm
