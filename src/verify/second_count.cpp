#include "src/verify/second_count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "graph/errors.hpp"
#include "src/count/planned_count.hpp"
#include "src/plan/planned_block.hpp"
#include "src/run/executor.hpp"
#include "src/text/format_duration.hpp"

namespace countpm {
namespace {

bool is_unsure(const Recount& way) {
  return way.job && way.method->name() != way.before && way.job->sampled();
}

}  // namespace

std::uint64_t random_prime() {
  std::random_device random;
  for (;;) {
    const std::uint64_t start = std::uint64_t{1} << 60 | (std::uint64_t{random()} << 28 ^ random());
    mpz_class prime;
    mpz_nextprime(prime.get_mpz_t(), mpz_class(static_cast<unsigned long>(start)).get_mpz_t());
    if (mpz_sizeinbase(prime.get_mpz_t(), 2) == 61) return prime.get_ui();
  }
}

SecondCount::SecondCount(WeightKind weight_kind, const CountOptions& options, const Modulus& prime,
                         Monitor& monitor)
    : weight_kind_(weight_kind), options_(options), resources_(resources_for(options)), monitor_(monitor) {
  one_.moduli = {prime};
}

double SecondCount::time_left() const {
  return options_.time_limit_seconds - monitor_.elapsed();
}

/// least: the least seconds of those that could, but for the budget.
std::optional<Recount> SecondCount::way(const AnyBlock& block, const PlanRequest& request, double budget,
                                        double& least) {
  BlockPlan plan = plan_block(block, weight_kind_, options_, resources_, request, monitor_);
  if (!plan.job || plan.method->obstacle(block, one_)) return std::nullopt;
  const double seconds = plan.seconds / static_cast<double>(plan.choice.arithmetic.moduli.size());
  least = std::min(least, seconds);
  if (!(seconds <= budget)) return std::nullopt;
  MethodOptions how{options_.rules,          options_.seed,  resources_.threads,
                    resources_.memory_bytes, options_.order, {}};
  const std::string text = plan.job->plan();
  if (!text.empty()) how.plan = text;
  Recount result;
  result.method = plan.method;
  result.job = plan.method->make_job(block, one_, how);
  result.seconds = seconds;
  return result;
}

Recount SecondCount::way_to_recount(const AnyBlock& block, const std::string& before) {
  double least = std::numeric_limits<double>::infinity();
  Recount best;
  for (const std::vector<std::string>& exclude : {std::vector<std::string>{before}, {}}) {
    PlanRequest request;
    request.candidates.exclude = exclude;
    if (auto found = way(block, request, time_left() - planned_seconds_, least)) {
      best = std::move(*found);
      planned_seconds_ += best.seconds;
      break;
    }
  }
  if (!best.job) {
    best.why_not = std::isinf(least)
                       ? "no method can"
                       : fmt::format("predicted to take {} modulo one prime", format_duration(least));
  }
  best.before = before;
  return best;
}

Recount SecondCount::by_the_same(const AnyBlock& block, const std::string& before) {
  double least = std::numeric_limits<double>::infinity();
  PlanRequest request;
  request.candidates.method = before;
  Recount best;
  if (auto found = way(block, request, time_left(), least)) best = std::move(*found);
  if (!best.job) best.why_not = "by other methods it takes longer than it was predicted to";
  best.before = before;
  return best;
}

void SecondCount::try_the_unsure(const std::vector<AnyBlock>& blocks, std::vector<Recount>& ways) {
  double seconds = 0;
  for (const Recount& way : ways) seconds += is_unsure(way) ? way.seconds : 0;
  if (seconds > 0) monitor_.begin_stage("verify", seconds);
  bool too_slow = false;
  for (std::size_t k = 0; k < ways.size(); ++k) {
    Recount& way = ways[k];
    if (!is_unsure(way)) continue;
    if (!too_slow) {
      const std::vector<Task> task{{way.job.get(), &one_, std::string(way.method->name()), way.seconds}};
      CountOptions limited = options_;
      limited.progress = nullptr;
      limited.time_limit_seconds = seconds_of_trial(way.seconds, time_left());
      Monitor monitor(limited);
      try {
        way.value =
            run_tasks(task, fitting_threads(task, resources_.threads, resources_.memory_bytes), monitor)[0]
                .value;
        monitor_.finish(way.seconds);
        continue;
      } catch (const UnableError&) {
        monitor_.throw_if_stopped();
        too_slow = true;
      }
    }
    way = by_the_same(blocks[k], way.before);
  }
}

void SecondCount::run(std::vector<Recount>& ways) {
  std::vector<Task> tasks;
  std::vector<Recount*> of_tasks;
  double seconds = 0;
  for (Recount& way : ways) {
    if (!way.job || way.value) continue;
    tasks.push_back({way.job.get(), &one_, std::string(way.method->name()), way.seconds});
    of_tasks.push_back(&way);
    seconds += way.seconds;
  }
  monitor_.begin_stage("verify", seconds);
  std::vector<TaskResult> results =
      run_tasks(tasks, fitting_threads(tasks, resources_.threads, resources_.memory_bytes), monitor_);
  for (std::size_t k = 0; k < results.size(); ++k) of_tasks[k]->value = std::move(results[k].value);
}

}  // namespace countpm
