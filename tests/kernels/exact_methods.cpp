// Every method of the table against the oracle and closed forms, in every arithmetic; and the rules that all
// jobs keep.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "graph/errors.hpp"
#include "kernels/arithmetic/ball.hpp"
#include "kernels/arithmetic/bound.hpp"
#include "kernels/arithmetic/to_mpz.hpp"
#include "kernels/method.hpp"
#include "kernels/polynomial_method.hpp"
#include "kernels/published/enumerate/enumerate.hpp"
#include "tests/cpu_seconds.hpp"
#include "tests/kernels/oracle.hpp"
#include "tests/kernels/print_method.hpp"
#include "tests/kernels/run_units.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using testing::repeats;
using testing::sum_of_units;

using oracle::pattern_block;

Arithmetic primes(unsigned count) {
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(count);
  return arithmetic;
}
Arithmetic wrap(unsigned bits) {
  Arithmetic arithmetic;
  arithmetic.moduli = {{0, bits}};
  return arithmetic;
}
Arithmetic floating(Precision precision, unsigned bits = 128) {
  return {Arithmetic::Kind::floating, {}, precision, bits};
}

Partial permanent(const Method& method, const AnyBlock& block, const Arithmetic& arithmetic,
                  const MethodOptions& options = {}) {
  return sum_of_units(*method.make_job(block, arithmetic, options), arithmetic);
}
mpz_class integer(const Method& method, const AnyBlock& block) {
  const Arithmetic arithmetic = primes(3);
  return join_residues(std::get<Residues>(permanent(method, block, arithmetic)), arithmetic.moduli, true);
}
bool contains(const Ball& ball, const ComplexRational& value) {
  const auto rational = [](const BigFloat& number) {
    mpq_class result;
    mpfr_get_q(result.get_mpq_t(), number.get());
    return result;
  };
  const mpq_class re = rational(ball.re) - value.re;
  const mpq_class im = rational(ball.im) - value.im;
  const mpq_class error = rational(ball.error);
  return re * re + im * im <= error * error;
}

std::vector<Arithmetic> all_arithmetics() {
  return {primes(1),
          primes(3),
          wrap(64),
          wrap(128),
          floating(Precision::plain),
          floating(Precision::kahan),
          floating(Precision::double_double),
          floating(Precision::mpfr, 53),
          floating(Precision::mpfr, 200)};
}

class EveryMethod : public ::testing::TestWithParam<const Method*> {};
std::string method_name(const ::testing::TestParamInfo<const Method*>& info) {
  std::string name(info.param->name());
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
// planar and condensation refuse most of the blocks here, hafnian all, and have tests of their own.
std::vector<const Method*> methods_of_any_matrix() {
  std::vector<const Method*> methods = exact_methods();
  const AnyBlock matrix = pattern_block(1, [](Index, Index) { return true; });
  std::erase_if(methods, [&](const Method* method) {
    return is_polynomial(*method) || method->obstacle(matrix, primes(1)).has_value();
  });
  return methods;
}
INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, ::testing::ValuesIn(methods_of_any_matrix()), method_name);

TEST_P(EveryMethod, AgreesWithTheOracleInEveryArithmetic) {
  const Method& method = *GetParam();
  const std::uint64_t seed = 101;
  oracle::Random random(seed);
  int compared = 0;
  for (int round = 0; round < repeats(120); ++round) {
    const auto n = static_cast<Index>(oracle::uniform(random, 0, 6));
    const double density = static_cast<double>(oracle::uniform(random, 3, 10)) / 10;
    const AnyBlock blocks[] = {oracle::random_block<std::int64_t>(random, n, density, 1, 1),
                               oracle::random_block<std::int64_t>(random, n, density, -4, 4),
                               oracle::random_block_with_classes<std::int64_t>(random, n, density, 0, 2),
                               oracle::random_block<mpq_class>(random, n, density, -9, 9),
                               oracle::random_block_with_classes<mpq_class>(random, n, density, 1, 9),
                               oracle::random_block<ComplexRational>(random, n, density, -9, 9)};
    for (const AnyBlock& block : blocks) {
      const ComplexRational exact = oracle::permanent(block);
      for (const Arithmetic& arithmetic : all_arithmetics()) {
        if (method.obstacle(block, arithmetic)) continue;
        const Partial result = permanent(method, block, arithmetic);
        ++compared;
        const std::string where = std::string(method.name()) + ", " + arithmetic.name() + ", seed " +
                                  std::to_string(seed) + ", round " + std::to_string(round) + "\n" +
                                  oracle::show(block) + "oracle " + exact.re.get_str() + " + i " +
                                  exact.im.get_str();
        if (arithmetic.kind == Arithmetic::Kind::residues) {
          ASSERT_EQ(std::get<Residues>(result), std::get<Residues>(from_factor(exact, arithmetic))) << where;
        } else {
          const auto& ball = std::get<Ball>(result);
          ASSERT_TRUE(contains(ball, exact)) << where << "\nball " << ball.re.to_string(30) << " + i "
                                             << ball.im.to_string(30) << " +- " << ball.error.to_string(5);
          if (!std::holds_alternative<Block<ComplexRational>>(block)) {
            ASSERT_TRUE(ball.im.is_zero()) << where;
          }
        }
      }
    }
  }
  EXPECT_GE(compared, testing::fewest(900));
}

/// What --modulo stands on (src/plan/plan_modulo.hpp): a method that takes 2^64 divides by nothing but 2, and
/// is right modulo every odd number below 2^62.
TEST_P(EveryMethod, ThatTakesPowersOfTwoTakesAnyOddModulus) {
  const Method& method = *GetParam();
  oracle::Random random(7);
  const std::vector<std::vector<Modulus>> lists{{{3, 0}},
                                                {{9, 0}},
                                                {{15, 0}},
                                                {{105, 0}, {0, 64}},
                                                {{998244353, 0}},
                                                {{500000003, 0}},
                                                {{1048575, 0}},
                                                {{2147483649, 0}},
                                                {{4611686018427387903, 0}},
                                                {{1152921504606846975, 0}, {0, 64}}};
  for (int round = 0; round < repeats(60); ++round) {
    const auto n = static_cast<Index>(oracle::uniform(random, 0, 7));
    const double density = static_cast<double>(oracle::uniform(random, 3, 10)) / 10;
    const AnyBlock blocks[] = {oracle::random_block<std::int64_t>(random, n, density, 1, 1),
                               oracle::random_block<std::int64_t>(random, n, density, -9, 9),
                               oracle::random_block_with_classes<std::int64_t>(random, n, density, 0, 2)};
    for (const AnyBlock& block : blocks) {
      if (method.obstacle(block, wrap(64))) continue;
      const ComplexRational exact = oracle::permanent(block);
      for (const std::vector<Modulus>& moduli : lists) {
        Arithmetic arithmetic;
        arithmetic.moduli = moduli;
        const auto residues = std::get<Residues>(permanent(method, block, arithmetic)).residue;
        for (std::size_t k = 0; k < moduli.size(); ++k) {
          const mpz_class modulus = to_mpz(moduli[k]);
          mpz_class truth;
          mpz_fdiv_r(truth.get_mpz_t(), exact.re.get_num_mpz_t(), modulus.get_mpz_t());
          ASSERT_EQ(to_mpz(residues[k]), truth)
              << method.name() << " modulo " << modulus << ", round " << round << "\n"
              << oracle::show(block);
        }
      }
    }
  }
}

TEST_P(EveryMethod, ClosedForms) {
  const Method& method = *GetParam();
  mpz_class factorial = 1;
  std::vector<mpz_class> derangements{1, 0};
  const std::vector<long> menage{1, 0, 0, 1, 2, 13, 80, 579, 4738};  // OEIS A000179
  for (Index n = 0; n <= 8; ++n) {
    if (n > 0) factorial *= n;
    if (n >= 2) derangements.emplace_back((n - 1) * (derangements[n - 1] + derangements[n - 2]));
    EXPECT_EQ(integer(method, pattern_block(n, [](Index, Index) { return true; })), factorial) << n;
    // J - I: also K_{n,n} minus a perfect matching.
    EXPECT_EQ(integer(method, pattern_block(n, [](Index i, Index j) { return i != j; })), derangements[n])
        << n;
    if (n >= 3) {
      EXPECT_EQ(
          integer(method, pattern_block(n, [&](Index i, Index j) { return i != j && (i + 1) % n != j; })),
          menage[n])
          << n;
    }
    if (n >= 1) {
      EXPECT_EQ(integer(method, pattern_block(n, [](Index i, Index j) { return i <= j + 1; })),
                mpz_class(1) << (n - 1))
          << n;
    }
  }
  // Blocks on the diagonal: 3! 2! 3!.
  const auto group = [](Index i) { return i < 3 ? 0 : i < 5 ? 1 : 2; };
  EXPECT_EQ(integer(method, pattern_block(8, [&](Index i, Index j) { return group(i) == group(j); })), 72);
  // A row without entries.
  EXPECT_EQ(integer(method, pattern_block(5, [](Index i, Index) { return i != 2; })), 0);
  EXPECT_EQ(integer(method, pattern_block(5, [](Index, Index j) { return j != 2; })), 0);
  // J_8 as one column eight times.
  Block<std::int64_t> ones =
      oracle::make_block<std::int64_t>(8, 1, [](Index, Index) { return std::int64_t{1}; });
  ones.multiplicity = {8};
  EXPECT_EQ(integer(method, ones), 40320);
}

TEST_P(EveryMethod, UnitsRunTwiceInAnyOrderOnAnyThread) {
  const Method& method = *GetParam();
  oracle::Random random(7);
  for (const Arithmetic& arithmetic : {primes(2), wrap(64), floating(Precision::kahan)}) {
    const AnyBlock block = oracle::random_block<std::int64_t>(random, 9, 0.8, 1, 3);
    if (method.obstacle(block, arithmetic)) continue;
    const auto job = method.make_job(block, arithmetic, {});
    ASSERT_GE(job->units(), 1);
    ASSERT_LE(job->units(), 65536);
    const StopSignal stop;
    std::vector<Partial> once(job->units());
    const auto work = [&](std::uint64_t first, std::uint64_t step) {
      for (std::uint64_t unit = first; unit < job->units(); unit += step) once[unit] = job->run(unit, stop);
    };
    std::thread other(work, 1, 2);
    work(0, 2);
    other.join();
    Partial backwards = zero(arithmetic);
    for (std::uint64_t unit = job->units(); unit-- > 0;) {
      const Partial again = job->run(unit, stop);
      if (arithmetic.kind == Arithmetic::Kind::residues) {
        ASSERT_EQ(std::get<Residues>(again), std::get<Residues>(once[unit])) << unit;
      } else {
        ASSERT_NE(mpfr_equal_p(std::get<Ball>(again).re.get(), std::get<Ball>(once[unit]).re.get()), 0)
            << unit;
        ASSERT_NE(mpfr_equal_p(std::get<Ball>(again).error.get(), std::get<Ball>(once[unit]).error.get()), 0)
            << unit;
      }
      add(backwards, again, arithmetic);
    }
    const Partial fresh = permanent(method, block, arithmetic);
    if (arithmetic.kind == Arithmetic::Kind::residues) {
      ASSERT_EQ(std::get<Residues>(backwards), std::get<Residues>(fresh));
    } else {
      ASSERT_TRUE(contains(std::get<Ball>(backwards), {mpq_class(integer(method, block)), 0}));
    }
  }
}

TEST_P(EveryMethod, AJobWithOneOfItsModuliHasTheSameUnits) {
  const Method& method = *GetParam();
  oracle::Random random(11);
  const Arithmetic two = primes(2);
  Arithmetic last = two;
  last.moduli = {two.moduli.back()};
  for (const Index n : {6U, 9U, testing::sanitized ? 11U : 13U}) {
    const AnyBlock block = oracle::random_block<std::int64_t>(random, n, 0.6, 1, 3);
    if (method.obstacle(block, two)) continue;
    const auto job = method.make_job(block, two, {});
    const StopSignal stop;
    job->improve(0.01, stop);
    const auto other = job->with_moduli_subset(last);
    if (!other) continue;
    ASSERT_EQ(other->units(), job->units());
    const std::uint64_t step = std::max<std::uint64_t>(job->units() / 8, 1);
    for (std::uint64_t unit = 0; unit < job->units(); unit += step) {
      ASSERT_EQ(std::get<Residues>(other->run(unit, stop)).residue.at(0),
                std::get<Residues>(job->run(unit, stop)).residue.at(1))
          << "n = " << n << ", unit " << unit;
    }
  }
}

TEST_P(EveryMethod, ForecastsAreFiniteAndJobsAreCheap) {
  const Method& method = *GetParam();
  const Arithmetic arithmetic = primes(1);
  const AnyBlock blocks[] = {Block<std::int64_t>{},
                             pattern_block(1, [](Index, Index) { return true; }),
                             pattern_block(12, [](Index, Index) { return true; }),
                             pattern_block(3, [](Index, Index) { return false; }),
                             pattern_block(300, [](Index i, Index j) { return (i + 300 - j) % 300 < 5; }),
                             pattern_block(100, [](Index, Index) { return true; })};
  for (const AnyBlock& block : blocks) {
    if (method.obstacle(block, arithmetic)) continue;
    const double start = testing::cpu_seconds();
    const auto job = method.make_job(block, arithmetic, {});
    EXPECT_TRUE(std::isfinite(job->log2_work()));
    EXPECT_GT(job->nominal_rate(), 0);
    EXPECT_GE(job->units(), 1);
    EXPECT_LE(job->units(), 1U << 24U);
    EXPECT_GT(job->bytes_per_thread(), 0);
    EXPECT_GT(job->measured_rate(0.01), 0);
    EXPECT_LT(testing::cpu_seconds() - start, 5);
  }
}

TEST_P(EveryMethod, StopsWhenAsked) {
  const Method& method = *GetParam();
  const auto job = method.make_job(pattern_block(40, [](Index, Index) { return true; }), primes(1), {});
  StopSignal stop;
  std::thread asker([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop.request();
  });
  const double start = testing::cpu_seconds();
  bool stopped = false;
  bool done_before = false;  // some methods count this block in no time
  try {
    for (std::uint64_t unit = 0; unit < job->units(); ++unit) job->run(unit, stop);
    done_before = !stop.requested();
  } catch (const Stopped&) {
    stopped = true;
  }
  EXPECT_TRUE(stopped || done_before);
  EXPECT_LT(testing::cpu_seconds() - start, 1);
  asker.join();
}

TEST(MethodTable, NamesAreFoundAndOthersListed) {
  for (const Method* method : exact_methods()) EXPECT_EQ(&method_named(method->name()), method);
  try {
    method_named("riser");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("'riser'"), std::string::npos);
    for (const Method* method : exact_methods())
      EXPECT_NE(std::string(error.what()).find(method->name()), std::string::npos);
  }
}

TEST(Enumerate, UnranksInLexicographicOrder) {
  for (Index n = 0; n <= 6; ++n) {
    std::vector<Index> expected(n);
    for (Index i = 0; i < n; ++i) expected[i] = i;
    unsigned long rank = 0;
    do {
      ASSERT_EQ(unrank_permutation(rank++, n), expected) << rank;
    } while (std::next_permutation(expected.begin(), expected.end()));
  }
  // Beyond 128 bits: the last permutation of 60.
  mpz_class last;
  mpz_fac_ui(last.get_mpz_t(), 60);
  last -= 1;
  const auto permutation = unrank_permutation(last, 60);
  for (Index i = 0; i < 60; ++i) ASSERT_EQ(permutation[i], 59 - i);
}

TEST(EnumerateAndDefinition, AgreeOnLargerBlocks) {
  oracle::Random random(12);
  for (int round = 0; round < repeats(12); ++round) {
    const AnyBlock block = oracle::random_block<std::int64_t>(random, 9, 0.7, -9, 9);
    ASSERT_EQ(integer(method_named("definition"), block), integer(method_named("enumerate"), block))
        << oracle::show(block);
  }
}

}  // namespace
}  // namespace countpm
