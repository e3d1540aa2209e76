#pragma once
// Plans of a count that is wanted modulo given numbers alone (Options::modulo).
//
// A block is counted modulo these where a method can: its weights become residues, and its plan has the
// numbers' own factors for moduli, in place of as many primes as its bound asks for. A number P is 2^k times
// an odd one. Methods that add and multiply alone work in any ring: modulo 2^64 for the power of two, and
// modulo odd numbers below 2^62, prime or not. A method takes 2^64 if and only if it is one of these. The
// others divide, and need primes; where P has small ones, or one twice, they are left out. Where no method is
// left, or an exact count is as soon done, the block is counted exactly, and its count reduced.
#include <optional>
#include <string>
#include <vector>

#include "src/plan/planned_block.hpp"

namespace countpm {

/// What is to be known of a count, in moduli that methods can have.
class ModuloGoal {
 public:
  /// Precondition: each from 2 to 2^64.
  explicit ModuloGoal(const std::vector<mpz_class>& numbers);

  /// A multiple of each number, and modulo what blocks are counted directly.
  const mpz_class& product() const { return product_; }
  /// For methods that add and multiply alone: as few as possible. Empty: there are none, as why_not() says.
  const std::vector<Modulus>& moduli() const { return moduli_; }
  /// For methods that divide: primes of 20 bits or more, whose product is the same. Empty: there are none.
  const std::vector<Modulus>& primes() const { return primes_; }
  const std::string& why_not() const { return why_not_; }
  /// Whether it has an inverse modulo every number.
  bool inverts(const mpz_class& denominator) const { return gcd(denominator, product_) == 1; }

 private:
  mpz_class product_ = 1;
  std::vector<Modulus> moduli_;
  std::vector<Modulus> primes_;
  std::string why_not_;
};

/// Throws UsageError where a weight has a denominator without an inverse modulo one of the numbers: there is
/// no residue then.
void require_inverses(const Values& weights, const std::vector<mpz_class>& numbers);

/// A block's plan: modulo the goal, or exactly.
struct PlanModulo {
  BlockPlan plan;                 // its forecast says how (BlockForecast::modulo)
  std::optional<AnyBlock> block;  // in residues, where it is counted directly
};
PlanModulo plan_modulo(const AnyBlock& block, const ModuloGoal& goal, const CountOptions& options,
                       const Resources& resources, const PlanRequest& request, Monitor& monitor);

/// Why all blocks have to be counted exactly; empty where none has to. A reduction may have divided by what
/// has no inverse. factor: what was taken out before the blocks.
/// digit: the number that is asked for is a digit of the one that is counted.
std::string why_exactly(const Factor& factor, const std::vector<ReducedBlock>& blocks, const ModuloGoal& goal,
                        bool digit);
/// What forecasts say then (BlockForecast::modulo).
std::string in_words_exactly(const std::string& why);

/// plan_blocks() for the goal. exactly: why_exactly().
std::vector<PlannedBlock> plan_blocks_modulo(std::vector<ReducedBlock> blocks, const ModuloGoal& goal,
                                             const std::string& exactly, WeightKind weight_kind,
                                             const CountOptions& options, const Resources& resources,
                                             Monitor& monitor);

/// A second plan for a block that was planned in residues, of the same modulus: relabelled, and by other
/// methods, or by the same ones in another order. Without a job where there is none. nominal: nothing is
/// measured or searched.
PlannedBlock plan_recount_modulo(const PlannedBlock& planned, const RecountVariant& variant, bool nominal,
                                 const CountOptions& options, const Resources& resources, Monitor& monitor);

}  // namespace countpm
