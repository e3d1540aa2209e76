#include "src/plan/planned_block.hpp"

#include "src/plan/block_tasks.hpp"
#include "src/structure/balance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/arithmetic/ball.hpp"
#include "kernels/polynomial_method.hpp"
#include "matching/loop_matching.hpp"
#include "src/plan/plan_modulo.hpp"
#include "src/plan/recount_in_residues.hpp"

namespace countpm {
namespace {

// A recount without reductions is worth this many times the count's own time, or this many seconds.
constexpr double recount_factor = 10;
constexpr double recount_seconds = 5;
constexpr double worth_threads_seconds = 0.0005;
// What is unsure is worth this many times its forecast, or this many seconds, and half of the time left.
constexpr double unsure_factor = 10;
constexpr double unsure_seconds = 5;

double seconds_of(const std::vector<BlockPlan>& plans) {
  double seconds = 0;
  for (const BlockPlan& plan : plans) seconds += plan.seconds;
  return seconds;
}

RuleSet no_rules() {
  RuleSet set;
  set.enabled.fill(false);
  return set;
}

/// The same methods count by another seed, and so by another order.
PlannedBlock plan_recount(const PlannedBlock& planned, const RecountVariant& variant, WeightKind weight_kind,
                          const CountOptions& options, const Resources& resources, Monitor& monitor) {
  if (planned.modulus != 0) return plan_recount_modulo(planned, variant, false, options, resources, monitor);
  CountOptions recount_options = options;
  if (!variant.reduced) recount_options.rules = no_rules();
  if (variant.same_methods) ++recount_options.seed;
  PlanRequest request;
  if (!variant.same_methods) request.candidates.exclude = methods_without_news(planned.plans);
  request.candidates.skip_primes = primes_to_skip(planned.plans);
  PlannedBlock second = relabelled_block(planned, variant, weight_kind, options, monitor);
  // A plan that a journal or other ranks are told cannot be changed any more: none whose forecast
  // is a sample.
  const bool settled = options.checkpoint.used() || options.channel != nullptr;
  for (const AnyBlock& block : second.block.reduced) {
    PlanRequest own = request;
    BlockPlan plan = plan_block(block, weight_kind, recount_options, resources, own, monitor);
    while (settled && !variant.same_methods && plan.job && plan.job->sampled()) {
      own.candidates.exclude.emplace_back(plan.method->name());
      plan = plan_block(block, weight_kind, recount_options, resources, own, monitor);
    }
    second.plans.push_back(std::move(plan));
  }
  plan_in_residues(planned, second, recount_options, resources, monitor);
  return second;
}

}  // namespace

std::vector<std::string> methods_without_news(const std::vector<BlockPlan>& plans) {
  std::vector<std::string> names;
  for (const BlockPlan& plan : plans) {
    if (plan.method == nullptr) continue;
    names.emplace_back(plan.method->name());
    const std::string_view formula = plan.method->traits().formula;
    if (formula.empty()) continue;
    for (const Method* method : exact_methods()) {
      if (method->traits().formula == formula) names.emplace_back(method->name());
    }
  }
  return names;
}

unsigned primes_to_skip(const std::vector<BlockPlan>& plans) {
  std::size_t most = 1;
  for (const BlockPlan& plan : plans) {
    // A recount has 2^bits modulo its primes for a letter, and no points.
    if (!plan.choice.points) most = std::max(most, plan.choice.arithmetic.moduli.size());
  }
  return static_cast<unsigned>(most);
}

PlannedBlock relabelled_block(const PlannedBlock& planned, const RecountVariant& variant,
                              WeightKind weight_kind, const CountOptions& options, Monitor& monitor) {
  RuleTally tally;
  PlannedBlock second(reduce_block(relabelled(planned.block.original),
                                   variant.reduced ? options.rules : no_rules(), tally,
                                   [&monitor] { monitor.throw_if_stopped(); }));
  second.reduced = variant.reduced;
  second.same_methods = variant.same_methods;
  if (weight_kind >= WeightKind::real) balance(second.block);
  return second;
}

void enter_planning(const std::vector<ReducedBlock>& blocks, Monitor& monitor) {
  const AnyBlock* largest = nullptr;
  for (const ReducedBlock& block : blocks) {
    for (const AnyBlock& part : block.reduced) {
      if (largest == nullptr || rows_of(part) > rows_of(*largest)) largest = &part;
    }
  }
  if (largest == nullptr) return monitor.enter("planning");
  const bool general = is_general(*largest);
  monitor.enter(fmt::format("planning (the largest irreducible block has {} {} and {} {})", rows_of(*largest),
                            general ? "vertices" : "rows", entries_of(*largest),
                            general ? "edges" : "entries"));
}

std::vector<PlannedBlock> plan_blocks(std::vector<ReducedBlock> blocks, WeightKind weight_kind,
                                      const CountOptions& options, const Resources& resources,
                                      Monitor& monitor) {
  enter_planning(blocks, monitor);
  PlanRequest request;
  request.candidates.method = options.method;
  request.block = 0;
  request.blocks = 0;
  for (const ReducedBlock& block : blocks) request.blocks += block.reduced.size();
  std::vector<PlannedBlock> planned;
  planned.reserve(blocks.size());
  for (ReducedBlock& block : blocks) {
    PlannedBlock& last = planned.emplace_back(std::move(block));
    if (weight_kind >= WeightKind::real) balance(last.block);
    last.plans.reserve(last.block.reduced.size());
    for (const AnyBlock& reduced : last.block.reduced) {
      monitor.throw_if_stopped();
      ++request.block;
      last.plans.push_back(plan_block(reduced, weight_kind, options, resources, request, monitor));
      // One block beyond the limit makes the whole so: no more search.
      if (last.plans.back().seconds > options.time_limit_seconds - monitor.elapsed()) request.search = false;
    }
  }
  return planned;
}

std::vector<PlannedBlock> plan_double_check(const std::vector<PlannedBlock>& planned, WeightKind weight_kind,
                                            const CountOptions& options, const Resources& resources,
                                            Monitor& monitor) {
  std::vector<PlannedBlock> recounts;
  recounts.reserve(planned.size());
  for (const PlannedBlock& block : planned) {
    const double few = std::max(recount_seconds, recount_factor * seconds_of(block.plans));
    // General graphs have few methods: by another one it must be soon. Others are worth all the time there
    // is.
    const double long_enough = is_general(block.block.original)
                                   ? few
                                   : std::max(few, options.time_limit_seconds - monitor.elapsed());
    const auto plan = [&](const RecountVariant& recount) {
      return plan_recount(block, recount, weight_kind, options, resources, monitor);
    };
    recounts.push_back(plan({false, false}));
    if (seconds_of(recounts.back().plans) <= few) continue;
    recounts.pop_back();
    recounts.push_back(plan({true, false}));
    if (seconds_of(recounts.back().plans) <= long_enough) continue;
    recounts.pop_back();
    recounts.push_back(plan({true, true}));
  }
  return recounts;
}

PlannedBlock plan_recount_by_same_methods(const PlannedBlock& planned, WeightKind weight_kind,
                                          const CountOptions& options, const Resources& resources,
                                          Monitor& monitor) {
  return plan_recount(planned, {true, true}, weight_kind, options, resources, monitor);
}

bool is_unsure(const PlannedBlock& recount) {
  return !recount.same_methods &&
         std::any_of(recount.plans.begin(), recount.plans.end(),
                     [](const BlockPlan& plan) { return plan.job && plan.job->sampled(); });
}

double seconds_of_trial(double forecast, double seconds_left) {
  return std::min(std::max(unsure_seconds, unsure_factor * forecast), seconds_left / 2);
}

double predicted_seconds(const std::vector<PlannedBlock>& planned) {
  double seconds = 0;
  for (const PlannedBlock& block : planned) seconds += seconds_of(block.plans);
  return seconds;
}

void refuse_if_beyond_limits(const std::vector<PlannedBlock>& planned, const CountOptions& options,
                             const Resources& resources, double elapsed_seconds) {
  std::vector<const BlockPlan*> plans;
  for (const PlannedBlock& block : planned) {
    for (const BlockPlan& plan : block.plans) plans.push_back(&plan);
  }
  refuse_if_beyond_limits(plans, options, resources, elapsed_seconds);
}

namespace {

/// With monomers a block is a component of the graph, whether there is a matching or not: where there is none
/// its sum in floating point is 0 with an error that says nothing.
bool is_certainly_zero(const AnyBlock& block) {
  return has_monomers(block) && tiles_of(block) == 0 && !has_loop_matching(block);
}

}  // namespace

BlockCounts run_planned(const std::vector<PlannedBlock>& planned, const NumberArithmetic& arithmetic,
                        const std::string& stage, const Resources& resources, Monitor& monitor,
                        const std::vector<Ledger*>& ledgers, const TaskRunner& run) {
  std::vector<Task> tasks;
  double done = 0;
  double others = 0;  // what is none of the ledgers' share
  for (const PlannedBlock& block : planned) {
    for (const BlockPlan& plan : block.plans) {
      tasks.push_back(task_of(plan));
      if (ledgers.empty()) continue;
      tasks.back().ledger = ledgers[tasks.size() - 1];
      const Ledger& ledger = *tasks.back().ledger;
      const double unit_seconds = plan.seconds / static_cast<double>(ledger.units());
      done += unit_seconds * static_cast<double>(ledger.units_done());
      others += unit_seconds * static_cast<double>(ledger.units() - ledger.share_units());
    }
  }
  const double seconds = predicted_seconds(planned);
  monitor.begin_stage(stage, seconds - others, done);
  const int fitting = fitting_threads(tasks, resources.threads, resources.memory_bytes);
  // Waking threads takes longer than a count of less than this.
  const int threads = seconds < worth_threads_seconds ? 1 : fitting;
  std::vector<TaskResult> results = run(tasks, threads, monitor);

  BlockCounts counts;
  counts.threads = threads;
  counts.fitting_threads = fitting;
  std::size_t next = 0;
  for (const PlannedBlock& block : planned) {
    Number count = to_number(block.block.factor, arithmetic);
    std::vector<TaskResult>& own = counts.results.emplace_back();
    std::vector<Number>& numbers = counts.numbers.emplace_back();
    for (const BlockPlan& plan : block.plans) {
      own.push_back(std::move(results[next++]));
      numbers.push_back(to_number(own.back().value, plan.choice));
      multiply(count, numbers.back(), arithmetic);
    }
    if (!is_certain(count) && is_certainly_zero(block.block.original))
      count = zero_ball(std::get<Ball>(count).re.bits());
    counts.counts.push_back(std::move(count));
  }
  return counts;
}

}  // namespace countpm
