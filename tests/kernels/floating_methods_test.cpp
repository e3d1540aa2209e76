// ryser, sparyser and skipper in floating point: the true permanent, computed exactly, must lie in the ball,
// and the ball must be small.
#include <cmath>

#include "kernels/arithmetic/ball.hpp"
#include "kernels/published/sparse/skipper.hpp"
#include "kernels/published/sparse/sparyser.hpp"
#include "kernels/ryser/ryser.hpp"
#include "tests/kernels/method_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm::floating_methods_test {
namespace {

using namespace countpm::testing;

Arithmetic floating(Precision precision, unsigned bits = 0) {
  Arithmetic arithmetic;
  arithmetic.kind = Arithmetic::Kind::floating;
  arithmetic.precision = precision;
  arithmetic.bits = bits;
  return arithmetic;
}
const Arithmetic all_floating[] = {floating(Precision::plain), floating(Precision::kahan),
                                   floating(Precision::double_double), floating(Precision::mpfr, 40),
                                   floating(Precision::mpfr, 300)};
// Of one operation, in the order above.
const double unit_errors[] = {0x1p-52, 0x1p-52, 0x1p-100, 0x1p-39, 0x1p-299};

Ball run_ball(const Job& job) {
  const StopSignal never;
  Ball total = zero_ball(512);
  for (std::uint64_t unit = 0; unit < job.units(); ++unit) add(total, std::get<Ball>(job.run(unit, never)));
  return total;
}

mpq_class exact(const BigFloat& value) {
  mpq_class result;
  mpfr_get_q(result.get_mpq_t(), value.get());
  return result;
}

void expect_inside(const Ball& ball, const ComplexRational& truth, double allowed, const std::string& what) {
  const mpq_class re = exact(ball.re) - truth.re;
  const mpq_class im = exact(ball.im) - truth.im;
  const mpq_class error = exact(ball.error);
  EXPECT_TRUE(re * re + im * im <= error * error)
      << what << "off by " << std::hypot(re.get_d(), im.get_d()) << ", said " << error.get_d();
  EXPECT_LE(error.get_d(), allowed) << what;
}

/// The product of the rows' sums of |re| + |im|: no term is larger.
template <class Value>
double size_of(const Block<Value>& block) {
  double product = 1;
  for (Index i = 0; i < block.matrix.rows; ++i) {
    double sum = 0;
    for (std::uint64_t k = block.matrix.row_start[i]; k < block.matrix.row_start[i + std::uint64_t{1}]; ++k) {
      const auto value = to_exact(block.matrix.value[k]);
      double magnitude = 0;
      if constexpr (std::is_same_v<Value, ComplexRational>) {
        magnitude = std::fabs(value.re.get_d()) + std::fabs(value.im.get_d());
      } else {
        magnitude = std::fabs(value.get_d());
      }
      sum += magnitude * block.multiplicity_of(block.matrix.column[k]);
    }
    product *= sum == 0 ? 1 : sum;  // an empty row is not scaled, and only the bound is not zero
  }
  return product;
}

class FloatingMethod : public ::testing::TestWithParam<const Method*> {
 protected:
  template <class Value>
  void check(const Block<Value>& block, std::size_t which, int round) {
    const auto value = permanent_by_states(block);
    ComplexRational truth;
    if constexpr (std::is_same_v<Value, ComplexRational>) {
      truth = value;
    } else {
      truth = {value, 0};
    }
    ASSERT_FALSE(GetParam()->obstacle(block, all_floating[which]));
    const Ball ball = run_ball(*GetParam()->make_job(block, all_floating[which], {}));
    if (!std::is_same_v<Value, ComplexRational>) {
      EXPECT_TRUE(ball.im.is_zero());
    }
    const double terms = std::ldexp(1.0, static_cast<int>(block.size()));
    expect_inside(ball, truth, 1024 * terms * unit_errors[which] * size_of(block),
                  "round " + std::to_string(round) + " arithmetic " + std::to_string(which) + "\n" +
                      text_of(block) + "\n");
  }
};

TEST_P(FloatingMethod, IntegersLieInTheBall) {
  Random random(41);
  for (int round = 0; round < 600; ++round) {
    check(random_integers(random, static_cast<Index>(below(random, 9)), below(random, 2) == 0),
          below(random, 5), round);
    if (HasFailure()) return;
  }
}

TEST_P(FloatingMethod, DecimalsLieInTheBall) {
  Random random(42);
  for (int round = 0; round < repeats(600); ++round) {
    check(random_block<mpq_class>(random, static_cast<Index>(below(random, 9)), 0.6, below(random, 2) == 0,
                                  [&] { return random_rational(random); }),
          below(random, 5), round);
    if (HasFailure()) return;
  }
}

TEST_P(FloatingMethod, ComplexNumbersLieInTheBall) {
  Random random(43);
  for (int round = 0; round < 400; ++round) {
    check(random_block<ComplexRational>(
              random, static_cast<Index>(below(random, 8)), 0.6, below(random, 2) == 0,
              [&] {
                return ComplexRational{random_rational(random), random_rational(random)};
              }),
          below(random, 5), round);
    if (HasFailure()) return;
  }
}

// Long enough walks that the row sums are built afresh many times.
TEST_P(FloatingMethod, LongWalks) {
  Random random(44);
  for (int round = 0; round < 3; ++round) {
    check(random_block<mpq_class>(random, 14, 0.4, round == 0, [&] { return random_rational(random); }),
          static_cast<std::size_t>(round), round);
  }
}

TEST_P(FloatingMethod, AnyBlockHasAFinitePrediction) {
  for (const Index n : {Index{0}, Index{1}, Index{70}, Index{300}}) {
    Random random(n);
    const auto job = GetParam()->make_job(random_pattern(random, n, 0.05), floating(Precision::kahan), {});
    EXPECT_TRUE(std::isfinite(job->log2_work()));
    EXPECT_GT(job->measured_rate(0.001), 0);
  }
  Random random(1);
  const auto job = GetParam()->make_job(random_pattern(random, 80, 0.5), floating(Precision::kahan), {});
  StopSignal stop;
  stop.request();
  EXPECT_THROW(job->run(job->units() / 3, stop), Stopped);
}

INSTANTIATE_TEST_SUITE_P(, FloatingMethod,
                         ::testing::Values(&ryser_method(), &sparyser_method(), &skipper_method()),
                         [](const auto& method) { return std::string(method.param->name()); });

}  // namespace
}  // namespace countpm::floating_methods_test
