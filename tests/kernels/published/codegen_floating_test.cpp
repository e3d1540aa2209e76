// codegen in floating point: balls against rational arithmetic, on the CPU and on GPUs, every form; sums over
// walks of any number of rows against rational ones and ryser's; programs.
#include <cmath>

#include "kernels/arithmetic/ball.hpp"
#include "kernels/arithmetic/complex.hpp"
#include "kernels/arithmetic/ring_values.hpp"
#include "kernels/arithmetic/running_error.hpp"
#include "kernels/gpu/runtime_compiler.hpp"
#include "kernels/published/codegen/codegen.hpp"
#include "kernels/published/codegen/floating.hpp"
#include "kernels/published/codegen/gpu/form.hpp"
#include "kernels/ryser/gpu/form.hpp"
#include "kernels/ryser/ryser.hpp"
#include "tests/kernels/best_rate.hpp"
#include "tests/kernels/gpu/gpu_testing.hpp"
#include "tests/kernels/method_testing.hpp"
#include "tests/kernels/published/codegen_floating_testing.hpp"

namespace countpm::codegen_floating_test {
namespace {

using namespace countpm::testing;
using codegen::FloatingOverrides;
using codegen::FloatingProgram;
using codegen::Form;

const StopSignal never;

Arithmetic floating(Precision precision) {
  Arithmetic arithmetic;
  arithmetic.kind = Arithmetic::Kind::floating;
  arithmetic.precision = precision;
  arithmetic.bits = 100;
  return arithmetic;
}

/// The emulated one, and those that are there with NVRTC to compile for them.
std::vector<GpuInfo> gpus_with_compiler() {
  if (const auto obstacle = runtime_compiler_obstacle()) return {emulated_gpu(0)};
  return all_gpus();
}

mpq_class exact(const BigFloat& value) {
  mpq_class result;
  mpfr_get_q(result.get_mpq_t(), value.get());
  return result;
}

/// The distance of the truth is within the radius.
void expect_holds(const Ball& ball, const mpq_class& truth, const std::string& what) {
  EXPECT_LE(abs(exact(ball.re) - truth), exact(ball.error)) << what;
  EXPECT_TRUE(ball.im.is_zero());
}
void expect_holds(const Ball& ball, const ComplexRational& truth, const std::string& what) {
  const mpq_class re = exact(ball.re) - truth.re;
  const mpq_class im = exact(ball.im) - truth.im;
  const mpq_class radius = exact(ball.error);
  EXPECT_LE(re * re + im * im, radius * radius) << what;
}

Ball cpu_ball(const Job& job) {
  Ball sum = zero_ball(256);
  for (std::uint64_t unit = 0; unit < job.units(); ++unit) add(sum, std::get<Ball>(job.run(unit, never)));
  return sum;
}

/// Generic, mixed signs; rows that all but cancel; integers; many zeros; rows of any size; entries of any
/// size. k: the entry's number.
mpq_class random_real(Random& random, Index n, int kind, Index k) {
  const auto integer = static_cast<long>(below(random, 2001)) - 1000;
  mpq_class value(kind == 3 ? integer % 2 : integer, kind == 2 || kind == 3 ? 1 : 997);
  value.canonicalize();
  if (kind == 1) value = (k % 2 == 0 ? 1 : -1) + value / 1000000;
  if (kind == 4) value = divided_by_power_of_two(value, static_cast<std::int64_t>(k / n * 97 % 800) - 400);
  if (kind == 5) value = divided_by_power_of_two(value, static_cast<std::int64_t>(below(random, 500)) - 250);
  return value == 0 ? mpq_class(1, 3) : value;
}

Block<mpq_class> random_reals(Random& random, Index n, int kind, double density, bool plain) {
  Index entry = 0;
  return random_block<mpq_class>(random, n, density, plain,
                                 [&] { return random_real(random, n, kind, entry++); });
}

/// The same in both parts, every fourth entry real or imaginary.
Block<ComplexRational> random_complex(Random& random, Index n, int kind, double density, bool plain) {
  Index entry = 0;
  return random_block<ComplexRational>(random, n, density, plain, [&] {
    const Index k = entry++;
    ComplexRational value{random_real(random, n, kind, k), random_real(random, n, kind, k)};
    if (below(random, 4) == 0) (below(random, 2) == 0 ? value.re : value.im) = 0;
    return value;
  });
}

/// In the first two rows and columns [1 i; i 1], or of reals [1 1; 1 -1], and nothing beside them: the
/// permanent is 0, and no term is.
template <class Value>
Block<Value> with_zero_permanent(const Block<Value>& block) {
  std::vector<std::vector<Value>> rows(block.matrix.rows, std::vector<Value>(block.matrix.columns));
  for (Index i = 0; i < block.matrix.rows; ++i) {
    for (std::uint64_t k = block.matrix.row_start[i]; k < block.matrix.row_start[i + std::uint64_t{1}]; ++k)
      rows[i][block.matrix.column[k]] = block.matrix.value[k];
  }
  const auto one = [](bool turned) {
    if constexpr (std::is_same_v<Value, ComplexRational>) {
      return turned ? ComplexRational{0, mpq_class(1, 3)} : ComplexRational{mpq_class(1, 3), 0};
    } else {
      return mpq_class(turned ? -1 : 1, 3);
    }
  };
  constexpr bool complex = std::is_same_v<Value, ComplexRational>;
  for (Index i = 0; i < 2; ++i) {
    for (Index j = 0; j < block.matrix.columns; ++j)
      rows[i][j] = j >= 2 ? Value{} : one(complex ? i != j : i + j == 2);
  }
  return dense_block(rows, block.matrix.columns);
}

Block<mpq_class> random_weights(Random& random, Index n, int kind, double density, const mpq_class&) {
  return random_reals(random, n, kind, density, true);
}
Block<ComplexRational> random_weights(Random& random, Index n, int kind, double density,
                                      const ComplexRational&) {
  return random_complex(random, n, kind, density, true);
}

template <class Value>
void expect_balls(unsigned seed) {
  constexpr bool complex = std::is_same_v<Value, ComplexRational>;
  Random random(seed);
  const std::vector<FloatingOverrides> wishes = all_wishes();
  for (int round = 0; round < repeats(complex ? 75 : 90); ++round) {
    const auto n = static_cast<Index>(round < 6 ? round / 2 : 1 + below(random, complex ? 9 : 10));
    auto block = random_weights(random, n, round % 6, round % 2 == 0 ? 1 : 0.6, Value{});
    if (round % 7 == 6 && n >= 2) block = with_zero_permanent(block);
    const auto truth = permanent_by_states(block);
    for (const Precision precision : {Precision::plain, Precision::kahan, Precision::double_double}) {
      const Arithmetic arithmetic = floating(precision);
      ASSERT_EQ(codegen_method().obstacle(block, arithmetic), std::nullopt);
      const std::string what = "round " + std::to_string(round) + "\n" + text_of(block);
      const auto ryser = ryser_method().make_job(block, arithmetic, {});
      // A thread has more of the terms than of ryser's kernel, and double-doubles round with every addition.
      // Complex products of exact sums are measured without a square root.
      const mpq_class allowed(precision == Precision::double_double ? 100 : complex ? 1.09 : 1.001);
      const Ball other = std::get<Ball>(ryser->on_device(emulated_gpu(0))->run(0, ryser->units(), never));
      for (int form = 0; form < 3; ++form) {
        const auto job = make_generated_job(block, arithmetic, wishes[random() % wishes.size()]);
        const std::string with = job->describe() + ", " + what;
        const Ball ball = cpu_ball(*job);
        expect_holds(ball, truth, with);
        // Roundings differ, and so do the reciprocals' sums in single precision.
        EXPECT_LE(exact(ball.error), exact(other.error) * allowed) << with;
        for (const GpuInfo& gpu : gpus_with_compiler()) {
          if (!gpu.emulated && (form > 0 || round % 6 != 0)) continue;  // each is compiled
          const Ball there = std::get<Ball>(job->on_device(gpu)->run(0, job->units(), never));
          expect_holds(there, truth, gpu.name + ", " + with);
          EXPECT_LE(exact(there.error), exact(other.error) * allowed) << gpu.name << ", " << with;
        }
      }
    }
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(CodegenFloating, BallsHoldTheNumberAndAreNoWiderThanRysers) {
  expect_balls<mpq_class>(61);
}

TEST(CodegenFloating, ComplexBallsHoldTheNumberAndAreNoWiderThanRysers) {
  expect_balls<ComplexRational>(71);
}

// Twin columns are the CPU's.
TEST(CodegenFloating, MultiplicitiesOnTheCpu) {
  Random random(62);
  for (int round = 0; round < repeats(60); ++round) {
    const auto block = random_reals(random, static_cast<Index>(1 + below(random, 8)), round % 6, 0.8, false);
    for (const Precision precision : {Precision::kahan, Precision::double_double}) {
      const auto job = codegen_method().make_job(block, floating(precision), {});
      expect_holds(cpu_ball(*job), permanent_by_states(block), text_of(block));
      const bool twins = block.multiplicity.size() < block.size();
      EXPECT_EQ(job->on_device(emulated_gpu(0)) == nullptr, twins);
      EXPECT_EQ(job->nominal_device_rate(emulated_gpu(0)) == 0, twins);
    }
    const auto complex =
        random_complex(random, static_cast<Index>(1 + below(random, 6)), round % 6, 0.8, false);
    const auto job = codegen_method().make_job(complex, floating(Precision::kahan), {});
    expect_holds(cpu_ball(*job), permanent_by_states(complex), text_of(complex));
  }
}

/// Distance of the centres against a radius.
bool within(const Ball& a, const Ball& b, const mpq_class& radius) {
  const mpq_class re = exact(a.re) - exact(b.re);
  const mpq_class im = exact(a.im) - exact(b.im);
  return re * re + im * im <= radius * radius;
}

void expect_units_and_rates(const AnyBlock& block) {
  const auto job = make_generated_job(block, floating(Precision::kahan), {});
  ASSERT_GT(job->units(), 3U);
  const auto ryser = ryser_method().make_job(block, floating(Precision::double_double), {});
  for (const GpuInfo& gpu : gpus_with_compiler()) {
    const auto device = job->on_device(gpu);
    ASSERT_NE(device, nullptr);
    const Ball all = std::get<Ball>(device->run(0, job->units(), never));
    const Ball number = std::get<Ball>(ryser->on_device(gpu)->run(0, ryser->units(), never));
    EXPECT_TRUE(within(all, number, exact(all.error) + exact(number.error))) << gpu.name;
    EXPECT_LE(exact(all.error), (abs(exact(all.re)) + abs(exact(all.im))) * mpq_class(1e-6)) << gpu.name;
    Ball parts = std::get<Ball>(device->run(0, 1, never));
    add(parts, std::get<Ball>(device->run(1, job->units(), never)));
    EXPECT_TRUE(within(all, parts, exact(all.error))) << gpu.name;
    // The CPU's unit is the same share.
    const Ball one = std::get<Ball>(job->run(1, never));
    const Ball there = std::get<Ball>(device->run(1, 2, never));
    EXPECT_TRUE(within(one, there, exact(one.error) + exact(there.error))) << gpu.name;
    EXPECT_GT(device->device_bytes(), 0U);
    // Under sanitizers a unit may take too long to be measured.
    if (!sanitized) {
      EXPECT_GT(best_rate(*device, 1e3), 1e3);
    }
    EXPECT_GT(job->nominal_device_rate(gpu), 1e3);
    const CodegenReport report = codegen_report(*device);
    EXPECT_EQ(report.program, job->describe());
    EXPECT_EQ(report.spilled_bytes, 0U);
  }
  EXPECT_GT(best_rate(*job, 1e3), 1e3);
}

TEST(CodegenFloating, UnitsAndRates) {
  Random random(63);
  expect_units_and_rates(random_reals(random, 21, 0, 0.3, true));
}

TEST(CodegenFloating, ComplexUnitsAndRates) {
  Random random(73);
  expect_units_and_rates(random_complex(random, 21, 0, 0.3, true));
}

TEST(CodegenFloating, WhatItDoesNotTake) {
  Random random(64);
  const auto real = random_reals(random, 4, 0, 1, true);
  EXPECT_NE(codegen_method().obstacle(real, floating(Precision::mpfr)), std::nullopt);
  const auto complex = random_complex(random, 4, 0, 1, true);
  EXPECT_EQ(codegen_method().obstacle(complex, floating(Precision::kahan)), std::nullopt);
  EXPECT_NE(codegen_method().obstacle(complex, floating(Precision::mpfr)), std::nullopt);
  const auto many = random_block<std::int64_t>(random, gray::most_floating_rows + 1, 0.001, true,
                                               [] { return std::int64_t{1}; });
  EXPECT_NE(codegen_method().obstacle(many, floating(Precision::kahan)), std::nullopt);
  for (const Index n : {Index{0}, Index{1}, Index{70}, Index{300}}) {
    const auto job =
        codegen_method().make_job(random_reals(random, n, 0, 0.05, true), floating(Precision::kahan), {});
    EXPECT_TRUE(std::isfinite(job->log2_work()));
    EXPECT_GT(job->measured_rate(0.001), 0);
  }
  const auto job =
      codegen_method().make_job(random_reals(random, 60, 0, 0.2, true), floating(Precision::kahan), {});
  StopSignal stop;
  stop.request();
  EXPECT_THROW(job->run(job->units() / 3, stop), Stopped);
}

mpq_class exactly(double value) {
  return value;
}
mpq_class exactly(const DoubleDouble& value) {
  return mpq_class(value.high) + mpq_class(value.low);
}
template <class Part>
ComplexRational exactly(const Complex<Part>& value) {
  return {exactly(value.re), exactly(value.im)};
}

void add_to(mpq_class& x, const mpq_class& a) {
  x += a;
}
void add_to(ComplexRational& x, const ComplexRational& a) {
  x.re += a.re;
  x.im += a.im;
}
void multiply_to(mpq_class& x, const mpq_class& a) {
  x *= a;
}
void multiply_to(ComplexRational& x, const ComplexRational& a) {
  x = {x.re * a.re - x.im * a.im, x.re * a.im + x.im * a.re};
}
mpq_class real_number(int x, const mpq_class&) {
  return x;
}
ComplexRational real_number(int x, const ComplexRational&) {
  return {x, 0};
}

template <class Value>
auto exact_sum(const Example<Value>& example) {
  const auto& walk = example.walk;
  using Exact = decltype(exactly(Value{}));
  Exact sum = real_number(0, Exact{});
  for (std::uint64_t p = 0; p < example.prefixes.size(); ++p) {
    for (std::uint64_t subset = 0; subset < std::uint64_t{1} << walk.columns; ++subset) {
      const bool minus = (example.prefixes.minuses[p] != 0) != (std::popcount(subset) % 2 != 0);
      Exact product = real_number(minus ? -1 : 1, Exact{});
      for (unsigned i = 0; i < walk.rows; ++i) {
        Exact x = exactly(example.prefixes.starts[p * walk.rows + i]);
        for (unsigned c = 0; c < walk.columns; ++c) {
          if ((subset >> c & 1) != 0) add_to(x, exactly(walk.deltas[c * walk.rows + i]));
        }
        multiply_to(product, x);
      }
      add_to(sum, product);
    }
  }
  return sum;
}

template <class Ring, class Value>
Ball ball_of(const Ring& ring, const Example<Value>& example, const gray::FloatingParts<Value>& parts) {
  RunningSum<Ring> sum(ring);
  sum.expect_sums(example.walk.rows, example.walk.columns + gray::floating_flips + 2);
  EXPECT_EQ(parts.terms, example.prefixes.size() << example.walk.columns);
  sum.add_sum(parts.parts, parts.products, parts.wides, parts.terms, parts.longest);
  Ball ball = zero_ball(512);
  sum.store(ball);
  return ball;
}

template <class Ring>
void expect_walks(const Ring& ring, unsigned seed) {
  using Value = typename Ring::Element;
  Random random(seed);
  const std::vector<FloatingOverrides> wishes = all_wishes();
  for (const unsigned rows : {0U, 1U, 2U, 31U, 32U, 33U, 40U, 65U}) {
    for (const unsigned columns : {0U, 1U, 5U}) {
      for (const bool scaled : {false, true}) {
        const auto example = random_example<Value>(random, rows, columns, columns == 5 ? 0.3 : 0.8, scaled);
        RunningSum<Ring> sum(ring);
        sum.expect_sums(rows, columns + gray::floating_flips + 2);
        const double spread = sum.spread();
        const auto truth = exact_sum(example);
        const GpuInfo emulated = emulated_gpu(0);
        // Its bound is proved by tests of its own (ryser_bound_test.cpp).
        const auto ryser =
            gray::make_floating_walker(emulated, example.walk, spread)->sum(example.prefixes, never);
        for (const GpuInfo& gpu : gpus_with_compiler()) {
          for (int form = 0; form < (gpu.emulated ? 5 : columns == 5 ? 1 : 0); ++form) {
            const FloatingProgram program =
                codegen::make_floating_program(example.walk, wishes[random() % wishes.size()]);
            auto walker = codegen::make_floating_walker<Value>(gpu, program, spread);
            for (int time = 0; time < 2; ++time) {
              const auto parts = walker->sum(example.prefixes, never);
              const std::string what = gpu.name + ", " + std::to_string(columns) + " columns, " +
                                       program.describe() + (scaled ? ", scaled" : "");
              expect_holds(ball_of(ring, example, parts), truth, what);
              EXPECT_NEAR(parts.products, ryser.products, 1e-9 * ryser.products) << what;
              // ryser's kernel in double-doubles multiplies factors 1 + spread for rows up to its size.
              const double slopes = ryser.wides - ryser.products;
              const double allowed = std::is_same_v<Value, DoubleDouble>
                                         ? 40 * spread * ryser.wides
                                         : 1e-3 * slopes + 1e-9 * ryser.products;
              EXPECT_NEAR(parts.wides - parts.products, slopes, allowed) << what;
            }
          }
        }
      }
    }
  }
}

TEST(CodegenFloating, WalksOfAnyNumberOfRows) {
  expect_walks(KahanRing(), 65);
}

TEST(CodegenFloating, WalksInDoubleDoubles) {
  expect_walks(DoubleDoubleRing(), 66);
}

TEST(CodegenFloating, ComplexWalks) {
  expect_walks(ComplexRing(KahanRing()), 74);
  expect_walks(ComplexRing(DoubleDoubleRing()), 75);
}

TEST(CodegenFloatingProgram, PartsThatAreZeroTakeNoTime) {
  gray::Walk<Complex<double>> walk{2, 2, {{1, 0}, {0, 1}, {0, 0}, {1, -1}}};
  const FloatingProgram program = codegen::make_floating_program(walk);
  EXPECT_TRUE(program.complex);
  EXPECT_EQ(program.describe().substr(0, 54), "PureReg, 2 of 2 row sums in registers, complex doubles");
  ASSERT_EQ(program.columns.size(), 2U);
  ASSERT_EQ(program.columns[0].size(), 2U);
  EXPECT_FALSE(program.columns[0][0].imaginary);
  EXPECT_TRUE(program.columns[0][1].imaginary);
  EXPECT_EQ(program.columns[0][1].delta.high, 1);
  ASSERT_EQ(program.columns[1].size(), 2U);
  EXPECT_EQ(program.columns[1][1].delta.high, -1);
  gray::Walk<Complex<double>> full = walk;
  for (Complex<double>& delta : full.deltas) delta = {1, 1};
  EXPECT_LT(codegen::step_cost(program).instructions,
            codegen::step_cost(codegen::make_floating_program(full)).instructions);
}

TEST(CodegenFloatingProgram, LevelsHoldEveryRowOnceAndNoneThatAnEarlierColumnTouches) {
  Random random(67);
  for (int round = 0; round < repeats(100); ++round) {
    const auto rows = static_cast<unsigned>(below(random, 60));
    const auto columns = static_cast<unsigned>(below(random, 20));
    auto example = random_example<double>(random, rows, columns, 0.1 + 0.1 * round / 20, false);
    example.walk.log2_subsets = static_cast<double>(below(random, 40));
    for (const FloatingOverrides& wishes : all_wishes()) {
      const FloatingProgram program = codegen::make_floating_program(example.walk, wishes);
      std::vector<int> times(rows, 0);
      for (std::size_t at = 0; at < program.levels.size(); ++at) {
        const codegen::Level& level = program.levels[at];
        if (at > 0) {
          EXPECT_LE(level.column, program.levels[at - 1].column);
        }
        EXPECT_LT(level.begin, level.end);
        EXPECT_LE(level.column, program.walked);
        EXPECT_EQ(level.begin < program.registers, level.end <= program.registers);
        for (unsigned place = level.begin; place < level.end; ++place) {
          ++times[place];
          for (unsigned c = 0; c < level.column; ++c) {
            for (const codegen::FloatingAdd& add : program.columns[c]) EXPECT_NE(add.row, place);
          }
        }
      }
      EXPECT_EQ(times, std::vector<int>(rows, 1));
      EXPECT_LE(program.walked, gray::most_walked_floating);
      // Every entry where it was.
      std::vector<double> deltas(example.walk.deltas.size(), 0);
      for (unsigned c = 0; c < columns; ++c) {
        for (const codegen::FloatingAdd& add : program.columns[c])
          deltas[c * rows + program.row_of[add.row]] = add.delta.high;
      }
      EXPECT_EQ(deltas, example.walk.deltas);
      if (wishes.form == Form::pure_registers) {
        EXPECT_EQ(program.registers, rows);
      }
      if (wishes.kept == 0U && wishes.form == Form::pure_registers) {
        EXPECT_LE(program.levels.size(), 1U);
      }
      const auto shape = program.launch_shape();
      EXPECT_LE(shape.blocks_per_multiprocessor * shape.threads * shape.registers, 65536U);
    }
  }
}

TEST(CodegenFloatingProgram, KeptProductsSaveInstructions) {
  Random random(68);
  auto example = random_example<double>(random, 40, 23, 0.2, false);
  example.walk.log2_subsets = 39;
  const FloatingProgram best = codegen::make_floating_program(example.walk);
  const FloatingProgram published =
      codegen::make_floating_program(example.walk, {{Form::pure_registers}, 0, {}, false});
  EXPECT_EQ(best.form, Form::pure_registers);
  EXPECT_GT(best.levels.size(), 1U);
  EXPECT_LT(codegen::step_cost(best).instructions, codegen::step_cost(published).instructions);
  auto large = random_example<double>(random, 100, 23, 0.02, false);
  EXPECT_EQ(codegen::make_floating_program(large.walk).form, Form::hybrid);
}

}  // namespace
}  // namespace countpm::codegen_floating_test
