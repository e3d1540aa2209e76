// One more residue, and double-checks in residues: wrong bounds, wrong denominators and wrong clearings do
// not pass.
#include "src/checks/further_residue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "src/checks/count_checks.hpp"
#include "src/number/residues_of_block.hpp"
#include "tests/kernels/oracle.hpp"

namespace countpm::further_residue_test {
namespace {

mpq_class fraction(long numerator, const char* denominator) {
  mpq_class value(mpz_class{numerator}, mpz_class{denominator});
  value.canonicalize();
  return value;
}

/// Of 5 x 5 entries with denominators of 20 digits: a count takes several primes.
AnyBlock fractions() {
  return oracle::make_block<mpq_class>(5, 5, [](Index i, Index j) {
    return fraction(3 + 7 * i + 11 * j, (i + j) % 2 == 0 ? "100000000000000000000" : "33333333333333333331");
  });
}

AnyBlock integers() {
  return oracle::make_block<std::int64_t>(6, 6, [](Index i, Index j) { return 1000003 + 17 * i - 5 * j; });
}

/// A block counted by a method whose arithmetic was chosen by what somebody believes of the count.
class Counted {
 public:
  Counted(const AnyBlock& given, const std::string& method, const BlockBound& bound,
          WeightKind kind = WeightKind::rational)
      : kind_(kind) {
    options_.threads = 1;
    options_.device = "cpu";
    for (const RuleInfo& rule : rules()) options_.rules.drop(rule.rule);
    resources_ = resources_for(options_);
    RuleTally tally;
    planned_.emplace_back(reduce_block(given, options_.rules, tally));
    const AnyBlock& block = planned_.front().block.reduced.front();
    BlockPlan plan;
    plan.method = &method_named(method);
    plan.choice = choose_arithmetic(block, bound, *plan.method, kind, options_);
    plan.job = plan.method->make_job(block, plan.choice.arithmetic, {});
    plan.forecast.log2_bound = bound.log2_bound;
    plan.processors.cpu = true;
    planned_.front().plans.push_back(std::move(plan));
    Monitor monitor(options_);
    counts_ = run_planned(planned_, number_arithmetic(kind, options_), "count", resources_, monitor);
  }

  const mpq_class& number() const { return std::get<mpq_class>(counts_.counts.front()); }
  CountOptions& options() { return options_; }
  BlockCounts& counts() { return counts_; }
  std::size_t residues() const { return planned_.front().plans.front().choice.arithmetic.moduli.size(); }

  Check further_residue() {
    Monitor monitor(options_);
    Checks checks;
    verify_further_residues(planned_, counts_, options_, resources_, monitor, checks);
    EXPECT_EQ(checks.list().size(), 1U);
    return checks.list().front();
  }
  Check polynomial_residue(const CountedPolynomial& polynomial) {
    Monitor monitor(options_);
    Checks checks;
    verify_polynomial_residue(planned_, counts_, polynomial, options_, resources_, monitor, checks);
    EXPECT_EQ(checks.list().size(), 1U);
    return checks.list().front();
  }
  Check double_check() {
    Monitor monitor(options_);
    std::vector<PlannedBlock> recounts = plan_double_check(planned_, kind_, options_, resources_, monitor);
    EXPECT_NE(recounts.front().modulus, 0);
    const BlockCounts again =
        run_planned(recounts, number_arithmetic(kind_, options_), "double-check", resources_, monitor);
    Checks checks;
    verify_recounts(counts_, recounts, again, checks);
    EXPECT_EQ(checks.list().size(), 1U);
    return checks.list().front();
  }

 private:
  WeightKind kind_;
  CountOptions options_;
  Resources resources_;
  std::vector<PlannedBlock> planned_;
  BlockCounts counts_;
};

const std::vector<std::string> several_methods{"ryser", "definition", "frontier"};

TEST(FurtherResidue, AgreesWithWhatIsRight) {
  for (const std::string& method : several_methods) {
    SCOPED_TRACE(method);
    Counted counted(fractions(), method, bound_of(fractions()));
    EXPECT_GT(counted.residues(), 1U);
    const Check check = counted.further_residue();
    EXPECT_EQ(check.name, "one more residue");
    EXPECT_TRUE(check.ran) << check.detail;
    EXPECT_TRUE(counted.double_check().ran);
    Counted whole(integers(), method, bound_of(integers()), WeightKind::integer);
    EXPECT_TRUE(whole.further_residue().ran);
    EXPECT_TRUE(whole.double_check().ran);
  }
}

/// Its columns are words: a prime of 61 bits makes too much of a fraction.
TEST(FurtherResidue, OfAMethodThatTakesShortWeights) {
  const AnyBlock block = oracle::make_block<mpq_class>(
      9, 9, [](Index i, Index j) { return fraction(3 + 7 * i + 11 * j, (i + j) % 2 == 0 ? "7" : "12"); });
  Counted counted(block, "grouped", bound_of(block));
  EXPECT_TRUE(counted.further_residue().ran);
  EXPECT_TRUE(counted.double_check().ran);
  BlockBound low = bound_of(block);
  low.log2_bound = 20;
  EXPECT_THROW(Counted(block, "grouped", low).further_residue(), CheckError);
  BlockBound other = bound_of(block);
  other.denominator = 5;
  EXPECT_THROW(Counted(block, "grouped", other).further_residue(), CheckError);
}

TEST(FurtherResidue, CatchesABoundThatIsTooLow) {
  for (const std::string& method : several_methods) {
    SCOPED_TRACE(method);
    BlockBound bound = bound_of(fractions());
    bound.log2_bound -= 70;
    Counted counted(fractions(), method, bound);
    EXPECT_THROW(counted.further_residue(), CheckError);
    EXPECT_THROW(counted.double_check(), CheckError);

    // Modulo 2^64 or one prime, of a count beyond them.
    BlockBound low = bound_of(integers());
    low.log2_bound = 50;
    Counted whole(integers(), method, low, WeightKind::integer);
    EXPECT_THROW(whole.further_residue(), CheckError);
    EXPECT_THROW(whole.double_check(), CheckError);
  }
}

TEST(FurtherResidue, CatchesADenominatorThatIsNone) {
  for (const std::string& method : several_methods) {
    SCOPED_TRACE(method);
    // The count times it is no integer.
    BlockBound bound = bound_of(fractions());
    bound.denominator /= 100;
    Counted counted(fractions(), method, bound);
    EXPECT_THROW(counted.further_residue(), CheckError);
    EXPECT_THROW(counted.double_check(), CheckError);
  }
}

/// As of weights that were cleared by factors which the denominator does not have: a fraction within all
/// bounds.
TEST(FurtherResidue, CatchesAClearingThatIsAnother) {
  Counted counted(fractions(), "ryser", bound_of(fractions()));
  const mpq_class wrong = counted.number() / 3;
  counted.counts().counts.front() = wrong;
  counted.counts().numbers.front().front() = wrong;
  try {
    counted.further_residue();
    FAIL();
  } catch (const CheckError& error) {
    EXPECT_NE(std::string(error.what()).find(wrong.get_str()), std::string::npos);
  }
  EXPECT_THROW(counted.double_check(), CheckError);
}

/// A ring of four with weights 1/3 whose vertices may stay alone, or which is a tile; 2^40 is the letter.
TEST(FurtherResidue, CatchesDigitsThatAreOthers) {
  const mpq_class letter(mpz_class(1) << 40U);
  Block<mpq_class> ring = oracle::make_block<mpq_class>(4, 4, [&](Index i, Index j) {
    if (i == j) return letter;
    return (i + j) % 2 == 1 ? mpq_class(1, 3) : mpq_class(0);
  });
  ring.general = ring.monomers = true;
  Counted alone(ring, "frontier", bound_of(ring));
  const mpq_class third(1, 3);
  CountedPolynomial right{{1, 4 * third, 2 * third * third}, 40, false, 4, 1};
  EXPECT_TRUE(alone.polynomial_residue(right).ran);
  // A vertex beside it.
  right.vertices = 5;
  right.factor = letter;
  EXPECT_TRUE(alone.polynomial_residue(right).ran);
  CountedPolynomial wrong = right;
  wrong.coefficients[1] += 1;
  wrong.coefficients[2] -= letter * letter;  // the same number holds them
  EXPECT_THROW(alone.polynomial_residue(wrong), CheckError);

  Block<mpq_class> tiled = oracle::make_block<mpq_class>(5, 5, [&](Index i, Index j) {
    if (i == 4 || j == 4) return i == j ? mpq_class(0) : letter;
    return (i + j) % 2 == 1 ? mpq_class(1, 3) : mpq_class(0);
  });
  tiled.general = tiled.monomers = true;
  tiled.tiles = 1;
  Counted covers(tiled, "frontier", bound_of(tiled));
  right = {{2 * third * third, 1}, 40, true, 4, 1};
  EXPECT_TRUE(covers.polynomial_residue(right).ran);
  right.coefficients = {2 * third * third + letter, 0};
  EXPECT_THROW(covers.polynomial_residue(right), CheckError);
}

TEST(FurtherResidue, SaysWhereItDoesNotApply) {
  Counted counted(fractions(), "ryser", bound_of(fractions()));
  // Another residue takes as long as the one that there was.
  Counted slow(integers(), "ryser", bound_of(integers()), WeightKind::integer);
  slow.counts().results.front().front().seconds = 1000;
  slow.counts().results.front().front().thread_seconds = 1000;
  const Check check = slow.further_residue();
  EXPECT_FALSE(check.ran);
  EXPECT_NE(check.detail.find("more than a fifth"), std::string::npos) << check.detail;

  CountOptions& options = counted.options();
  options.time_limit_seconds = 1e-9;
  EXPECT_FALSE(counted.further_residue().ran);
}

TEST(FurtherResidue, BlocksInResidues) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 20; ++round) {
    const AnyBlock block = oracle::make_block<mpq_class>(4, 4, [&](Index, Index) {
      return fraction(static_cast<long>(random() % 19) - 9, random() % 2 == 0 ? "7" : "1000000000000");
    });
    const std::vector<mpz_class> denominators = denominators_in(block);
    EXPECT_TRUE(std::is_sorted(denominators.begin(), denominators.end()));
    const std::vector<Modulus> first = primes_beside({}, 1, 40, denominators);
    const std::vector<Modulus> primes = primes_beside(first, 2, 40, denominators);
    EXPECT_EQ(std::count(primes.begin(), primes.end(), first.front()), 0);
    for (const mpz_class& modulus : {mpz_class(7 * 11 * 13 * 17 + 2), product_of(primes)}) {
      if (gcd(modulus, mpz_class("7000000000000")) != 1) continue;
      const AnyBlock reduced = block_modulo(block, modulus);
      EXPECT_TRUE(denominators_in(reduced).empty());
      const auto& before = std::get<Block<mpq_class>>(block).matrix.value;
      std::visit(
          [&](const auto& after) {
            ASSERT_EQ(after.matrix.value.size(), before.size());
            for (std::size_t k = 0; k < before.size(); ++k) {
              if constexpr (!std::is_same_v<std::decay_t<decltype(after)>, Block<ComplexRational>>) {
                const mpq_class value(after.matrix.value[k]);
                EXPECT_GT(value, 0);
                EXPECT_EQ(residue_of(value, modulus), residue_of(before[k], modulus));
              }
            }
          },
          reduced);
    }
  }
  EXPECT_EQ(residue_of(mpq_class(1, 2), 7), mpz_class(4));
  EXPECT_EQ(residue_of(mpq_class(-1), 7), mpz_class(6));
  EXPECT_FALSE(residue_of(mpq_class(1, 14), 7));
}

}  // namespace
}  // namespace countpm::further_residue_test
