#include "src/plan/plan_modulo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <type_traits>
#include <utility>
#include <variant>

#include "kernels/arithmetic/bound.hpp"
#include "src/number/factor_word.hpp"
#include "src/number/residues_of_block.hpp"

namespace countpm {
namespace {

// PrimeRing's.
constexpr unsigned most_modulus_bits = 62;
// Of primes for methods that divide: a pivot is 0 modulo a smaller one too often.
constexpr std::uint64_t least_prime = std::uint64_t{1} << 20U;
// A count of so many bits takes one modulus exactly, too, and has more checks then.
constexpr double bits_of_one_modulus = 60;
// What is planned to take less is not worth another plan.
constexpr double soon_planned_seconds = 0.02;
// ... and what is planned to take more is.
constexpr double long_planned_seconds = 5;
// Nominal rates are right within a factor of ten, and searches seldom save more than another.
constexpr double times_out_of_reach = 100;

mpz_class to_integer(std::uint64_t word) {
  return static_cast<std::uint64_t>(word);
}

bool is_below_limit(const mpz_class& number) {
  return mpz_sizeinbase(number.get_mpz_t(), 2) <= most_modulus_bits;
}

/// The factors of 2^64 and below.
std::vector<PrimePower> factors_of(const mpz_class& number) {
  constexpr unsigned word_bits = 64;
  if (mpz_sizeinbase(number.get_mpz_t(), 2) > word_bits) return {{2, word_bits}};
  return factor_word(number.get_ui());
}

/// As few numbers below 2^62 as the first places give, each a product of these.
std::vector<Modulus> products_below_limit(std::vector<mpz_class> factors) {
  std::sort(factors.begin(), factors.end(), [](const mpz_class& a, const mpz_class& b) { return a > b; });
  std::vector<mpz_class> products;
  for (const mpz_class& factor : factors) {
    const auto place = std::find_if(products.begin(), products.end(),
                                    [&](const mpz_class& one) { return is_below_limit(one * factor); });
    if (place == products.end()) {
      products.push_back(factor);
    } else {
      *place *= factor;
    }
  }
  std::vector<Modulus> moduli;
  moduli.reserve(products.size());
  for (const mpz_class& one : products) moduli.push_back({one.get_ui(), 0});
  return moduli;
}

Arithmetic over_moduli(const std::vector<Modulus>& moduli) {
  Arithmetic arithmetic;
  arithmetic.moduli = moduli;
  return arithmetic;
}

/// Whether it takes numbers without an inverse as they come.
bool works_in_any_ring(const Method& method, const AnyBlock& block) {
  constexpr unsigned word_bits = 64;
  return !method.obstacle(block, over_moduli({Modulus{0, word_bits}}));
}

/// The plan by these methods over these moduli; empty where there is none.
std::optional<BlockPlan> plan_over(const std::vector<Modulus>& moduli,
                                   const std::vector<const Method*>& methods, const AnyBlock& block,
                                   const CountOptions& options, const Resources& resources,
                                   const PlanRequest& given, Monitor& monitor) {
  const std::string& named = given.candidates.method;
  const bool wanted = std::any_of(methods.begin(), methods.end(), [&](const Method* method) {
    return named == "auto" || named == method->name();
  });
  if (moduli.empty() || !wanted) return std::nullopt;
  PlanRequest request = given;
  request.candidates.methods = &methods;
  request.candidates.arithmetic = over_moduli(moduli);
  request.candidates.residues_only = true;
  BlockPlan plan = plan_block(block, WeightKind::rational, options, resources, request, monitor);
  if (!plan.job) return std::nullopt;
  plan.choice.given = true;
  plan.forecast.arithmetic = plan.choice.name();
  plan.forecast.modulo = "directly";
  return plan;
}

/// best: seconds that another plan takes, or infinity.
std::optional<BlockPlan> plan_directly(const AnyBlock& block, const ModuloGoal& goal, double best,
                                       const CountOptions& options, const Resources& resources,
                                       const PlanRequest& request, Monitor& monitor) {
  std::vector<const Method*> any_ring;
  std::vector<const Method*> others;
  const bool same = goal.moduli() == goal.primes();
  for (const Method* method : *request.candidates.methods)
    (same || works_in_any_ring(*method, block) ? any_ring : others).push_back(method);
  auto by_primes = plan_over(goal.primes(), others, block, options, resources, request, monitor);
  if (by_primes) best = std::min(best, by_primes->seconds);
  if (best < std::numeric_limits<double>::infinity()) {
    // A search for a better order would take its share of what nobody waits for.
    PlanRequest quick = request;
    quick.nominal = true;
    quick.candidates.ask_all = false;
    const auto plan = plan_over(goal.moduli(), any_ring, block, options, resources, quick, monitor);
    if (!plan || plan->seconds > times_out_of_reach * std::max(best, soon_planned_seconds)) return by_primes;
  }
  auto plan = plan_over(goal.moduli(), any_ring, block, options, resources, request, monitor);
  if (by_primes && (!plan || by_primes->seconds < plan->seconds)) return by_primes;
  return plan;
}

void add_denominators(const Factor& factor, std::vector<mpz_class>& denominators) {
  if (const auto* number = std::get_if<mpq_class>(&factor)) denominators.push_back(number->get_den());
}

}  // namespace

ModuloGoal::ModuloGoal(const std::vector<mpz_class>& numbers) {
  std::map<std::uint64_t, unsigned> exponents;
  for (const mpz_class& number : numbers) {
    for (const PrimePower& power : factors_of(number)) {
      unsigned& exponent = exponents[power.prime];
      exponent = std::max(exponent, power.exponent);
    }
  }
  std::vector<mpz_class> odd;
  bool all_large_primes = true;
  for (const auto& [prime, exponent] : exponents) {
    if (prime == 2) {
      constexpr unsigned word_bits = 64;
      product_ <<= word_bits;
      moduli_.push_back({0, word_bits});
      all_large_primes = false;
      continue;
    }
    mpz_class power;
    mpz_pow_ui(power.get_mpz_t(), to_integer(prime).get_mpz_t(), exponent);
    product_ *= power;
    all_large_primes = all_large_primes && exponent == 1 && prime >= least_prime;
    if (!is_below_limit(power))
      why_not_ = fmt::format("{} divides a modulus, and residues are computed modulo numbers below 2^{}",
                             power.get_str(), most_modulus_bits);
    odd.push_back(std::move(power));
  }
  if (!why_not_.empty()) {
    moduli_.clear();
    return;
  }
  if (all_large_primes) {
    for (const mpz_class& prime : odd) primes_.push_back({prime.get_ui(), 0});
  }
  const std::vector<Modulus> rest = products_below_limit(std::move(odd));
  moduli_.insert(moduli_.end(), rest.begin(), rest.end());
}

void require_inverses(const Values& weights, const std::vector<mpz_class>& numbers) {
  const auto* rational = std::get_if<std::vector<mpq_class>>(&weights);
  if (rational == nullptr) return;
  const ModuloGoal goal(numbers);
  for (const mpq_class& weight : *rational) {
    if (weight.get_den() == 1 || goal.inverts(weight.get_den())) continue;
    const auto number = std::find_if(numbers.begin(), numbers.end(),
                                     [&](const mpz_class& one) { return gcd(one, weight.get_den()) != 1; });
    throw UsageError(fmt::format("the weight {} has no residue modulo {}: its denominator has no inverse",
                                 weight.get_str(), number->get_str()));
  }
}

PlanModulo plan_modulo(const AnyBlock& block, const ModuloGoal& goal, const CountOptions& options,
                       const Resources& resources, const PlanRequest& request, Monitor& monitor) {
  const auto exactly = [&](const std::string& why) {
    PlanModulo result{plan_block(block, WeightKind::rational, options, resources, request, monitor), {}};
    result.plan.forecast.modulo = in_words_exactly(why);
    return result;
  };
  if (goal.moduli().empty()) return exactly(goal.why_not());
  if (bound_of(block).log2_bound + (has_negative(block) ? 1 : 0) < bits_of_one_modulus)
    return exactly("the count takes one modulus, too");
  // One prime takes less than several, whatever the method. Of other numbers some methods are left out.
  std::optional<PlanModulo> exact;
  if (goal.moduli() != goal.primes() || goal.primes().size() > 1) {
    exact = exactly("that is predicted to be faster");
    if (exact->plan.job && exact->plan.seconds < soon_planned_seconds) return *std::move(exact);
  }
  AnyBlock in_residues = block_modulo(block, goal.product());
  std::optional<BlockPlan> plan =
      plan_directly(in_residues, goal,
                    exact && exact->plan.job ? exact->plan.seconds : std::numeric_limits<double>::infinity(),
                    options, resources, request, monitor);
  // Residues hide a small rank, for one, of fractions.
  if (plan && !exact && plan->seconds > long_planned_seconds)
    exact = exactly("that is predicted to be faster");
  if (plan && (!exact || !exact->plan.job || plan->seconds < exact->plan.seconds)) {
    plan->forecast.log2_bound = bound_of(block).log2_bound;
    return {*std::move(plan), std::move(in_residues)};
  }
  if (exact && plan) return *std::move(exact);
  return exactly("no method that fits counts it modulo such numbers");
}

std::string in_words_exactly(const std::string& why) {
  return "exactly, and then reduced: " + why;
}

std::string why_exactly(const Factor& factor, const std::vector<ReducedBlock>& blocks, const ModuloGoal& goal,
                        bool digit) {
  if (digit) return "a digit of the number that is counted is what is asked for";
  std::vector<mpz_class> denominators;
  add_denominators(factor, denominators);
  for (const ReducedBlock& block : blocks) {
    add_denominators(block.factor, denominators);
    for (const AnyBlock& left : block.reduced) {
      const std::vector<mpz_class> own = denominators_in(left);
      denominators.insert(denominators.end(), own.begin(), own.end());
    }
  }
  for (const mpz_class& denominator : denominators) {
    if (!goal.inverts(denominator))
      return fmt::format("it is divided by {} on the way, which has no inverse", denominator.get_str());
  }
  return {};
}

std::vector<PlannedBlock> plan_blocks_modulo(std::vector<ReducedBlock> blocks, const ModuloGoal& goal,
                                             const std::string& exactly, WeightKind weight_kind,
                                             const CountOptions& options, const Resources& resources,
                                             Monitor& monitor) {
  if (!exactly.empty()) {
    std::vector<PlannedBlock> planned =
        plan_blocks(std::move(blocks), weight_kind, options, resources, monitor);
    for (PlannedBlock& block : planned) {
      for (BlockPlan& plan : block.plans) plan.forecast.modulo = in_words_exactly(exactly);
    }
    return planned;
  }
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
    for (AnyBlock& reduced : last.block.reduced) {
      monitor.throw_if_stopped();
      ++request.block;
      PlanModulo one = plan_modulo(reduced, goal, options, resources, request, monitor);
      if (one.block) {
        last.modulus = goal.product();
        reduced = *std::move(one.block);
      }
      last.plans.push_back(std::move(one.plan));
      if (last.plans.back().seconds > options.time_limit_seconds - monitor.elapsed()) request.search = false;
    }
  }
  return planned;
}

PlannedBlock plan_recount_modulo(const PlannedBlock& planned, const RecountVariant& variant, bool nominal,
                                 const CountOptions& given, const Resources& resources, Monitor& monitor) {
  const ModuloGoal goal(given.modulo);
  CountOptions options = given;
  if (!variant.reduced) options.rules.enabled.fill(false);
  if (variant.same_methods) ++options.seed;
  PlanRequest request;
  request.nominal = nominal;
  if (!variant.same_methods) request.candidates.exclude = methods_without_news(planned.plans);
  PlannedBlock second = relabelled_block(planned, variant, WeightKind::rational, options, monitor);
  second.modulus = goal.product();
  bool possible = why_exactly(second.block.factor, {}, goal, false).empty();
  for (const AnyBlock& reduced : second.block.reduced) {
    for (const mpz_class& denominator : denominators_in(reduced)) possible &= goal.inverts(denominator);
  }
  // What was divided by on the way has no inverse: then without reductions, as weights have one.
  if (!possible && variant.reduced)
    return plan_recount_modulo(planned, {false, variant.same_methods}, nominal, given, resources, monitor);
  for (AnyBlock& reduced : second.block.reduced) {
    BlockPlan none;
    none.seconds = std::numeric_limits<double>::infinity();
    if (!possible) {
      second.plans.push_back(std::move(none));
      continue;
    }
    reduced = block_modulo(reduced, goal.product());
    auto plan = plan_directly(reduced, goal, std::numeric_limits<double>::infinity(), options, resources,
                              request, monitor);
    second.plans.push_back(plan ? *std::move(plan) : std::move(none));
  }
  return second;
}

}  // namespace countpm
