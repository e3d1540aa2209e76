#include "src/checks/count_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "kernels/arithmetic/ball.hpp"
#include "kernels/spread_form.hpp"
#include "kernels/support/spare_threads.hpp"
#include "src/checks/other_path.hpp"
#include "src/number/residues_of_block.hpp"

namespace countpm {
namespace {

// Runs longer than this have a unit of theirs run again.
constexpr double rerun_above_seconds = 5;
constexpr double rerun_of_residues_above_seconds = 0.1;
// ... unless that unit is a larger share of the whole.
constexpr double largest_rerun_share = 0.25;
// Going through the states, or the subsets, costs the same for one modulus as for many.
constexpr double least_share_of_a_modulus = 0.1;

// A permanent modulo a power of two takes this share of a count, on one core.
constexpr double share_of_power_of_two = 0.02;
constexpr double most_seconds_of_power_of_two = 2;

const char* const double_check = "double-check";

// The count of a block and its recount in residues, which is known modulo these alone.
void compare_residues(const mpq_class& count, const mpq_class& recount, const mpz_class& modulus,
                      const std::string& how, const std::string& name, Checks& checks) {
  const std::optional<mpz_class> own = residue_of(count, modulus);
  const std::optional<mpz_class> again = residue_of(recount, modulus);
  if (!own || !again || *own != *again)
    Checks::failed(name,
                   fmt::format("{}, which is {} modulo {}", count.get_str(), own ? own->get_str() : "none",
                               modulus.get_str()),
                   fmt::format("{} on {}", again ? again->get_str() : "none", how));
  checks.passed(name, fmt::format("counted again on {}", how));
}

// The two counts of one block by two methods: equal, or within their errors of each other.
void compare_counts(const Number& count, const Number& recount, const std::string& how,
                    const std::string& name, Checks& checks) {
  const auto* exact = std::get_if<mpq_class>(&count);
  const auto* again = std::get_if<mpq_class>(&recount);
  const bool agree = exact != nullptr && again != nullptr
                         ? *exact == *again
                         : balls_meet(ball_around(count), ball_around(recount));
  if (!agree)
    Checks::failed(name, fmt::format("{} again", to_string(count)),
                   fmt::format("{} on {}", to_string(recount), how));
  checks.passed(name, fmt::format("counted again on {}", how));
}

std::string methods_of(const PlannedBlock& planned) {
  std::vector<std::string> names;
  for (const BlockPlan& plan : planned.plans) {
    std::string name(plan.method->name());
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names.empty() ? "reductions alone" : fmt::format("{}", fmt::join(names, ", "));
}

// What was counted of a block, against the bound that its residues were chosen by.
void verify_planned_bounds(const PlannedBlock& planned, const std::vector<Number>& numbers, Checks& checks) {
  for (std::size_t r = 0; r < planned.plans.size(); ++r) {
    const BlockPlan& plan = planned.plans[r];
    if (plan.choice.arithmetic.kind != Arithmetic::Kind::residues) continue;
    const mpq_class count = std::get<mpq_class>(numbers[r]) * plan.choice.denominator;
    const double found = log2_above(count);
    const double bound = plan.forecast.log2_bound;
    if (found > bound + log_rounding(bound))
      Checks::failed("bound of the residues", fmt::format("at most 2^{:.6f}", bound),
                     fmt::format("2^{:.6f}", found));
    checks.passed("bound of the residues",
                  "what was counted is within the bound that the residues were chosen by");
  }
}

// On all threads, as a clock on the wall has it.
double seconds_counted(const BlockCounts& counts) {
  double seconds = 0;
  for (const std::vector<TaskResult>& block : counts.results) {
    for (const TaskResult& result : block) seconds += result.thread_seconds;
  }
  return seconds / std::max(counts.threads, 1);
}

// The last modulus that the unit says something of: where a unit is some of the primes, its other residues
// are 0.
std::size_t modulus_to_compare(const Residues& residues) {
  std::size_t last = residues.residue.size() - 1;
  for (std::size_t k = last; k > 0 && residues.residue[last] == 0; --k) {
    if (residues.residue[k - 1] != 0) last = k - 1;
  }
  return last;
}

// Of a unit's time, what one of the moduli takes that it says something of.
double share_of_a_modulus(const Residues& residues) {
  const auto zeros = std::count(residues.residue.begin(), residues.residue.end(), uint128{0});
  const auto others = static_cast<std::ptrdiff_t>(residues.residue.size()) - zeros;
  return std::max(least_share_of_a_modulus, 1 / static_cast<double>(std::max<std::ptrdiff_t>(others, 1)));
}

// Of a unit's time on the CPU, nominally.
double cpu_seconds_of(const Job& job, double share, int threads) {
  const double work = std::exp2(std::min(job.log2_work(), 1000.0)) / static_cast<double>(job.units());
  return share * work / (job.nominal_rate() * (job.runs_on_all_threads() ? job.speed_up(threads) : 1));
}

// How a recount was done: "the transpose by ryser".
std::string way_of(const PlannedBlock& recount) {
  return fmt::format(
      "{} by {}{}{}",
      is_general(recount.block.original) ? "the graph with its vertices renumbered" : "the transpose",
      methods_of(recount), recount.same_methods ? " again, in another order" : "",
      recount.modulus != 0 ? ", in residues of its own" : "");
}

/// Of a block that is known modulo a number alone: what the lowest bits say, where it knows them.
void verify_parity_of_residue(const PlannedBlock& planned, const Number& count, double seconds,
                              Checks& checks) {
  constexpr unsigned word_bits = 64;
  const mpz_class word = mpz_class(1) << word_bits;
  if (tiles_of(planned.block.original) != 0) return;
  if (planned.modulus % word != 0)
    return checks.not_applicable("parity", "a count modulo odd numbers has none");
  if (const auto low = residue_of(std::get<mpq_class>(count), word))
    verify_parity(planned.block.original, Number(mpq_class(*low)), seconds, checks);
}

}  // namespace

void refuse_uncertain(const std::vector<Number>& counts) {
  for (const Number& count : counts) {
    if (is_certain(count)) continue;
    throw UncertainError(
        fmt::format("rounding leaves no digit certain: a block's sum is {} with an error of up to {}",
                    to_string(count), error_string(count)),
        "--arithmetic with a number of bits may suffice; weights written as fractions p/q are summed "
        "exactly");
  }
}

void verify_blocks(const std::vector<PlannedBlock>& planned, const BlockCounts& counts, Problem problem,
                   Checks& checks) {
  refuse_uncertain(counts.counts);
  if (planned.empty() && beyond_perfect_matchings(problem))
    checks.not_applicable("upper bound", "there is no edge");
  else if (planned.empty())
    checks.passed("zero iff no perfect matching", "there is one perfect matching, of single entries");
  const double seconds = seconds_counted(counts);
  const double seconds_each = std::min(share_of_power_of_two * seconds, most_seconds_of_power_of_two) /
                              std::max<double>(1, static_cast<double>(planned.size()));
  std::uint64_t to_bound = entries_to_bound(seconds);
  for (std::size_t b = 0; b < planned.size(); ++b) {
    if (planned[b].modulus != 0) {
      verify_parity_of_residue(planned[b], counts.counts[b], seconds_each, checks);
      continue;
    }
    if (planned[b].whole()) {
      verify_block(planned[b].block, counts.counts[b], seconds_each, checks);
      verify_certified_bounds(planned[b].block.original, counts.counts[b], to_bound, checks);
    }
    verify_planned_bounds(planned[b], counts.numbers[b], checks);
  }
}

void verify_orders(const Number& total, WeightKind weight_kind, const std::string& name, Checks& checks) {
  const auto* exact = std::get_if<mpq_class>(&total);
  if (exact == nullptr || weight_kind > WeightKind::integer)
    return checks.not_applicable(name, "weights are not integers");
  if (exact->get_den() != 1) Checks::failed(name, "an integer", to_string(total));
  checks.passed(name, "what was counted is a multiple of their number");
}

void rerun_sampled_units(const std::vector<PlannedBlock>& planned, const BlockCounts& counts,
                         const Monitor& monitor, Checks& checks) {
  const std::string name = "unit run again";
  for (std::size_t b = 0; b < planned.size(); ++b) {
    for (std::size_t r = 0; r < planned[b].plans.size(); ++r) {
      const BlockPlan& plan = planned[b].plans[r];
      const TaskResult& result = counts.results[b][r];
      // Of residues alone this may be all that there is.
      const double least = planned[b].modulus != 0 ? rerun_of_residues_above_seconds : rerun_above_seconds;
      if (result.thread_seconds < least || plan.choice.arithmetic.kind != Arithmetic::Kind::residues)
        continue;
      if (!result.sampled_unit) {
        checks.not_applicable(name, "every unit was in the checkpoint already");
        continue;
      }
      // Modulo one of its primes, which takes that share of the time, or some more.
      const Residues& residues = std::get<Residues>(result.sampled_value);
      const double share = share_of_a_modulus(residues);
      if (share * result.sampled_seconds > largest_rerun_share * result.thread_seconds) {
        checks.not_applicable(name, "the count is one piece of work, or a few");
        continue;
      }
      const std::size_t modulus = modulus_to_compare(residues);
      Arithmetic alone = plan.choice.arithmetic;
      alone.moduli = {plan.choice.arithmetic.moduli[modulus]};
      if (parts_of(*plan.job) > 1) {
        checks.not_applicable(name, "the units were for the memory of all ranks");
        continue;
      }
      if (plan.job->is_for_gpus_alone()) {
        checks.not_applicable(name, "the units were cut for the memory of a GPU");
        continue;
      }
      const double on_cpu = cpu_seconds_of(*plan.job, share, counts.threads);
      if (!plan.processors.gpus.empty() && on_cpu > largest_rerun_share * result.thread_seconds) {
        checks.not_applicable(name, "on the CPU a unit would take more than a quarter of the time");
        continue;
      }
      const OtherPath path = path_over(plan, {alone});
      if (path.jobs.empty()) {
        checks.not_applicable(name, "the units depend on the arithmetic");
        continue;
      }
      const auto nominal_seconds = [](const Job& job) {
        return std::exp2(job.log2_work()) / job.nominal_rate();
      };
      const double ratio = nominal_seconds(*path.jobs.front()) / nominal_seconds(*plan.job);
      // Narrower lanes, for one. Of residues the unit's share of the time decides.
      constexpr double most_ratio = 1.2;
      constexpr double most_ratio_of_residues = 3;
      if (ratio > (planned[b].modulus != 0 ? most_ratio_of_residues : most_ratio)) {
        checks.not_applicable(name, "the other code takes longer than the count itself");
        continue;
      }
      // What goes through states takes more for one modulus than its share, and a job may know.
      if (ratio != 1 && ratio * result.sampled_seconds > largest_rerun_share * result.thread_seconds &&
          plan.processors.gpus.empty()) {
        checks.not_applicable(name, "a unit again would take more than a quarter of the time");
        continue;
      }
      const std::uint64_t unit = *result.sampled_unit;
      const SpareThreads spare(counts.threads);
      const Partial again = path.sum({unit, unit + 1}, monitor);
      const auto text = [](uint128 value) {
        return fmt::format("{:#018x}{:016x}", static_cast<std::uint64_t>(value >> 64),
                           static_cast<std::uint64_t>(value));
      };
      if (std::get<Residues>(again).residue[0] != residues.residue[modulus]) {
        Checks::failed(name, text(residues.residue[modulus]), text(std::get<Residues>(again).residue[0]));
      }
      checks.passed(
          name, fmt::format("unit {} of {} gave the same residue by itself", unit + 1, plan.job->units()));
    }
  }
}

void verify_recount(const Number& count, const PlannedBlock& recount, const Number& second,
                    const std::string& name, Checks& checks) {
  const auto* const exact = std::get_if<mpq_class>(&count);
  const auto* const again = std::get_if<mpq_class>(&second);
  if (recount.modulus != 0 && exact != nullptr && again != nullptr) {
    compare_residues(*exact, *again, recount.modulus, way_of(recount), name, checks);
  } else {
    compare_counts(count, second, way_of(recount), name, checks);
  }
}

void verify_recounts(const BlockCounts& counts, const std::vector<PlannedBlock>& recounts,
                     const BlockCounts& second, Checks& checks) {
  for (std::size_t b = 0; b < recounts.size(); ++b)
    verify_recount(counts.counts[b], recounts[b], second.counts[b], double_check, checks);
  if (recounts.empty()) checks.not_applicable(double_check, "every block is a single entry");
}

}  // namespace countpm
