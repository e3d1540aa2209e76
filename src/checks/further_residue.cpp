#include "src/checks/further_residue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "kernels/arithmetic/to_mpz.hpp"
#include "kernels/spread_form.hpp"
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
constexpr double times_predicted = 2;
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
  MethodOptions how{options.rules, options.seed, resources.threads, resources.memory_bytes,
                    options.order, {},           options.settings};
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

/// A block in residues with another in place of every tile, or of every vertex that stays alone.
AnyBlock with_letter(AnyBlock any_block, bool tiles, const mpz_class& letter) {
  std::visit(
      [&](auto& block) {
        using Value = typename std::decay_t<decltype(block.matrix.value)>::value_type;
        if constexpr (!std::is_same_v<Value, ComplexRational>) {
          const Index vertices = block.matrix.rows - block.tiles;
          for (Index i = 0; i < block.matrix.rows; ++i) {
            for (std::uint64_t k = block.matrix.row_start[i];
                 k < block.matrix.row_start[i + std::uint64_t{1}]; ++k) {
              const Index j = block.matrix.column[k];
              if (tiles ? std::max(i, j) >= vertices : i == j)
                block.matrix.value[k] = static_cast<Value>(letter.get_si());
            }
          }
        }
      },
      any_block);
  return any_block;
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
    within_limits(counted, [&](double allowed, Monitor& watch) {
      const Method& method = *counted.plan->method;
      InResidues residues = in_residues(counted, prime_bits_for(method));
      // Some take no weights of so many bits.
      if (method.obstacle(residues.block, residues.arithmetic))
        residues = in_residues(counted, few_prime_bits);
      if (const auto residue = count(counted, residues, allowed, watch))
        compare(*counted.number, residues.modulus, *residue);
    });
  }

  /// Modulo a prime of 60 bits; empty where it is left out.
  std::optional<mpz_class> at_letter(const Counted& counted, const Modulus& prime, bool tiles,
                                     const mpz_class& letter) {
    std::optional<mpz_class> residue;
    within_limits(counted, [&](double allowed, Monitor& watch) {
      InResidues residues{static_cast<std::uint64_t>(prime.prime), {}, {}};
      residues.block = with_letter(block_modulo(*counted.block, residues.modulus), tiles, letter);
      residues.arithmetic.moduli = {prime};
      residue = count(counted, residues, allowed, watch);
    });
    return residue;
  }

  void compare_polynomial(const CountedPolynomial& polynomial, const mpz_class& letter,
                          const mpz_class& modulus, const mpz_class& residue) {
    mpz_class sum;
    for (std::size_t k = 0; k < polynomial.coefficients.size(); ++k) {
      const std::optional<mpz_class> own = residue_of(polynomial.coefficients[k], modulus);
      if (!own) Checks::failed(further_residue, "denominators of the weights", "others");
      mpz_class power;
      mpz_powm_ui(power.get_mpz_t(), letter.get_mpz_t(), polynomial.tiles ? k : polynomial.vertices - 2 * k,
                  modulus.get_mpz_t());
      sum = (sum + *own * power) % modulus;
    }
    if (sum != residue)
      Checks::failed(further_residue,
                     fmt::format("{} modulo {} at {}, as counted there", residue.get_str(), modulus.get_str(),
                                 letter.get_str()),
                     sum.get_str());
    checks_.passed(further_residue,
                   "the polynomial's value at another point, modulo a prime that had no part in the count");
  }

 private:
  /// Does the work, and leaves it out where it turns out not to fit.
  void within_limits(const Counted& counted, const std::function<void(double, Monitor&)>& work) {
    const double allowed = std::min(budget_ - (seconds_now() - start_),
                                    share_of_time_left * (options_.time_limit_seconds - monitor_.elapsed()));
    if (setup_seconds_for(*counted.plan->method, pattern_of(*counted.block)) > allowed) return too_long();
    try {
      watched(allowed, [&](Monitor& watch) { work(allowed, watch); });
    } catch (const UnableError& error) {
      monitor_.throw_if_stopped();
      leave_out(error.what());
    } catch (const std::bad_alloc&) {
      leave_out("there is not enough memory left for it");
    }
  }

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

  std::optional<mpz_class> count(const Counted& counted, const InResidues& residues, double allowed,
                                 Monitor& watch) {
    const double start = seconds_now();
    const Method& method = *counted.plan->method;
    if (const auto obstacle = method.obstacle(residues.block, residues.arithmetic)) {
      leave_out(obstacle->text);
      return std::nullopt;
    }
    const std::unique_ptr<Job> job =
        make_job(counted, residues.block, residues.arithmetic, options_, resources_);
    if (peak_bytes({job.get()}, 1) > std::max(resources_.memory_bytes, resources_.most_memory_bytes)) {
      leave_out("there is not enough memory for it");
      return std::nullopt;
    }
    const double seconds = predicted_seconds(counted, *job);
    if (seconds > allowed - (seconds_now() - start)) {
      too_long();
      return std::nullopt;
    }

    const std::vector<Task> tasks{{job.get(), &residues.arithmetic, std::string(method.name()), seconds}};
    const int threads = seconds < worth_waking_threads_seconds
                            ? 1
                            : fitting_threads(tasks, resources_.threads, resources_.memory_bytes);
    const std::vector<TaskResult> results = run_tasks(tasks, threads, watch);
    return to_mpz(std::get<Residues>(results.front().value).residue.front());
  }

  /// On this machine's CPU: as nominal rates have it, or, where CPUs counted, as it went.
  double predicted_seconds(const Counted& counted, const Job& job) const {
    const double nominal = nominal_seconds_of(job);
    const Job& own = *counted.plan->job;
    const bool by_cpus = counted.plan->processors.gpus.empty() && parts_of(own) == 1;
    // Of others' units, too: each is one thread's, or all threads'.
    const double units_seconds = counted.result->thread_seconds;
    if (by_cpus && units_seconds > 0)
      return nominal / nominal_seconds_of(own) * units_seconds /
             (own.runs_on_all_threads() ? 1 : std::max(counts_.threads, 1));
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

namespace {

/// What was counted in residues; the rest is left out.
std::vector<Counted> counted_in_residues(const std::vector<PlannedBlock>& planned, const BlockCounts& counts,
                                         Checks& checks) {
  std::vector<Counted> all;
  for (std::size_t b = 0; b < planned.size(); ++b) {
    if (planned[b].modulus != 0) continue;  // it is known modulo that alone
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
  return all;
}

}  // namespace

void verify_further_residues(const std::vector<PlannedBlock>& planned, const BlockCounts& counts,
                             const CountOptions& options, const Resources& resources, Monitor& monitor,
                             Checks& checks) {
  std::vector<Counted> all = counted_in_residues(planned, counts, checks);
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

void verify_polynomial_residue(const std::vector<PlannedBlock>& planned, const BlockCounts& counts,
                               const CountedPolynomial& polynomial, const CountOptions& options,
                               const Resources& resources, Monitor& monitor, Checks& checks) {
  std::vector<Modulus> others;
  std::vector<mpz_class> denominators{polynomial.factor.get_den()};
  const std::vector<Counted> all = counted_in_residues(planned, counts, checks);
  std::uint64_t in_blocks = 0;
  for (const Counted& counted : all) {
    const std::vector<Modulus>& moduli = counted.plan->choice.arithmetic.moduli;
    others.insert(others.end(), moduli.begin(), moduli.end());
    const std::vector<mpz_class> own = denominators_in(*counted.block);
    denominators.insert(denominators.end(), own.begin(), own.end());
    in_blocks += rows_of(*counted.block);
  }
  const Modulus prime = primes_beside(others, 1, word_prime_bits - 1, denominators).front();
  const mpz_class modulus = static_cast<std::uint64_t>(prime.prime);
  const mpz_class letter = mpz_class("11400714819323198485") % modulus;  // any point; by the golden ratio
  // Of a vertex by itself its weight alone, as a power of two, is in the factor.
  mpz_class residue = residue_of(polynomial.factor, modulus).value();
  if (!polynomial.tiles) {
    mpz_class power = mpz_class(1) << polynomial.bits;
    mpz_invert(power.get_mpz_t(), power.get_mpz_t(), modulus.get_mpz_t());
    power *= letter;
    mpz_powm_ui(power.get_mpz_t(), power.get_mpz_t(), polynomial.vertices - in_blocks, modulus.get_mpz_t());
    residue = residue * power % modulus;
  }
  FurtherResidues further(counts, options, resources, monitor, checks);
  for (const Counted& counted : all) {
    const auto one = further.at_letter(counted, prime, polynomial.tiles, letter);
    if (!one) return;
    residue = residue * *one % modulus;
  }
  further.compare_polynomial(polynomial, letter, modulus, residue);
}

}  // namespace countpm
