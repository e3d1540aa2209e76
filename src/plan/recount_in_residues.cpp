#include "src/plan/recount_in_residues.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "kernels/support/plan_text.hpp"
#include "src/number/residues_of_block.hpp"

namespace countpm {
namespace {

// One prime of so many bits lets a wrong count pass once in 2^48 times or less.
constexpr unsigned bits_enough = 48;
constexpr unsigned bits_shorter = 2;
// For methods that take no weights of more.
constexpr unsigned few_bits = 29;

void add_denominator(const Factor& factor, std::vector<mpz_class>& denominators) {
  const auto* const number = std::get_if<mpq_class>(&factor);
  if (number != nullptr && number->get_den() != 1) denominators.push_back(number->get_den());
}

std::vector<mpz_class> denominators_of(const PlannedBlock& planned, const PlannedBlock& recount) {
  std::vector<mpz_class> all = denominators_in(planned.block.original);
  for (const PlannedBlock* const one : {&planned, &recount}) {
    add_denominator(one->block.factor, all);
    for (const AnyBlock& reduced : one->block.reduced) {
      const std::vector<mpz_class> own = denominators_in(reduced);
      all.insert(all.end(), own.begin(), own.end());
    }
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

bool all_in_residues(const std::vector<BlockPlan>& plans) {
  return std::all_of(plans.begin(), plans.end(), [](const BlockPlan& plan) {
    return plan.job && plan.choice.arithmetic.kind == Arithmetic::Kind::residues;
  });
}

/// Of the smallest primes of the plans.
unsigned prime_bits_of(const std::vector<BlockPlan>& plans) {
  unsigned bits = MethodTraits().prime_bits;
  for (const BlockPlan& plan : plans) {
    for (const Modulus& modulus : plan.choice.arithmetic.moduli) {
      if (modulus.prime != 0) bits = std::min(bits, static_cast<unsigned>(std::bit_width(modulus.prime)));
    }
  }
  return bits;
}

/// By the same method, and in the same order if that is one for fewer primes, too.
BlockPlan plan_again(const AnyBlock& block, const BlockPlan& before, const Arithmetic& arithmetic,
                     const CountOptions& options, const Resources& resources, Monitor& monitor) {
  PlanRequest request;
  request.candidates.method = before.method->name();
  request.candidates.skip_primes = before.skip_primes;
  request.candidates.arithmetic = arithmetic;
  request.candidates.residues_only = true;
  try {
    PlanRequest same = request;
    same.candidates.plan = before.job->plan();
    same.search = false;
    return plan_block(block, WeightKind::rational, options, resources, same, monitor);
  } catch (const PlanError&) {
    return plan_block(block, WeightKind::rational, options, resources, request, monitor);
  }
}

}  // namespace

std::vector<Modulus> recount_primes(const PlannedBlock& planned, const PlannedBlock& recount, unsigned count,
                                    unsigned bits) {
  std::vector<Modulus> others;
  for (const BlockPlan& plan : planned.plans)
    others.insert(others.end(), plan.choice.arithmetic.moduli.begin(), plan.choice.arithmetic.moduli.end());
  return primes_beside(others, count, bits, denominators_of(planned, recount));
}

std::optional<std::vector<Modulus>> recount_primes_of(const PlannedBlock& planned,
                                                      const PlannedBlock& recount,
                                                      const Arithmetic& arithmetic) {
  if (arithmetic.kind != Arithmetic::Kind::residues || arithmetic.moduli.empty()) return std::nullopt;
  const auto bits = static_cast<unsigned>(std::bit_width(arithmetic.moduli.front().prime));
  const auto count = static_cast<unsigned>(arithmetic.moduli.size());
  constexpr unsigned least_bits = 20;
  if (bits < least_bits || bits + bits_shorter > MethodTraits().prime_bits || count > 2) return std::nullopt;
  std::vector<Modulus> primes = recount_primes(planned, recount, count, bits);
  if (primes != arithmetic.moduli) return std::nullopt;
  return primes;
}

void take_residues(PlannedBlock& recount, const std::vector<Modulus>& primes) {
  recount.modulus = product_of(primes);
  for (AnyBlock& reduced : recount.block.reduced) reduced = block_modulo(reduced, recount.modulus);
}

namespace {

bool plan_modulo(PlannedBlock& recount, std::vector<Modulus> primes, const CountOptions& options,
                 const Resources& resources, Monitor& monitor) {
  const mpz_class modulus = product_of(primes);
  Arithmetic arithmetic;
  arithmetic.moduli = std::move(primes);
  std::vector<AnyBlock> blocks;
  std::vector<BlockPlan> plans;
  for (std::size_t r = 0; r < recount.plans.size(); ++r) {
    blocks.push_back(block_modulo(recount.block.reduced[r], modulus));
    plans.push_back(plan_again(blocks.back(), recount.plans[r], arithmetic, options, resources, monitor));
  }
  if (!all_in_residues(plans)) return false;
  recount.modulus = modulus;
  recount.block.reduced = std::move(blocks);
  recount.plans = std::move(plans);
  return true;
}

}  // namespace

void plan_in_residues(const PlannedBlock& planned, PlannedBlock& recount, const CountOptions& options,
                      const Resources& resources, Monitor& monitor) {
  if (recount.plans.empty() || !all_in_residues(planned.plans) || !all_in_residues(recount.plans)) return;
  const unsigned bits = prime_bits_of(recount.plans) - bits_shorter;
  const unsigned count = bits >= bits_enough ? 1 : 2;
  if (!plan_modulo(recount, recount_primes(planned, recount, count, bits), options, resources, monitor))
    plan_modulo(recount, recount_primes(planned, recount, 1, few_bits), options, resources, monitor);
}

}  // namespace countpm
