// Partial results, primes and the way back from residues, against GMP.
#include "kernels/arithmetic/arithmetic.hpp"

#include <gtest/gtest.h>

#include "kernels/arithmetic/ball.hpp"
#include "kernels/arithmetic/dispatch.hpp"
#include "tests/kernels/oracle.hpp"

namespace countpm {
namespace {

uint128 small(const mpz_class& value) {
  const mpz_class high = value >> 64;
  return static_cast<uint128>(high.get_ui()) << 64 | value.get_ui();
}
mpz_class modulus_of(const Modulus& modulus) {
  return modulus.prime != 0 ? mpz_class(static_cast<unsigned long>(modulus.prime))
                            : mpz_class(mpz_class(1) << modulus.power_of_two);
}
Residues residues_of(const mpz_class& value, const std::vector<Modulus>& moduli) {
  Residues result;
  for (const Modulus& modulus : moduli) {
    mpz_class rest;
    mpz_fdiv_r(rest.get_mpz_t(), value.get_mpz_t(), modulus_of(modulus).get_mpz_t());
    result.residue.push_back(small(rest));
  }
  return result;
}

TEST(Primes, AreTheLargestBelowTwoTo61) {
  const auto primes = choose_primes(50);
  ASSERT_EQ(primes.size(), 50);
  EXPECT_EQ(primes[0].prime, 2305843009213693951ULL);
  EXPECT_EQ(primes[1].prime, 2305843009213693921ULL);
  for (std::size_t k = 1; k < primes.size(); ++k) {
    ASSERT_LT(primes[k].prime, primes[k - 1].prime);
    // None in between is left out.
    mpz_class next;
    mpz_nextprime(next.get_mpz_t(), mpz_class(static_cast<unsigned long>(primes[k].prime)).get_mpz_t());
    ASSERT_EQ(next, mpz_class(static_cast<unsigned long>(primes[k - 1].prime)));
  }
  EXPECT_TRUE(choose_primes(0).empty());
}

// Where fewer bases prove a number a prime, and over the stretches that they are looked for in. Of 33 to 60
// bits those that are 3 modulo 4 are left out.
TEST(Primes, OfEverySizeNoneIsLeftOut) {
  for (const unsigned bits : {20U, 29U, 31U, 32U, 33U, 50U, 60U, 61U, 62U}) {
    const bool some = bits > 32 && bits < 61;
    mpz_class number = mpz_class(1) << bits;
    for (const Modulus& modulus : choose_primes(2000, {}, bits)) {
      ASSERT_TRUE(!some || modulus.prime % 4 == 1);
      mpz_class next = static_cast<unsigned long>(modulus.prime);
      do {
        mpz_nextprime(next.get_mpz_t(), next.get_mpz_t());
      } while (some && mpz_fdiv_ui(next.get_mpz_t(), 4) != 1);
      ASSERT_GE(next, number) << bits << ": " << modulus.prime;
      number = static_cast<unsigned long>(modulus.prime);
      ASSERT_NE(mpz_probab_prime_p(number.get_mpz_t(), 25), 0) << number;
    }
  }
}

TEST(Primes, SkipThoseThatDivideDenominators) {
  const auto all = choose_primes(5);
  const mpz_class product = mpz_class(static_cast<unsigned long>(all[0].prime)) *
                            mpz_class(static_cast<unsigned long>(all[3].prime));
  const auto some = choose_primes(3, {mpz_class(6), product});
  EXPECT_EQ(some, (std::vector<Modulus>{all[1], all[2], all[4]}));
}

TEST(JoinResidues, EdgesOfTheRange) {
  auto primes = choose_primes(3);
  for (const std::vector<Modulus>& moduli : {primes,
                                             {primes[0]},
                                             {Modulus{0, 64}},
                                             {Modulus{0, 128}},
                                             {Modulus{0, 128}, primes[0]},
                                             {primes[1], Modulus{0, 64}}}) {
    mpz_class product = 1;
    for (const Modulus& modulus : moduli) product *= modulus_of(modulus);
    const mpz_class half = product / 2;  // M even: M/2 itself is in (-M/2, M/2]
    for (const mpz_class& value :
         {mpz_class(0), mpz_class(1), half, mpz_class(half - 1), mpz_class(product - 1)}) {
      ASSERT_EQ(join_residues(residues_of(value, moduli), moduli, false), value);
    }
    for (const mpz_class& value : {mpz_class(0), mpz_class(-1), half, mpz_class(half - product + 1)}) {
      ASSERT_EQ(join_residues(residues_of(value, moduli), moduli, true), value);
    }
  }
}

TEST(JoinResidues, RandomIntegers) {
  gmp_randclass random(gmp_randinit_default);
  random.seed(7);
  for (unsigned count = 1; count <= 40; ++count) {
    const auto moduli = choose_primes(count);
    for (int k = 0; k < 20; ++k) {
      const mpz_class value = random.get_z_bits(61 * count - 2);
      ASSERT_EQ(join_residues(residues_of(value, moduli), moduli, false), value);
      ASSERT_EQ(join_residues(residues_of(-value, moduli), moduli, true), -value);
    }
  }
}

TEST(JoinResidues, RejectsWhatIsNotCoprime) {
  const auto primes = choose_primes(1);
  EXPECT_THROW(join_residues({{1, 1}}, {primes[0], primes[0]}, false), std::invalid_argument);
  EXPECT_THROW(join_residues({{1}}, {}, false), std::invalid_argument);
}

TEST(PartialAlgebra, ResiduesFollowGmp) {
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(2);
  arithmetic.moduli.push_back({0, 64});
  oracle::Random random(3);
  for (int k = 0; k < 2000; ++k) {
    const mpz_class a = mpz_class(static_cast<long>(random())) * static_cast<long>(random());
    const mpz_class b = mpz_class(static_cast<long>(random())) * static_cast<long>(random());
    Partial sum = from_factor(mpq_class(a), arithmetic);
    ASSERT_EQ(std::get<Residues>(sum), residues_of(a, arithmetic.moduli));
    Partial product = sum;
    add(sum, from_factor(mpq_class(b), arithmetic), arithmetic);
    multiply(product, from_factor(mpq_class(b), arithmetic), arithmetic);
    ASSERT_EQ(std::get<Residues>(sum), residues_of(a + b, arithmetic.moduli)) << a << ' ' << b;
    ASSERT_EQ(std::get<Residues>(product), residues_of(a * b, arithmetic.moduli)) << a << ' ' << b;
  }
  Arithmetic wide;
  wide.moduli = {{0, 128}};
  Partial square = from_factor(mpq_class(mpz_class(-1) << 70), wide);
  multiply(square, from_factor(mpq_class((mpz_class(1) << 57) - 1), wide), wide);
  EXPECT_EQ(std::get<Residues>(square),
            residues_of(-(mpz_class(1) << 127) + (mpz_class(1) << 70), wide.moduli));
}

TEST(PartialAlgebra, FractionsComeBack) {
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(3);
  Partial third = from_factor(mpq_class(22, 7), arithmetic);
  multiply(third, from_factor(mpq_class(7), arithmetic), arithmetic);
  EXPECT_EQ(join_residues(std::get<Residues>(third), arithmetic.moduli, true), 22);
  arithmetic.moduli = {{0, 64}};
  EXPECT_THROW(from_factor(mpq_class(1, 2), arithmetic), std::invalid_argument);
  EXPECT_THROW(from_factor(ComplexRational{1, 1}, arithmetic), std::invalid_argument);
}

TEST(PartialAlgebra, BallsContainTheTruth) {
  oracle::Random random(9);
  for (const Arithmetic& arithmetic : {Arithmetic{Arithmetic::Kind::floating, {}, Precision::kahan, 128},
                                       Arithmetic{Arithmetic::Kind::floating, {}, Precision::mpfr, 53},
                                       Arithmetic{Arithmetic::Kind::floating, {}, Precision::mpfr, 1000}}) {
    for (int round = 0; round < 300; ++round) {
      ComplexRational exact{1, 0};
      Partial partial = from_factor(mpq_class(1), arithmetic);
      for (int step = 0; step < 20; ++step) {
        const ComplexRational x =
            round % 2 == 0 ? oracle::random_value<ComplexRational>(random, 1, -50, 50)
                           : ComplexRational{oracle::random_value<mpq_class>(random, 1, -50, 50), 0};
        if (random() % 2 == 0) {
          add(partial, from_factor(x, arithmetic), arithmetic);
          exact = {mpq_class(exact.re + x.re), mpq_class(exact.im + x.im)};
        } else {
          multiply(partial, from_factor(x, arithmetic), arithmetic);
          exact = oracle::times(exact, x);
        }
      }
      const auto& ball = std::get<Ball>(partial);
      mpq_class re;
      mpq_class im;
      mpq_class error;
      mpfr_get_q(re.get_mpq_t(), ball.re.get());
      mpfr_get_q(im.get_mpq_t(), ball.im.get());
      mpfr_get_q(error.get_mpq_t(), ball.error.get());
      re -= exact.re;
      im -= exact.im;
      ASSERT_LE(re * re + im * im, error * error) << arithmetic.name() << " round " << round;
      if (round % 2 == 1) {
        ASSERT_TRUE(ball.im.is_zero());
      }
      const double size = std::hypot(exact.re.get_d(), exact.im.get_d());
      if (size > 1) {
        ASSERT_LT(error.get_d(), size * 1e-25);
      }
    }
  }
}

TEST(PartialAlgebra, NamesForTheReport) {
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(1);
  EXPECT_EQ(arithmetic.name(), "residues modulo 1 prime");
  arithmetic.moduli = choose_primes(3);
  EXPECT_EQ(arithmetic.name(), "residues modulo 3 primes");
  arithmetic.moduli = {{0, 128}};
  EXPECT_EQ(arithmetic.name(), "modulo 2^128");
  arithmetic.kind = Arithmetic::Kind::floating;
  EXPECT_EQ(arithmetic.name(), "double (Kahan)");
  arithmetic.precision = Precision::mpfr;
  arithmetic.bits = 256;
  EXPECT_EQ(arithmetic.name(), "MPFR 256 bits");
}

TEST(Obstacle, DenominatorsAndComplexNumbers) {
  Arithmetic primes;
  primes.moduli = choose_primes(2);
  Arithmetic wrap;
  wrap.moduli = {{0, 64}};
  const Arithmetic floating{Arithmetic::Kind::floating, {}, Precision::kahan, 128};
  const auto halves = oracle::make_block<mpq_class>(1, 1, [](Index, Index) { return mpq_class(1, 2); });
  const auto thirds = oracle::make_block<mpq_class>(1, 1, [](Index, Index) { return mpq_class(1, 3); });
  const auto complex = oracle::make_block<ComplexRational>(1, 1, [](Index, Index) {
    return ComplexRational{1, 1};
  });
  EXPECT_FALSE(obstacle(halves, primes));
  EXPECT_TRUE(obstacle(halves, wrap));
  EXPECT_FALSE(obstacle(thirds, wrap));
  EXPECT_TRUE(obstacle(complex, primes));
  EXPECT_FALSE(obstacle(complex, floating));
}

TEST(BigFloat, Prints) {
  EXPECT_EQ(BigFloat().to_string(5), "0");
  EXPECT_EQ(BigFloat(1250.0).to_string(3), "1.25e+03");
  EXPECT_EQ(BigFloat(-0.5).to_string(2), "-5.0e-01");
  EXPECT_EQ(BigFloat(1.0).to_string(1), "1e+00");
  EXPECT_EQ(BigFloat(mpq_class(mpz_class(1) << 5000), 64).to_string(3), "1.41e+1505");
}

}  // namespace
}  // namespace countpm
