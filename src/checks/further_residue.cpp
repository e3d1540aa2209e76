#include "src/checks/further_residue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "kernels/arithmetic/to_mpz.hpp"
#include "kernels/support/plan_text.hpp"
#include "src/number/residues_of_block.hpp"
#include "src/plan/setup_costs.hpp"
#include "src/run/executor.hpp"

namespace countpm {
namespace {

const char* const further_residue = "one more residue";
// Of the time that counting took, or so many seconds.
constexpr double largest_residue_share = 0.2;
constexpr double few_seconds = 0.1;
constexpr double share_of_time_left = 0.5;
// A watch of its own, whose thread takes some 50 us to start, is for what may take longer than predicted.
constexpr double worth_a_watch_seconds = 0.005;
constexpr double times_predicted = 5;
// Waking threads takes longer than a count of less than this.
constexpr double worth_waking_threads_seconds = 0.0005;
constexpr unsigned word_prime_bits = 61;
constexpr unsigned half_a_word = 32;
constexpr unsigned few_prime_bits = 28;

/// What one plan counted.
struct Counted {
  const AnyBlock* block;
  const BlockPlan* plan;
  const TaskResult* result;
  const mpq_class* number;
};

double nominal_seconds_of(const Job& job) {
  return std::exp2(std::min(job.log2_work(), 1000.0)) / job.nominal_rate();
}

/// One bit below those that the method counts with: lists of other sizes have no prime in common.
unsigned prime_bits_for(const Method& method) {
  const unsigned own = method.traits().prime_bits;
  return (own <= half_a_word ? own : word_prime_bits) - 1;
}

/// A block modulo a prime that is none of the count's.
struct InResidues {
  mpz_class modulus;
  AnyBlock block;
  Arithmetic arithmetic;
};

InResidues in_residues(const Counted& counted, unsigned prime_bits) {
  const std::vector<Modulus> prime =
      primes_beside(counted.plan->choice.arithmetic.moduli, 1, prime_bits, denominators_in(*counted.block));
  const mpz_class modulus = product_of(prime);
  Arithmetic arithmetic;
  arithmetic.moduli = prime;
  return {modulus, block_modulo(*counted.block, modulus), std::move(arithmetic)};
}

/// The plan's own order, where it is one for a single prime, too.
std::unique_ptr<Job> make_job(const Counted& counted, const AnyBlock& block, const Arithmetic& arithmetic,
                              const CountOptions& options, const Resources& resources) {
  MethodOptions how{options.rules,          options.seed,  resources.threads,
                    resources.memory_bytes, options.order, {}};
  // At points there is no other plan than the block.
  std::string plan = counted.plan->choice.points ? std::string() : counted.plan->job->plan();
  if (!plan.empty()) how.plan = std::move(plan);
  try {
    return counted.plan->method->make_job(block, arithmetic, how);
  } catch (const PlanError&) {
    how.plan.reset();
    return counted.plan->method->make_job(block, arithmetic, how);
  }
}

class FurtherResidues {
 public:
  FurtherResidues(const BlockCounts& counts, const CountOptions& options, const Resources& resources,
                  Monitor& monitor, Checks& checks)
      : counts_(counts), options_(options), resources_(resources), monitor_(monitor), checks_(checks) {
    for (const std::vector<TaskResult>& block : counts.results) {
      for (const TaskResult& result : block) counted_seconds_ += result.seconds;
    }
    budget_ = std::max(few_seconds, largest_residue_share * counted_seconds_);
  }

  void verify(const Counted& counted) {
    const double allowed = std::min(budget_ - (seconds_now() - start_),
                                    share_of_time_left * (options_.time_limit_seconds - monitor_.elapsed()));
    if (setup_seconds_for(*counted.plan->method, rows_of(*counted.block)) > allowed) return too_long();
    try {
      watched(allowed, [&](Monitor& watch) { verify_within(counted, allowed, watch); });
    } catch (const UnableError& error) {
      monitor_.throw_if_stopped();
      leave_out(error.what());
    } catch (const std::bad_alloc&) {
      leave_out("there is not enough memory left for it");
    }
  }

 private:
  void leave_out(const std::string& why) { checks_.not_applicable(further_residue, why); }
  void too_long() {
    leave_out(options_.double_check
                  ? "it would take more than a fifth of the count's time; the double-check is modulo another "
                    "prime, too"
                  : "it would take more than a fifth of the count's time");
  }

  /// What takes longer than predicted is left out, as the count is there already.
  void watched(double allowed, const std::function<void(Monitor&)>& work) {
    if (counted_seconds_ < worth_a_watch_seconds && allowed >= few_seconds / 2) return work(monitor_);
    CountOptions limited = options_;
    limited.progress = nullptr;
    limited.time_limit_seconds = std::min(
        times_predicted * allowed, share_of_time_left * (options_.time_limit_seconds - monitor_.elapsed()));
    Monitor watch(limited);
    watch.explained([&] { work(watch); });
  }

  void verify_within(const Counted& counted, double allowed, Monitor& watch) {
    const double start = seconds_now();
    const Method& method = *counted.plan->method;
    InResidues residues = in_residues(counted, prime_bits_for(method));
    // Some take no weights of so many bits.
    if (method.obstacle(residues.block, residues.arithmetic)) residues = in_residues(counted, few_prime_bits);
    if (const auto obstacle = method.obstacle(residues.block, residues.arithmetic))
      return leave_out(obstacle->text);
    const std::unique_ptr<Job> job =
        make_job(counted, residues.block, residues.arithmetic, options_, resources_);
    if (peak_bytes({job.get()}, 1) > std::max(resources_.memory_bytes, resources_.most_memory_bytes))
      return leave_out("there is not enough memory for it");
    const double seconds = predicted_seconds(counted, *job);
    if (seconds > allowed - (seconds_now() - start)) return too_long();

    const std::vector<Task> tasks{{job.get(), &residues.arithmetic, std::string(method.name()), seconds}};
    const int threads = seconds < worth_waking_threads_seconds
                            ? 1
                            : fitting_threads(tasks, resources_.threads, resources_.memory_bytes);
    const std::vector<TaskResult> results = run_tasks(tasks, threads, watch);
    compare(*counted.number, residues.modulus,
            to_mpz(std::get<Residues>(results.front().value).residue.front()));
  }

  /// On this machine's CPU: as nominal rates have it, or, where that is what counted, as it went.
  double predicted_seconds(const Counted& counted, const Job& job) const {
    const double nominal = nominal_seconds_of(job);
    const bool counted_here = counted.plan->processors.gpus.empty() && options_.channel == nullptr;
    const Job& own = *counted.plan->job;
    const double own_seconds = counted.result->seconds > 0 ? counted.result->seconds : counted.plan->seconds;
    if (counted_here && own_seconds > 0 && nominal_seconds_of(own) > 0)
      return nominal / nominal_seconds_of(own) * own_seconds;
    return nominal / job.speed_up(counts_.threads);
  }

  void compare(const mpq_class& number, const mpz_class& modulus, const mpz_class& residue) {
    const std::optional<mpz_class> own = residue_of(number, modulus);
    if (!own || *own != residue)
      Checks::failed(
          further_residue,
          fmt::format("{} modulo {}, as counted modulo that alone", residue.get_str(), modulus.get_str()),
          fmt::format("{}, which is {}", number.get_str(), own ? own->get_str() : "none"));
    checks_.passed(further_residue, "the same modulo a prime that had no part in the count");
  }

  const BlockCounts& counts_;
  const CountOptions& options_;
  const Resources& resources_;
  Monitor& monitor_;
  Checks& checks_;
  double start_ = seconds_now();
  double counted_seconds_ = 0;
  double budget_ = 0;
};

}  // namespace

void verify_further_residues(const std::vector<PlannedBlock>& planned, const BlockCounts& counts,
                             const CountOptions& options, const Resources& resources, Monitor& monitor,
                             Checks& checks) {
  std::vector<Counted> all;
  for (std::size_t b = 0; b < planned.size(); ++b) {
    for (std::size_t r = 0; r < planned[b].plans.size(); ++r) {
      const BlockPlan& plan = planned[b].plans[r];
      if (plan.choice.arithmetic.kind != Arithmetic::Kind::residues) {
        checks.not_applicable(further_residue, "floating point carries an error bound instead");
        continue;
      }
      all.push_back({&planned[b].block.reduced[r], &plan, &counts.results[b][r],
                     &std::get<mpq_class>(counts.numbers[b][r])});
    }
  }
  // While there is time: first where more is at stake.
  std::stable_sort(all.begin(), all.end(), [](const Counted& a, const Counted& b) {
    const auto stake = [](const Counted& counted) {
      return std::pair(counted.plan->choice.denominator != 1, counted.plan->choice.arithmetic.moduli.size());
    };
    return stake(a) > stake(b);
  });
  if (all.empty() && planned.empty())
    checks.not_applicable(further_residue, "nothing was counted in residues");
  FurtherResidues further(counts, options, resources, monitor, checks);
  for (const Counted& counted : all) further.verify(counted);
}

}  // namespace countpm
