// Floating sums in lanes, and permanents without a row, against exact permanents: classes of equal lines on
// both sides, every instruction set of this machine.
#include "kernels/subsets/lanes/lane_sums.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "graph/errors.hpp"
#include "kernels/arithmetic/ball.hpp"
#include "kernels/arithmetic/ring_values.hpp"
#include "kernels/subsets/lanes/exact_minors.hpp"
#include "kernels/support/aligned_memory.hpp"
#include "tests/kernels/method_testing.hpp"

namespace countpm::lane_sums_test {
namespace {

using namespace countpm::testing;

const StopSignal never;
const LaneChoice all_lanes[] = {LaneChoice::baseline, LaneChoice::avx2, LaneChoice::avx512};

/// The permanent by its definition over sets, of rows and columns written out; without a copy of a row.
ComplexRational exact_permanent(FactorMatrix matrix, Index without = no_index) {
  if (without != no_index) --matrix.power[without];
  std::vector<std::vector<ComplexRational>> rows;
  for (Index i = 0; i < matrix.rows(); ++i) {
    std::vector<ComplexRational> row;
    for (Index j = 0; j < matrix.columns(); ++j) row.insert(row.end(), matrix.copies[j], matrix.at(i, j));
    rows.insert(rows.end(), matrix.power[i], row);
  }
  return permanent_by_states(dense_block(rows, static_cast<Index>(rows.size())));
}

/// `total` copies in all, in classes of up to `most`.
std::vector<Index> random_copies(Random& random, Index total, Index most) {
  std::vector<Index> copies;
  while (total > 0) {
    copies.push_back(static_cast<Index>(1 + below(random, std::min(most, total))));
    total -= copies.back();
  }
  return copies;
}

/// kind 0: whole numbers, whose sums are exact; 1: fractions of few bits and large ones side by side; 2:
/// doubles.
mpq_class random_entry(Random& random, unsigned kind) {
  const auto whole = static_cast<long>(below(random, 19)) - 9;
  if (kind == 0) return whole;
  mpq_class value(whole, kind == 1 ? 7 : 1);
  value.canonicalize();
  if (kind == 1) return below(random, 4) == 0 ? mpq_class(value * 1000000007) : value;
  return mpq_class(static_cast<double>(random() >> 11) * 0x1p-53 - 0.5);
}

FactorMatrix random_matrix(Random& random, Index rows, Index columns, bool complex, unsigned kind,
                           Index most) {
  FactorMatrix matrix;
  matrix.complex = complex;
  matrix.power = random_copies(random, rows, most);
  matrix.copies = random_copies(random, columns, most);
  for (std::size_t k = 0; k < matrix.power.size() * matrix.copies.size(); ++k) {
    matrix.value.push_back({random_entry(random, kind), complex ? random_entry(random, kind) : mpq_class(0)});
  }
  return matrix;
}

std::optional<LaneSums> lanes_of(const FactorMatrix& matrix, LaneChoice choice) {
  std::vector<Digit> free;
  for (Index j = 0; j < matrix.columns(); ++j) {
    const Index copies = matrix.copies[j] - (j == 0 ? 1 : 0);
    if (copies > 0) free.push_back({j, copies});
  }
  return LaneSums::make(matrix, 0, std::move(free), choice);
}

mpq_class exact(const BigFloat& value) {
  mpq_class result;
  mpfr_get_q(result.get_mpq_t(), value.get());
  return result;
}

/// How far off, as a share of the error.
double share_of_error(const Ball& ball, const ComplexRational& truth) {
  const double off =
      std::hypot(mpq_class(exact(ball.re) - truth.re).get_d(), mpq_class(exact(ball.im) - truth.im).get_d());
  return off == 0 ? 0 : off / ball.error.to_double();
}

/// A bound for every term: the product of the rows' sums of |re| + |im|.
double largest_term(const FactorMatrix& matrix, Index without = no_index) {
  double product = 1;
  for (Index i = 0; i < matrix.rows(); ++i) {
    double sum = 0;
    for (Index j = 0; j < matrix.columns(); ++j)
      sum +=
          (std::fabs(matrix.at(i, j).re.get_d()) + std::fabs(matrix.at(i, j).im.get_d())) * matrix.copies[j];
    product *= std::pow(sum, matrix.power[i] - (i == without ? 1 : 0));
  }
  return product;
}

bool has_empty_row(const FactorMatrix& matrix) {
  for (Index i = 0; i < matrix.rows(); ++i) {
    bool empty = true;
    for (Index j = 0; j < matrix.columns(); ++j) empty = empty && matrix.at(i, j) == ComplexRational{};
    if (empty) return true;
  }
  return false;
}

Ball negated_if(Ball ball, bool negative) {
  if (negative) multiply(ball, ball_from(mpq_class(-1), 192));
  return ball;
}

TEST(LaneSums, TheTruePermanentLiesInASmallBall) {
  Random random(61);
  double largest_share = 0;
  for (int round = 0; round < repeats(450); ++round) {
    const auto n = static_cast<Index>(1 + below(random, 8));
    const bool complex = below(random, 2) == 0;
    const FactorMatrix matrix =
        random_matrix(random, n, n, complex, round % 3, static_cast<Index>(1 + below(random, 5)));
    const ComplexRational truth = exact_permanent(matrix);
    for (const LaneChoice choice : all_lanes) {
      if (!lanes_supported(choice)) continue;
      const std::optional<LaneSums> lanes = lanes_of(matrix, choice);
      ASSERT_EQ(lanes.has_value(), !has_empty_row(matrix)) << round;
      if (!lanes) continue;
      WorkMeter meter(never);
      const Ball ball = negated_if(lanes->sum({}, {}, 192, meter), n % 2 == 0);
      const double share = share_of_error(ball, truth);
      EXPECT_LE(share, 1) << round << ": " << ball.re.to_double() << " for " << truth.re.get_d();
      EXPECT_LE(ball.error.to_double(), 64 * n * 0x1p-52 * largest_term(matrix)) << round;
      largest_share = std::max(largest_share, share);
    }
  }
  EXPECT_GT(largest_share, 0.001);  // the bound is about what happens
}

// Digits that the caller fixes are those of a unit, and units add up to the whole.
TEST(LaneSums, UnitsAddUp) {
  Random random(62);
  for (int round = 0; round < 12; ++round) {
    const FactorMatrix matrix = random_matrix(random, 9, 9, true, 2, 3);
    if (matrix.columns() < 3) continue;
    std::vector<Digit> free;
    for (Index j = 2; j < matrix.columns(); ++j) free.push_back({j, matrix.copies[j]});
    std::vector<Digit> fixed{{1, matrix.copies[1]}};
    if (matrix.copies[0] > 1) fixed.push_back({0, matrix.copies[0] - 1});
    SubsetPlan plan;
    plan.outer = fixed;
    plan.units = 1;
    for (const Digit& digit : fixed) plan.units *= digit.copies + 1;
    const std::optional<LaneSums> lanes = LaneSums::make(matrix, 0, free);
    ASSERT_TRUE(lanes);
    Ball total = zero_ball(192);
    for (std::uint64_t unit = 0; unit < plan.units; ++unit) {
      const PrefixCounter prefix(plan, unit);
      WorkMeter meter(never);
      Ball part = lanes->sum(prefix.digits(), prefix.fixed(), 192, meter);
      multiply(part, ball_from(mpq_class(prefix.weight()), 192));
      add(total, part);
    }
    EXPECT_LE(share_of_error(total, exact_permanent(matrix)), 1) << round;
  }
}

// Binomials that are no doubles, and sums that cancel.
TEST(LaneSums, LargeClasses) {
  for (const Index n : {Index{40}, Index{41}, Index{62}}) {
    FactorMatrix matrix;
    matrix.power = {n, 1};
    matrix.copies = {1, n};
    matrix.value = {{1, 0}, {1, 0}, {1, 0}, {-1, 0}};
    // Row 0 n times, row 1 once: n! times the sum over the column that row 1 takes.
    const std::optional<LaneSums> lanes = lanes_of(matrix, LaneChoice::automatic);
    ASSERT_TRUE(lanes);
    WorkMeter meter(never);
    const Ball ball = negated_if(lanes->sum({}, {}, 192, meter), (n + 1) % 2 == 0);
    mpz_class factorial;
    mpz_fac_ui(factorial.get_mpz_t(), n);
    EXPECT_LE(share_of_error(ball, {mpq_class(factorial * (1 - static_cast<long>(n))), 0}), 1) << n;
    // Of 2^62 the cancellation costs more.
    EXPECT_LE(ball.error.to_double(), (n < 50 ? 1e-7 : 1e-3) * factorial.get_d() * n) << n;
  }
  FactorMatrix huge;  // beyond the range of doubles
  huge.power = std::vector<Index>(400, 1);
  huge.copies = std::vector<Index>(400, 1);
  huge.value = std::vector<ComplexRational>(400 * 400, {1, 0});
  EXPECT_FALSE(lanes_of(huge, LaneChoice::automatic));
}

/// Of a program, by its definition; bound as of a program that is bounded.
struct PlainTotals {
  std::complex<long double> sum = 0;
  long double bound = 0;
};

PlainTotals plainly(const products::Program& program, std::vector<std::complex<long double>> factor) {
  PlainTotals totals;
  for (std::uint64_t s = 0; s < program.steps; ++s) {
    const products::Step& step = program.step[s];
    std::complex<long double> term = step.weight;
    long double m = 1;
    for (unsigned r = 0; r < program.rows; ++r) {
      factor[r] += program.complex ? std::complex<long double>(step.delta[2 * r], step.delta[2 * r + 1])
                                   : std::complex<long double>(step.delta[r]);
      for (unsigned k = 0; k < program.power[r]; ++k) term *= factor[r];
    }
    for (unsigned r = 0; r < program.rows;) {
      const bool two = r + 1 < program.rows && program.power[r + 1] == program.power[r];
      const std::complex<long double> z = two ? factor[r] * factor[r + 1] : factor[r];
      m *= std::pow(std::norm(z) + program.inflation, program.power[r]);
      r += two ? 2 : 1;
    }
    totals.sum += term;
    totals.bound += program.bounded ? std::fabs(step.weight) * std::sqrt(m) : std::abs(term);
  }
  return totals;
}

// Every way through the inner loop: rows of one power and of several, of each an even or odd number, and
// numbers of steps that several at a time do not divide.
TEST(LaneSums, TheInnerLoopIsItsDefinition) {
  Random random(64);
  const auto number = [&] {
    return static_cast<double>(static_cast<long>(below(random, 4001)) - 2000) / 1024;
  };
  std::vector<products::Variant> variants{products::baseline::variant()};
  if (lanes_supported(LaneChoice::avx2)) variants.push_back(products::avx2::variant());
  if (lanes_supported(LaneChoice::avx512)) variants.push_back(products::avx512::variant());
  for (int round = 0; round < repeats(120); ++round) {
    products::Program program{};
    program.complex = round % 2 == 0;
    program.bounded = round % 4 < 2;
    program.rows = static_cast<unsigned>(below(random, 8));
    program.inflation = 1.0 / 32;
    std::vector<unsigned> power(program.rows);
    for (unsigned& times : power) times = static_cast<unsigned>(1 + below(random, round % 8 < 4 ? 1 : 3));
    std::sort(power.begin(), power.end());
    program.power = power.data();
    const std::size_t parts = program.rows * (program.complex ? 2 : 1);
    std::vector<std::vector<double>> deltas(1 + below(random, 11), std::vector<double>(parts));
    std::vector<products::Step> steps;
    for (std::vector<double>& delta : deltas) {
      for (double& part : delta) part = number();
      steps.push_back({delta.data(), number()});
    }
    program.step = steps.data();
    program.steps = steps.size();
    for (const products::Variant& variant : variants) {
      const AlignedPointer<double> sums =
          allocate_aligned<double>((parts + 1) * products::most_lanes * sizeof(double));
      std::vector<std::vector<std::complex<long double>>> start(variant.lanes);
      for (unsigned lane = 0; lane < variant.lanes; ++lane) {
        for (unsigned r = 0; r < program.rows; ++r) {
          const double re = number();
          const double im = program.complex ? number() : 0;
          start[lane].emplace_back(re, im);
          const std::size_t place = r * (program.complex ? 2 : 1);
          sums.get()[place * variant.lanes + lane] = re;
          if (program.complex) sums.get()[(place + 1) * variant.lanes + lane] = im;
        }
      }
      products::Totals totals{};
      variant.run(program, sums.get(), totals);
      for (unsigned lane = 0; lane < variant.lanes; ++lane) {
        const PlainTotals truth = plainly(program, start[lane]);
        const std::complex<long double> found(
            static_cast<long double>(totals.hi[0][lane]) + totals.lo[0][lane],
            static_cast<long double>(totals.hi[1][lane]) + totals.lo[1][lane]);
        EXPECT_LE(std::abs(found - truth.sum), 1e-13L * truth.bound) << round << ", lane " << lane;
        EXPECT_LE(std::fabs(totals.bound[lane] - truth.bound), 1e-12L * truth.bound) << round;
      }
    }
  }
}

/// The largest |sum of c_j v_j|, |c_j| = copies[j], over all signs, squared.
mpq_class largest_square(const std::vector<ComplexRational>& values, const std::vector<Index>& copies) {
  mpq_class largest = 0;
  for (std::uint64_t signs = 0; signs < std::uint64_t{1} << copies.size(); ++signs) {
    mpq_class re = 0;
    mpq_class im = 0;
    for (std::size_t j = 0; j < copies.size(); ++j) {
      const mpq_class times = (signs >> j & 1) != 0 ? mpq_class(copies[j]) : mpq_class(-mpq_class(copies[j]));
      re += times * values[j].re;
      im += times * values[j].im;
    }
    largest = std::max(largest, mpq_class(re * re + im * im));
  }
  return largest;
}

// What the bounds start from: sums stay whole numbers of 53 bits, and roundings are neither more than is said
// nor much less.
TEST(WholeRow, SaysHowLargeSumsAndRoundingsCanBe) {
  Random random(65);
  for (int round = 0; round < repeats(150); ++round) {
    const bool complex = below(random, 2) == 0;
    FactorMatrix matrix = random_matrix(random, 1, static_cast<Index>(1 + below(random, 9)), complex,
                                        round % 3, static_cast<Index>(1 + below(random, 3)));
    if (below(random, 2) == 0) matrix.value[0].re = mpq_class(1 - mpq_class(1, mpz_class(1) << 70));
    const std::optional<WholeRow> row = whole_row(matrix, 0, 53);
    if (!row) {
      EXPECT_TRUE(has_empty_row(matrix));
      continue;
    }
    std::vector<ComplexRational> whole;
    std::vector<ComplexRational> away;
    mpq_class magnitudes[2];
    for (Index j = 0; j < matrix.columns(); ++j) {
      whole.push_back({row->part[2 * j], row->part[2 * j + 1]});
      away.push_back({divided_by_power_of_two(matrix.at(0, j).re, row->unit) - whole.back().re,
                      divided_by_power_of_two(matrix.at(0, j).im, row->unit) - whole.back().im});
      magnitudes[0] += abs(whole.back().re) * matrix.copies[j];
      magnitudes[1] += abs(whole.back().im) * matrix.copies[j];
    }
    EXPECT_LE(std::max(magnitudes[0], magnitudes[1]), mpz_class(1) << 53);
    EXPECT_GE(std::max(magnitudes[0], magnitudes[1]), mpz_class(1) << 51);
    const auto expect_just_above = [&](double bound, const std::vector<ComplexRational>& values) {
      const mpq_class truth = largest_square(values, matrix.copies);
      EXPECT_GE(mpq_class(bound) * mpq_class(bound), truth) << round;
      EXPECT_LE(bound, 1.006 * std::sqrt(truth.get_d()) + 0x1p-59) << round;
    };
    expect_just_above(row->reach, whole);
    expect_just_above(row->rounding, away);
    EXPECT_EQ(row->exact, largest_square(away, matrix.copies) == 0) << round;
  }
}

TEST(LaneSums, Stops) {
  FactorMatrix matrix;
  matrix.power = matrix.copies = std::vector<Index>(40, 1);
  matrix.value = std::vector<ComplexRational>(1600, {1, 0});
  StopSignal stop;
  stop.request();
  WorkMeter meter(stop);
  EXPECT_THROW(lanes_of(matrix, LaneChoice::automatic)->sum({}, {}, 192, meter), Stopped);
  EXPECT_THROW(exact_minors(matrix, stop), Stopped);
}

TEST(Minors, ExactAndFloatingOnesAreThePermanentsWithoutARow) {
  Random random(63);
  for (int round = 0; round < repeats(300); ++round) {
    const auto n = static_cast<Index>(1 + below(random, 7));
    const bool complex = below(random, 2) == 0;
    FactorMatrix matrix =
        random_matrix(random, n + 1, n, complex, round % 3, static_cast<Index>(1 + below(random, 4)));
    const std::vector<ComplexRational> exactly = exact_minors(matrix, never);
    std::vector<ComplexRational> truth;
    for (Index i = 0; i < matrix.rows(); ++i) truth.push_back(exact_permanent(matrix, i));
    EXPECT_EQ(exactly, truth) << round;
    matrix.complex = true;
    for (const LaneChoice choice : all_lanes) {
      if (!lanes_supported(choice)) continue;
      const std::optional<LaneSums> lanes = lanes_of(matrix, choice);
      if (!lanes) continue;
      WorkMeter meter(never);
      const std::vector<Ball> balls = lanes->minors(192, meter);
      for (Index i = 0; i < matrix.rows(); ++i) {
        EXPECT_LE(share_of_error(negated_if(balls[i], n % 2 == 0), truth[i]), 1) << round << ", row " << i;
        double largest = 0;
        for (Index k = 0; k < matrix.rows(); ++k) largest = std::max(largest, largest_term(matrix, k));
        EXPECT_LE(balls[i].error.to_double(), 256 * n * n * 0x1p-52 * largest * std::ldexp(1.0, 40)) << round;
      }
    }
  }
}

/// Of what bound or denominator it may come: a number that is another one has another residue.
TEST(Minors, WrongOnesDoNotPass) {
  Random random(64);
  for (int round = 0; round < repeats(40); ++round) {
    const auto n = static_cast<Index>(1 + below(random, 5));
    const FactorMatrix matrix = random_matrix(random, n + 1, n, round % 2 == 0, round % 3, 2);
    std::vector<ComplexRational> minors = exact_minors(matrix, never);
    EXPECT_NO_THROW(verify_minors(matrix, minors, never));
    mpq_class& one = round % 4 < 2 ? minors.back().re : minors.back().im;
    const mpq_class right = one;
    for (const mpq_class& wrong : {mpq_class(right + 1), mpq_class(right * 3 + mpq_class(1, 2)),
                                   mpq_class(right - (mpz_class(1) << 61U))}) {
      one = wrong;
      EXPECT_THROW(verify_minors(matrix, minors, never), CheckError) << round;
    }
  }
}

TEST(Minors, OfNothing) {
  FactorMatrix matrix;
  matrix.power = {1};
  EXPECT_EQ(exact_minors(matrix, never), (std::vector<ComplexRational>{{1, 0}}));
}

}  // namespace
}  // namespace countpm::lane_sums_test
