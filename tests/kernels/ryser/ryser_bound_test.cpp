// What ryser bounds its rounding errors with on a GPU: reciprocals by a subtraction of bits, and the slopes
// that are made of them, against rational arithmetic.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/arithmetic/ball.hpp"
#include "kernels/arithmetic/ring_values.hpp"
#include "kernels/arithmetic/row_units.hpp"
#include "kernels/published/sparse/sparyser.hpp"
#include "kernels/ryser/gpu/form.hpp"
#include "kernels/ryser/ryser.hpp"
#include "kernels/subsets/gpu/reciprocal_bound.hpp"
#include "tests/kernels/arithmetic/floating_values.hpp"
#include "tests/kernels/gpu/gpu_testing.hpp"
#include "tests/kernels/method_testing.hpp"

namespace countpm::gray::ryser_bound_test {
namespace {

using namespace countpm::testing;

const StopSignal never;

void expect_reciprocal(double x) {
  const long double product = static_cast<long double>(reciprocal_share(x)) * std::fabs(x) * std::sqrt(2.0L);
  EXPECT_GE(product, 1 - 0x1p-60L) << x;
  EXPECT_LE(product, 1.0304L * (1 + 0x1p-20L)) << x;
}

TEST(RyserBound, ReciprocalsAreFromAbove) {
  Random random(41);
  for (int exponent = -126; exponent <= 0; ++exponent) {
    for (const double mantissa : {1.0, 1 + 0x1p-52, 1 + 0x1p-20, std::sqrt(2.0), 1.2071067811865475,
                                  1.7071067811865475, 2 - 0x1p-20, 2 - 0x1p-52}) {
      // The square root of 2 and what lies next to it, where the two pieces meet.
      for (const double x : {mantissa, std::nextafter(mantissa, 1.0), std::nextafter(mantissa, 2.0)})
        expect_reciprocal(std::ldexp(x == 2 ? 1 : -x, exponent));
    }
  }
  for (int k = 0; k < repeats(100000); ++k) {
    const double mantissa = 1 + static_cast<double>(random() >> 12) * 0x1p-52;
    expect_reciprocal(std::ldexp(mantissa, -static_cast<int>(below(random, 127))));
  }
  EXPECT_GE(mpq_class(reciprocal_unit) * mpq_class(reciprocal_unit), 2);
}

struct Example {
  Walk<double> walk;
  Prefixes<double> prefixes;
};

/// Two prefixes; make() draws entries. The walks' sums must be exact in doubles.
template <class Make>
Example example_of(unsigned rows, unsigned columns, const Make& make) {
  Example example;
  example.walk = {rows, columns, {}};
  for (unsigned k = 0; k < rows * columns; ++k) example.walk.deltas.push_back(make(k % rows, false));
  for (unsigned k = 0; k < rows * 2; ++k) example.prefixes.starts.push_back(make(k % rows, true));
  example.prefixes.minuses = {0, 1};
  return example;
}

struct Slopes {
  mpq_class least;   // sum f(delta) / delta
  mpq_class before;  // sum f(spread) / spread
};

Slopes slopes_of(const Example& example, double delta, double spread) {
  const unsigned rows = example.walk.rows;
  const unsigned columns = example.walk.columns;
  const std::vector<double>& deltas = example.walk.deltas;
  Slopes result;
  for (std::uint64_t p = 0; p < example.prefixes.size(); ++p) {
    for (std::uint64_t subset = 0; subset < std::uint64_t{1} << columns; ++subset) {
      mpq_class product = 1;
      mpq_class wide = 1;
      mpq_class wider = 1;
      for (unsigned i = 0; i < rows; ++i) {
        mpq_class x = example.prefixes.starts[p * rows + i];
        for (unsigned c = 0; c < columns; ++c) {
          if ((subset >> c & 1) != 0) x += deltas[c * rows + i];
        }
        x = abs(x);
        product *= x;
        wide *= x + delta;
        wider *= x + spread;
      }
      result.least += (wide - product) / delta;
      result.before += (wider - product) / spread;
    }
  }
  return result;
}

/// Row i turned by i quarters where the numbers are complex.
template <class Value>
void expect_slopes_of(const Example& example, const Slopes& exact, double spread, const std::string& what) {
  const unsigned rows = example.walk.rows;
  Walk<Value> walk{rows, example.walk.columns, {}};
  Prefixes<Value> prefixes{{}, example.prefixes.minuses};
  for (std::size_t k = 0; k < example.walk.deltas.size(); ++k)
    walk.deltas.push_back(turned<Value>(example.walk.deltas[k], static_cast<unsigned>(k % rows)));
  for (std::size_t k = 0; k < example.prefixes.starts.size(); ++k)
    prefixes.starts.push_back(turned<Value>(example.prefixes.starts[k], static_cast<unsigned>(k % rows)));
  for (const GpuInfo& gpu : all_gpus()) {
    for (const WhichKernel which : {WhichKernel::best, WhichKernel::shared_sums, WhichKernel::global_sums}) {
      if (which == WhichKernel::shared_sums && rows * 128 * sizeof(Value) + 16384 > gpu.shared_bytes)
        continue;
      const auto sum = make_floating_walker(gpu, walk, spread, which)->sum(prefixes, never);
      const mpq_class slopes = (mpq_class(sum.wides) - mpq_class(sum.products)) / spread;
      // The difference of two rounded sums; and products that a double cannot hold are RunningSum's affair.
      const mpq_class noise = mpq_class(sum.products) * mpq_class(0x1p-28) + mpq_class(0x1p-900);
      EXPECT_GE(slopes + noise, exact.least) << gpu.name << ", " << what;
      EXPECT_LE(slopes, exact.before * mpq_class(1.04) + noise) << gpu.name << ", " << what;
    }
  }
}

/// At least what the proof promises, for the largest delta that it allows, and hardly more than before.
void expect_slopes(const Example& example, const std::string& what) {
  constexpr double spread = 0x1p-24;
  const Slopes exact = slopes_of(example, 0x1p-42, spread);
  expect_slopes_of<double>(example, exact, spread, what);
  expect_slopes_of<Complex<double>>(example, exact, spread, what + ", complex");
  expect_slopes_of<Complex<DoubleDouble>>(example, exact, spread, what + ", complex double-doubles");
  expect_slopes_of<Complex<TripleDouble>>(example, exact, spread, what + ", complex triple-doubles");
}

TEST(RyserBound, SlopesAreFromAbove) {
  Random random(42);
  for (const unsigned rows : {0U, 1U, 2U, 7U, 15U, 16U, 17U, 33U, 40U, 60U, 65U}) {
    const std::string size = std::to_string(rows) + " rows";
    const auto integer = [&](std::int64_t most) {
      return static_cast<double>(
          static_cast<std::int64_t>(below(random, static_cast<std::uint64_t>(2 * most + 1))) - most);
    };
    // |sums| <= 7 / 8.
    expect_slopes(example_of(rows, 6, [&](unsigned, bool) { return std::ldexp(integer(4096), -15); }),
                  size + ", generic");
    expect_slopes(example_of(rows, 6, [&](unsigned, bool) { return integer(1) / 8; }), size + ", many zeros");
    expect_slopes(example_of(rows, 6, [&](unsigned, bool start) { return start ? 0x1p-10 : 0.0; }),
                  size + ", products that a float cannot hold");
    expect_slopes(
        example_of(rows, 6, [&](unsigned i, bool) { return std::ldexp(integer(15), i % 3 == 0 ? -7 : -60); }),
        size + ", small rows");
    expect_slopes(
        example_of(rows, 6, [&](unsigned i, bool) { return std::ldexp(integer(15), i == 0 ? -7 : -125); }),
        size + ", the smallest sums that reciprocals are for");
    expect_slopes(
        example_of(rows, 6, [&](unsigned i, bool) { return std::ldexp(integer(15), i == 0 ? -250 : -7); }),
        size + ", smaller ones");
  }
  expect_slopes({{1, 1, {-0.25}}, {{0.25 + 0x1p-54}, {0}}}, "a sum that all but cancels");
}

Arithmetic floating(Precision precision) {
  Arithmetic arithmetic;
  arithmetic.kind = Arithmetic::Kind::floating;
  arithmetic.precision = precision;
  arithmetic.bits = 150;  // the most for which a GPU has triple-doubles
  return arithmetic;
}

Ball cpu_ball(const Job& job, mpfr_prec_t bits) {
  Ball sum = zero_ball(bits);
  for (std::uint64_t unit = 0; unit < job.units(); ++unit) add(sum, std::get<Ball>(job.run(unit, never)));
  return sum;
}

mpq_class exact(const BigFloat& value) {
  mpq_class result;
  mpfr_get_q(result.get_mpq_t(), value.get());
  return result;
}

/// |ball - truth| <= error, and error <= allowed times that of running_error.hpp on the CPU.
void expect_ball(const Ball& ball, const ComplexRational& truth, const Ball& cpu, double allowed,
                 const std::string& what) {
  const mpq_class re = exact(ball.re) - truth.re;
  const mpq_class im = exact(ball.im) - truth.im;
  const mpq_class radius = exact(ball.error);
  EXPECT_LE(re * re + im * im, radius * radius) << what;
  EXPECT_LE(radius, exact(cpu.error) * mpq_class(allowed)) << what;
}

ComplexRational as_complex_rational(const mpq_class& value) {
  return {value, 0};
}
ComplexRational as_complex_rational(const ComplexRational& value) {
  return value;
}

/// allowed: of doubles, and of double-doubles and triple-doubles, times the radius on the CPU.
template <class Value>
void expect_balls(const Block<Value>& block, double doubles_allowed, double pairs_allowed, int round) {
  const ComplexRational truth = as_complex_rational(permanent_by_states(block));
  for (const Precision precision : {Precision::kahan, Precision::double_double, Precision::mpfr}) {
    const auto job = ryser_method().make_job(block, floating(precision), {});
    // In doubles ryser's own error on the CPU is another, and smaller; sparyser's is this one.
    const auto compared = (precision == Precision::kahan ? sparyser_method() : ryser_method())
                              .make_job(block, floating(precision), {});
    for (const GpuInfo& gpu : all_gpus()) {
      const Ball ball = std::get<Ball>(job->on_device(gpu)->run(0, job->units(), never));
      expect_ball(ball, truth, cpu_ball(*compared, ball.re.bits()),
                  precision == Precision::kahan ? doubles_allowed : pairs_allowed,
                  gpu.name + ", round " + std::to_string(round) + "\n" + text_of(block));
    }
  }
}

/// Every other time a trace that leaves a row without a common unit (row_units.hpp).
mpq_class trace(int time, Index entry) {
  return time % 2 == 0 ? mpq_class(0) : mpq_class(1, 1000000000000037 + static_cast<long>(entry));
}

// Rows that cancel, rows of any size, integers, rows of zeros, entries of all sizes.
TEST(RyserBound, BallsHoldTheNumber) {
  Random random(43);
  for (int round = 0; round < repeats(60); ++round) {
    const auto n = static_cast<Index>(below(random, 11));
    const auto kind = round % 6;
    std::vector<int> exponents;
    for (Index i = 0; i < n * n; ++i) exponents.push_back(static_cast<int>(below(random, 2000)) - 1000);
    Index entry = 0;
    const auto block = random_block<mpq_class>(random, n, kind == 3 ? 0.5 : 1, true, [&] {
      const Index k = entry++;
      const auto integer = static_cast<long>(below(random, 2001)) - 1000;
      mpq_class value(kind == 4 ? integer % 2 : integer, kind == 2 || kind == 4 ? 1 : 997);
      value.canonicalize();
      if (kind == 1) value = 1 + (k % 2 == 0 ? value : -value) / 1000000;  // differences of rows cancel
      if (kind == 5 || kind == 0) {
        const int exponent =
            kind == 5 ? exponents[k % exponents.size()] / 4 : exponents[k / std::max<Index>(n, 1)];
        value = divided_by_power_of_two(value, exponent);
      }
      value += trace(round / 6, k);
      return value == 0 ? mpq_class(1, 3) : value;
    });
    // Below n = 8 the CPU's walk has fewer than 2^7 flips. Of pairs a GPU counts its additions twice. Where
    // sums are exact three additions count like factors.
    const bool compared = n >= 8 && kind != 5;
    const double doubles = in_row_units(block, 53) ? 1.5 : 1.05;
    expect_balls(block, compared ? doubles : 1e30, compared ? 2.5 : 1e30, round);
  }
}

// The same of complex numbers: generic ones, Gaussian integers (rows of zeros, parts that are 0), rows of any
// size, rows that cancel.
TEST(RyserBound, ComplexBallsHoldTheNumber) {
  Random random(44);
  for (int round = 0; round < repeats(60); ++round) {
    const auto n = static_cast<Index>(below(random, 10));
    const int kind = round % 4;
    Index entry = 0;
    const auto block = random_block<ComplexRational>(random, n, kind == 1 ? 0.6 : 1, true, [&] {
      const auto integer = [&](long most) {
        return mpq_class(static_cast<long>(below(random, static_cast<std::uint64_t>(2 * most + 1))) - most);
      };
      ComplexRational value{integer(1), integer(1)};
      if (kind == 0) value = {integer(1000) / 997, integer(1000) / 991};
      if (kind == 2) {
        const int exponent = static_cast<int>(below(random, 500)) - 250;
        value = {divided_by_power_of_two(integer(1000), exponent), integer(3)};
      }
      if (kind == 3) value = {1 + integer(1) / 1000000, integer(2) / 3};
      value.re += trace(round / 4, entry++);
      if (value.re == 0 && value.im == 0) value.im = mpq_class(-1, 3);
      return value;
    });
    // 1 / |x| may be sqrt(2) times too large.
    const bool compared = n >= 8 && kind != 2;
    expect_balls(block, compared ? 1.5 : 1e30, compared ? 3 : 1e30, round);
  }
}

}  // namespace
}  // namespace countpm::gray::ryser_bound_test
