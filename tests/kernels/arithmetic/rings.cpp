// The laws of every ring, against GMP; and the running error bound, against exact sums of products.
#include <gtest/gtest.h>

#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/arithmetic/ring_values.hpp"
#include "kernels/arithmetic/triple_ring.hpp"
#include "tests/kernels/oracle.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using testing::repeats;

static_assert(ExactRing<PrimeRing> && ExactRing<WrapRing<std::uint64_t>> && ExactRing<WrapRing<uint128>>);
static_assert(FloatingRing<DoubleRing> && FloatingRing<KahanRing> && FloatingRing<DoubleDoubleRing> &&
              FloatingRing<MpfrRing>);
static_assert(FloatingRing<ComplexRing<DoubleRing>> && FloatingRing<ComplexRing<KahanRing>>);
static_assert(FloatingRing<ComplexRing<DoubleDoubleRing>> && FloatingRing<ComplexRing<MpfrRing>>);

mpz_class big(uint128 value) {
  return (mpz_class(static_cast<unsigned long>(value >> 64)) << 64) +
         mpz_class(static_cast<unsigned long>(value));
}

mpz_class residue(const mpz_class& value, const mpz_class& modulus) {
  mpz_class result;
  mpz_fdiv_r(result.get_mpz_t(), value.get_mpz_t(), modulus.get_mpz_t());
  return result;
}

template <class R>
void check_exact_laws(const R& ring, const mpz_class& modulus, std::uint64_t seed) {
  oracle::Random random(seed);
  std::vector<std::int64_t> samples{0, 1, -1, 2, -2, 3, INT64_MAX, INT64_MIN, INT64_MAX - 1, INT64_MIN + 1};
  for (int k = 0; k < 300; ++k) samples.push_back(static_cast<std::int64_t>(random()) >> (random() % 60));
  for (int k = 0; k < 3000; ++k) {
    const std::int64_t x = samples[random() % samples.size()];
    const std::int64_t y = samples[random() % samples.size()];
    const mpz_class a = x;
    const mpz_class b = y;
    const auto p = ring.from_int64(x);
    const auto q = ring.from_int64(y);
    ASSERT_EQ(big(ring.to_residue(p)), residue(a, modulus)) << x;
    ASSERT_EQ(big(ring.to_residue(ring.add(p, q))), residue(a + b, modulus)) << x << ' ' << y;
    ASSERT_EQ(big(ring.to_residue(ring.sub(p, q))), residue(a - b, modulus)) << x << ' ' << y;
    ASSERT_EQ(big(ring.to_residue(ring.mul(p, q))), residue(a * b, modulus)) << x << ' ' << y;
    ASSERT_EQ(big(ring.to_residue(ring.neg(p))), residue(-a, modulus)) << x;
    ASSERT_EQ(ring.is_zero(p), residue(a, modulus) == 0);
    // A long product, so that unreduced intermediate values show.
    const auto cube = ring.mul(ring.mul(p, q), ring.mul(q, ring.add(p, q)));
    ASSERT_EQ(big(ring.to_residue(cube)), residue(a * b * b * (a + b), modulus)) << x << ' ' << y;
  }
  ASSERT_EQ(ring.to_residue(ring.one()), 1);
  ASSERT_EQ(ring.to_residue(ring.zero()), 0);
  for (int k = 0; k < 500; ++k) {
    const auto odd = static_cast<unsigned long>(random() % 100000) * 2 + 1;
    if (gcd(modulus, mpz_class(odd)) != 1) continue;
    mpq_class value(static_cast<long>(samples[random() % samples.size()]), odd);
    value.canonicalize();
    value *= mpz_class(static_cast<unsigned long>(random()));  // wider than a word
    const auto element = ring.from_mpq(value);
    const auto back = ring.mul(element, ring.from_mpq(mpq_class(value.get_den())));
    ASSERT_EQ(big(ring.to_residue(back)), residue(value.get_num(), modulus)) << value;
  }
}

TEST(FloatRings, RationalsThatAreDoublesAreReadAsThese) {
  oracle::Random random(7);
  const auto check = [](const mpz_class& numerator, const mpz_class& denominator) {
    mpq_class value(numerator, denominator);
    value.canonicalize();
    const double nearest = BigFloat(value, 53).to_double();
    EXPECT_EQ(nearest_double(value), nearest) << value;
    const mpq_class rest = value - mpq_class(nearest);
    const DoubleDouble pair = nearest_double_double(value);
    EXPECT_EQ(pair.high, nearest) << value;
    EXPECT_EQ(pair.low, BigFloat(rest, 53).to_double()) << value;
  };
  const mpz_class one = 1;
  for (const unsigned shift : {0U, 1U, 53U, 900U, 901U, 1074U}) {
    for (const unsigned bits : {0U, 52U, 53U, 54U}) {
      check(one << bits, one << shift);
      check(-((one << bits) + 1), one << shift);
      check((one << bits) + 1, (one << shift) * 3);
    }
  }
  for (int round = 0; round < 200; ++round)
    check(static_cast<long>(random()), one << oracle::uniform(random, 0, 80));
}

TEST(Rings, PrimeRingFollowsGmp) {
  for (const std::uint64_t prime :
       {3ULL, 5ULL, 7ULL, 1000003ULL, 2305843009213693951ULL, 4611686018427387847ULL}) {
    ASSERT_NE(mpz_probab_prime_p(mpz_class(static_cast<unsigned long>(prime)).get_mpz_t(), 30), 0) << prime;
    check_exact_laws(PrimeRing(prime), mpz_class(static_cast<unsigned long>(prime)), prime);
  }
}

TEST(Rings, PrimeRingInverts) {
  const PrimeRing ring((std::uint64_t{1} << 61) - 1);
  oracle::Random random(5);
  for (int k = 0; k < 1000; ++k) {
    const auto a = ring.from_int64(static_cast<std::int64_t>(random() >> 1) + 1);
    ASSERT_EQ(ring.to_residue(ring.mul(a, ring.inverse(a))), 1);
  }
}

TEST(Rings, WrapRingFollowsGmp) {
  check_exact_laws(WrapRing<std::uint64_t>(), mpz_class(1) << 64, 1);
  check_exact_laws(WrapRing<uint128>(), mpz_class(1) << 128, 2);
}

TEST(Rings, NeumaierKeepsWhatPlainSumsLose) {
  NeumaierSum sum;
  for (const double term : {1.0, 1e100, 1.0, -1e100}) sum.add(term);
  EXPECT_EQ(sum.value(), 2.0);
}

TEST(Rings, DoubleDoubleStaysWithinItsBounds) {
  oracle::Random random(11);
  const DoubleDoubleRing ring;
  const auto exact = [](DoubleDouble a) { return mpq_class(mpq_class(a.high) + mpq_class(a.low)); };
  for (int k = 0; k < repeats(20000); ++k) {
    const auto draw = [&] {
      mpq_class value(static_cast<long>(random()) >> 1, 1 + (random() >> (random() % 60)));
      value.canonicalize();
      return value;
    };
    const mpq_class x = draw();
    const mpq_class y =
        random() % 4 == 0 ? mpq_class(-x * mpq_class(1 + 1e-13)) : draw();  // also near cancellation
    const DoubleDouble a = ring.from_mpq(x);
    const DoubleDouble b = ring.from_mpq(y);
    ASSERT_LE(abs(exact(a) - x), abs(x) * mpq_class(ring.add_error())) << x;
    const mpq_class sum = exact(a) + exact(b);
    ASSERT_LE(abs(exact(ring.add(a, b)) - sum), abs(sum) * mpq_class(ring.add_error())) << x << ' ' << y;
    const mpq_class product = exact(a) * exact(b);
    ASSERT_LE(abs(exact(ring.mul(a, b)) - product), abs(product) * mpq_class(ring.mul_error()))
        << x << ' ' << y;
  }
}

mpq_class exact_value(const TripleDouble& a) {
  return mpq_class(a.high) + mpq_class(a.middle) + mpq_class(a.low);
}

/// What every bound of triple_double.hpp rests on.
void expect_normal(const TripleDouble& a) {
  ASSERT_LE(std::fabs(a.middle), 0x1p-52 * std::fabs(a.high));
  ASSERT_LE(std::fabs(a.low), 0x1p-53 * std::fabs(a.middle));
}

void expect_triple_laws(const TripleDouble& a, const TripleDouble& b) {
  const TripleDoubleRing ring;
  const mpq_class unit = 0x1p-159;  // 53 bits, three times
  const mpq_class x = exact_value(a);
  const mpq_class y = exact_value(b);
  const TripleDouble sum = ring.add(a, b);
  const TripleDouble product = ring.mul(a, b);
  expect_normal(sum);
  expect_normal(product);
  ASSERT_LE(abs(exact_value(sum) - x - y), (abs(x) + abs(y)) * unit * 16);
  ASSERT_LE(abs(exact_value(product) - x * y), abs(x * y) * unit * 72);
}

TEST(Rings, TripleDoubleStaysWithinItsBounds) {
  oracle::Random random(12);
  const TripleDoubleRing ring;
  for (int k = 0; k < repeats(20000); ++k) {
    const auto draw = [&] {
      mpq_class value(static_cast<long>(random()) >> (random() % 40), 1 + (random() >> (random() % 60)));
      value.canonicalize();
      return value;
    };
    const mpq_class x = draw();
    // Near cancellation, too: the sum's first doubles, or two of three, are gone.
    const mpq_class near = mpq_class(1) + mpq_class(1, mpz_class(1) << (random() % 170));
    const mpq_class y = random() % 2 == 0 ? mpq_class(-x * near) : draw();
    const TripleDouble a = ring.from_mpq(x);
    const TripleDouble b = ring.from_mpq(y);
    expect_normal(a);
    ASSERT_LE(abs(exact_value(a) - x), abs(x) * mpq_class(ring.add_error())) << x;
    expect_triple_laws(a, b);
    // What is left of a sum that cancels has few bits, in any of the three.
    const TripleDouble left = ring.add(a, b);
    expect_triple_laws(left, a);
    expect_triple_laws(left, ring.neg(left));
    expect_triple_laws(left, left);
  }
}

// Doubles that overlap, cancel, are 0: sum_of() makes a triple of them, and loses nothing.
TEST(Rings, ThreeDoublesBecomeATriple) {
  oracle::Random random(13);
  for (int k = 0; k < 50000; ++k) {
    std::vector<double> part;
    for (int p = 0; p < 3; ++p) {
      const auto bits = random() % 54;
      const double mantissa = static_cast<double>(static_cast<std::int64_t>(random() >> (63 - bits)));
      const int exponent = static_cast<int>(random() % 160) - 80;
      part.push_back((random() % 2 == 0 ? mantissa : -mantissa) * std::ldexp(1.0, exponent));
      if (p > 0 && random() % 4 == 0)
        part.back() = -part[p - 1] * (1 + 0x1p-50 * static_cast<double>(random() % 3));
    }
    const TripleDouble sum = triple_double::sum_of(part[0], part[1], part[2]);
    expect_normal(sum);
    ASSERT_EQ(exact_value(sum), mpq_class(part[0]) + mpq_class(part[1]) + mpq_class(part[2]));
  }
}

std::vector<Arithmetic> floating_arithmetics() {
  std::vector<Arithmetic> result;
  for (const Precision precision : {Precision::plain, Precision::kahan, Precision::double_double}) {
    result.push_back({Arithmetic::Kind::floating, {}, precision, 128});
  }
  for (const unsigned bits : {53U, 100U, 300U})
    result.push_back({Arithmetic::Kind::floating, {}, Precision::mpfr, bits});
  return result;
}

mpq_class rational(const BigFloat& value) {
  mpq_class result;
  mpfr_get_q(result.get_mpq_t(), value.get());
  return result;
}

bool contains(const Ball& ball, const ComplexRational& value) {
  const mpq_class re = rational(ball.re) - value.re;
  const mpq_class im = rational(ball.im) - value.im;
  const mpq_class error = rational(ball.error);
  return re * re + im * im <= error * error;
}

/// Ryser's sum, row sums kept up from subset to subset as a kernel does: cancellation and drift, the hard
/// case for the bound.
template <class Value>
void check_running_error(double density, std::int64_t low, std::int64_t high, int rounds,
                         std::uint64_t seed) {
  oracle::Random random(seed);
  for (int round = 0; round < rounds; ++round) {
    const auto n = static_cast<Index>(oracle::uniform(random, 1, 6));
    const Block<Value> block = oracle::random_block<Value>(random, n, density, low, high);
    const ComplexRational exact = oracle::permanent(block);
    for (const Arithmetic& arithmetic : floating_arithmetics()) {
      const Partial partial = sum_in_rings(arithmetic, is_complex(block), [&](const auto& ring, auto& sum) {
        const auto values = ring_values(ring, block);
        std::vector<std::decay_t<decltype(ring.zero())>> rows(n, ring.zero());
        sum.expect_sums(n, 1U << n);
        sum.scale(values.exponent);
        for (std::uint64_t step = 1; step < 1U << n; ++step) {
          const auto flip = static_cast<Index>(std::countr_zero(step));
          const bool enters = ((step ^ step >> 1) >> flip & 1) != 0;
          for (Index i = 0; i < n; ++i) {
            for (auto k = block.matrix.row_start[i]; k < block.matrix.row_start[i + 1]; ++k) {
              if (block.matrix.column[k] != flip) continue;
              enters ? ring.add_to(rows[i], values.value[k]) : ring.sub_to(rows[i], values.value[k]);
            }
          }
          auto term = sum.start();
          for (const auto& row : rows) sum.times(term, row);
          const bool minus = ((static_cast<unsigned>(std::popcount(step ^ step >> 1)) ^ n) & 1) != 0;
          minus ? sum.subtract(term) : sum.add(term);
        }
      });
      const auto& ball = std::get<Ball>(partial);
      ASSERT_TRUE(contains(ball, exact))
          << arithmetic.name() << ", seed " << seed << ", round " << round << ":\n"
          << oracle::show(block) << "ball " << ball.re.to_string(30) << " + i " << ball.im.to_string(30)
          << " +- " << ball.error.to_string(5);
      // Not idle: the radius is no wider than a few thousand roundings of what was summed (row sums <= 1
      // times the scale).
      const double digits = arithmetic.precision == Precision::mpfr            ? arithmetic.bits
                            : arithmetic.precision == Precision::double_double ? 103
                                                                               : 53;
      mpq_class scale = 1;
      for (const std::int64_t exponent : row_exponents(block))
        scale *=
            exponent >= 0 ? mpq_class(mpz_class(1) << exponent) : mpq_class(1, mpz_class(1) << -exponent);
      ASSERT_LE(rational(ball.error), scale * mpq_class(std::ldexp(1.0, static_cast<int>(16 - digits))))
          << arithmetic.name() << '\n'
          << oracle::show(block);
    }
  }
}

// Their squares are beyond the doubles, on either side.
TEST(FloatRings, MagnitudesOfComplexNumbersHaveTheRangeOfDoubles) {
  const ComplexRing<DoubleRing> ring{DoubleRing()};
  EXPECT_DOUBLE_EQ(ring.magnitude({3e250, 4e250}), 5e250);
  EXPECT_DOUBLE_EQ(ring.magnitude({3e-250, 4e-250}), 5e-250);
  EXPECT_DOUBLE_EQ(ring.magnitude({3, -4}), 5);
}

TEST(RunningError, HoldsForReals) {
  check_running_error<mpq_class>(0.9, -9, 9, repeats(400), 21);
  check_running_error<mpq_class>(0.5, 1, 1000000, repeats(300), 22);
  check_running_error<mpq_class>(1, -1000, 1000, repeats(300), 23);
}
TEST(RunningError, HoldsForComplexNumbers) {
  check_running_error<ComplexRational>(0.9, -9, 9, 400, 31);
}
TEST(RunningError, HoldsForIntegers) {
  check_running_error<std::int64_t>(0.7, -3, 3, 400, 41);
}

// One product of row sums that have drifted through many updates: nothing else is there to hide their error.
TEST(RunningError, HoldsForRowSumsThatDrifted) {
  oracle::Random random(45);
  for (int round = 0; round < 300; ++round) {
    const Index n = 5;
    const auto block = oracle::random_block<mpq_class>(random, n, 1, 1, 1000);
    for (const Arithmetic& arithmetic : floating_arithmetics()) {
      ComplexRational exact{1, 0};
      const Partial partial = sum_in_rings(arithmetic, false, [&](const auto& ring, auto& sum) {
        const auto values = ring_values(ring, block);
        const unsigned flips = 200;
        sum.expect_sums(n, flips);
        sum.scale(values.exponent);
        auto term = sum.start();
        exact = {1, 0};
        for (Index i = 0; i < n; ++i) {
          auto row = ring.zero();
          mpq_class true_row = 0;
          std::vector<bool> in(n, false);
          for (unsigned flip = 0; flip < flips; ++flip) {
            const auto j = static_cast<Index>(random() % n);
            const auto k = block.matrix.row_start[i] + j;
            in[j] ? ring.sub_to(row, values.value[k]) : ring.add_to(row, values.value[k]);
            in[j] ? true_row -= block.matrix.value[k] : true_row += block.matrix.value[k];
            in[j] = !in[j];
          }
          sum.times(term, row);
          exact.re *= true_row;
        }
        sum.add(term);
      });
      ASSERT_TRUE(contains(std::get<Ball>(partial), exact)) << arithmetic.name() << " round " << round << '\n'
                                                            << oracle::show(block);
    }
  }
}

TEST(RunningError, ProductsOfEntries) {
  oracle::Random random(51);
  for (int round = 0; round < testing::repeats(4000); ++round) {
    const auto n = static_cast<Index>(oracle::uniform(random, 1, 12));
    const auto block = oracle::make_block<ComplexRational>(n, n, [&](Index i, Index j) {
      return i == j ? oracle::random_value<ComplexRational>(random, 1, 1, 1000000) : ComplexRational{};
    });
    ComplexRational exact{1, 0};
    for (const auto& value : block.matrix.value) exact = oracle::times(exact, value);
    for (const Arithmetic& arithmetic : floating_arithmetics()) {
      const Partial partial = sum_in_rings(arithmetic, true, [&](const auto& ring, auto& sum) {
        const auto values = ring_values(ring, block);
        sum.expect_entries(n);
        sum.scale(values.exponent);
        auto term = sum.start();
        for (const auto& value : values.value) sum.times(term, value);
        sum.add(term);
      });
      ASSERT_TRUE(contains(std::get<Ball>(partial), exact)) << arithmetic.name() << " round " << round << '\n'
                                                            << oracle::show(block);
    }
  }
}

TEST(RingValues, RowsAddUpToAtMostOneAndEntriesAreTheSame) {
  oracle::Random random(61);
  for (int round = 0; round < 500; ++round) {
    const auto block = oracle::random_block_with_classes<mpq_class>(random, 5, 0.8, -1000000, 1000000);
    const auto values = ring_values(MpfrRing(400), block);
    std::int64_t total = 0;
    const auto exponents = row_exponents(block);
    for (Index i = 0; i < 5; ++i) {
      mpq_class sum = 0;
      for (auto k = block.matrix.row_start[i]; k < block.matrix.row_start[i + 1]; ++k) {
        sum += abs(rational(values.value[k])) * block.multiplicity[block.matrix.column[k]];
        mpq_class error =
            divided_by_power_of_two(block.matrix.value[k], exponents[i]) - rational(values.value[k]);
        ASSERT_LE(abs(error), mpq_class(1, mpz_class(1) << 390));
      }
      ASSERT_LE(sum, 1 + mpq_class(1, mpz_class(1) << 380));
      if (block.matrix.row_degree(i) > 0) {
        ASSERT_GT(sum, mpq_class(1, 8));
      }
      total += exponents[i];
    }
    ASSERT_EQ(total, values.exponent);
  }
}

TEST(RingValues, FarApartMagnitudesDoNotOverflow) {
  const mpq_class huge(mpz_class(1) << 5000);
  const mpq_class tiny(1, mpz_class(1) << 5000);
  const auto block = oracle::make_block<mpq_class>(
      2, 2, [&](Index i, Index j) { return i == j ? (i == 0 ? huge : tiny) : mpq_class(); });
  for (const Arithmetic& arithmetic : floating_arithmetics()) {
    const Partial partial = sum_in_rings(arithmetic, false, [&](const auto& ring, auto& sum) {
      const auto values = ring_values(ring, block);
      sum.expect_entries(2);
      sum.scale(values.exponent);
      auto term = sum.start();
      for (const auto& value : values.value) sum.times(term, value);
      sum.add(term);
    });
    EXPECT_TRUE(contains(std::get<Ball>(partial), {1, 0})) << arithmetic.name();
    EXPECT_LT(std::get<Ball>(partial).error.to_double(), 1e-14);
  }
}

}  // namespace
}  // namespace countpm
