// ryser's GPU kernel, on the CPU executor and on the GPUs of this machine: every kind of numbers, every place
// for the row sums, every size, against sums of products in GMP's integers.
#include "kernels/ryser/gpu/form.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "kernels/subsets/gpu/complex_numbers.hpp"
#include "tests/kernels/arithmetic/floating_values.hpp"
#include "tests/kernels/gpu/gpu_testing.hpp"
#include "tests/kernels/method_testing.hpp"

namespace countpm::gray {
namespace {

using countpm::testing::all_gpus;
using countpm::testing::as_complex;
using countpm::testing::below;
using countpm::testing::Random;
using countpm::testing::turned;

struct Example {
  Walk<std::int64_t> walk;
  Prefixes<std::int64_t> prefixes;
  IntegerLimits limits;
};

/// Row sums of at most `bound` wherever the walk goes.
Example random_example(Random& random, unsigned rows, unsigned columns, std::uint64_t prefixes,
                       std::int64_t bound) {
  Example example;
  example.walk.rows = rows;
  example.walk.columns = columns;
  const auto entry = [&](std::int64_t most) {
    const auto range = static_cast<std::uint64_t>(2 * most + 1);
    return static_cast<std::int64_t>(below(random, range)) - most;
  };
  const std::int64_t most = bound / (static_cast<std::int64_t>(columns) + 1);
  for (unsigned k = 0; k < rows * columns; ++k) example.walk.deltas.push_back(entry(most));
  for (std::uint64_t p = 0; p < prefixes; ++p) {
    for (unsigned i = 0; i < rows; ++i) example.prefixes.starts.push_back(entry(bound - most * columns));
    example.prefixes.minuses.push_back(static_cast<std::uint8_t>(below(random, 2)));
  }
  example.limits.bound = bound;
  example.limits.log2_sum =
      rows * std::log2(static_cast<double>(bound)) + columns + std::log2(static_cast<double>(prefixes) + 1);
  return example;
}

mpz_class expected_sum(const Example& example) {
  mpz_class sum;
  const std::size_t rows = example.walk.rows;
  std::vector<std::int64_t> sums(rows << example.walk.columns);  // of every subset, those of its rows
  for (std::uint64_t p = 0; p < example.prefixes.size(); ++p) {
    for (std::uint64_t subset = 0; subset < std::uint64_t{1} << example.walk.columns; ++subset) {
      const std::uint64_t without = subset & (subset - 1);  // its lowest column
      const auto column = static_cast<std::size_t>(std::countr_zero(subset));
      const bool minus = (example.prefixes.minuses[p] != 0) != (std::popcount(subset) % 2 == 1);
      mpz_class product = minus ? -1 : 1;
      for (std::size_t i = 0; i < rows; ++i) {
        const std::int64_t x = subset == 0
                                   ? example.prefixes.starts[p * rows + i]
                                   : sums[without * rows + i] + example.walk.deltas[column * rows + i];
        sums[subset * rows + i] = x;
        product *= static_cast<long>(x);
      }
      sum += product;
    }
  }
  return sum;
}

using Kernels = std::vector<WhichKernel>;
const Kernels best{WhichKernel::best};
const Kernels in_memory{WhichKernel::best,         WhichKernel::shared_sums,   WhichKernel::shared_plain,
                        WhichKernel::shared_apart, WhichKernel::shared_matrix, WhichKernel::global_sums,
                        WhichKernel::global_plain};

std::string name_of(const GpuInfo& gpu, const Example& example, WhichKernel which) {
  return gpu.name + ": " + std::to_string(example.walk.rows) + " rows, " +
         std::to_string(example.walk.columns) + " columns, " + std::to_string(example.prefixes.size()) +
         " prefixes, bound " + std::to_string(example.limits.bound) + ", kernel " +
         std::to_string(static_cast<int>(which));
}

/// Sums in shared memory need more of it than some GPUs have; everything else has to fit.
bool fits(const GpuInfo& gpu, const Example& example, WhichKernel which, std::size_t value_bytes) {
  const bool shared = which == WhichKernel::shared_sums || which == WhichKernel::shared_plain ||
                      which == WhichKernel::shared_apart || which == WhichKernel::shared_matrix;
  return !shared || example.walk.rows * (128 + example.walk.columns) * value_bytes + 8192 <= gpu.shared_bytes;
}

constexpr unsigned all_rows[] = {0, 1, 15, 16, 17, 31, 32, 33, 40, 41, 48, 49, 63, 64};
const StopSignal never;

TEST(RyserWalker, SmallIntegers) {
  Random random(20261121);
  for (const unsigned rows : all_rows) {
    for (const unsigned columns : {0U, 1U, 5U, 7U}) {
      const Example example = random_example(random, rows, columns, 1 + below(random, 5), 64);
      const mpz_class expected = expected_sum(example);
      for (const GpuInfo& gpu : all_gpus()) {
        for (const WhichKernel which : in_memory) {
          if (!fits(gpu, example, which, 8)) continue;
          EXPECT_EQ(
              make_integer_walker(gpu, example.walk, example.limits, which)->sum(example.prefixes, never),
              expected)
              << name_of(gpu, example, which);
        }
      }
    }
  }
}

// The sums of an n x n matrix of 0 and 1 stay within n: registers take them at every size.
TEST(RyserWalker, RegistersAtEverySize) {
  Random random(5);
  for (const unsigned rows : all_rows) {
    Example example = random_example(random, rows, 9, 3, std::max(10U, rows));
    const mpz_class expected = expected_sum(example);
    for (const GpuInfo& gpu : all_gpus()) {
      const auto walker = make_integer_walker(gpu, example.walk, example.limits, WhichKernel::built_in);
      EXPECT_NE(walker->kernel(), "built in, for any number of rows");
      EXPECT_EQ(walker->sum(example.prefixes, never), expected)
          << name_of(gpu, example, WhichKernel::built_in);
    }
  }
}

TEST(RyserWalker, SaysWhichKernelItIs) {
  Random random(15);
  const Example example = random_example(random, 33, 3, 1, 40);
  for (const GpuInfo& gpu : all_gpus()) {
    EXPECT_EQ(make_integer_walker(gpu, example.walk, example.limits)->kernel(), "built in, for 40 rows");
    EXPECT_EQ(make_integer_walker(gpu, example.walk, example.limits, WhichKernel::shared_sums)->kernel(),
              "built in, for any number of rows");
    EXPECT_EQ(make_integer_walker(gpu, example.walk, example.limits, WhichKernel::global_plain)->kernel(),
              "built in, for any number of rows, with sums in global memory, plain chunks");
    EXPECT_EQ(make_integer_walker(gpu, example.walk, example.limits, WhichKernel::shared_matrix)->kernel(),
              "built in, for any number of rows, with the matrix in shared memory");
    const Walk<Complex<double>> walk{33, 0, {}};
    EXPECT_EQ(make_floating_walker(gpu, walk, 0x1p-24)->kernel(), "built in, for 40 rows");
  }
}

// The largest magnitudes there are: every carry runs through.
TEST(RyserWalker, ExtremeRowSums) {
  for (const unsigned rows : {1U, 10U, 16U, 31U, 64U}) {
    for (const std::int64_t value : {-64, 64}) {
      Example example;
      example.walk.rows = rows;
      example.prefixes.starts.assign(std::size_t{rows} * 2, value);
      example.prefixes.minuses = {0, 1};
      // Twice with a minus: the sum of these is -2^(6 rows) or its like.
      example.prefixes.starts.insert(example.prefixes.starts.end(), rows, value);
      example.prefixes.minuses.push_back(1);
      example.limits = {64, rows * 6 + 2.0};
      for (const GpuInfo& gpu : all_gpus()) {
        for (const WhichKernel which : in_memory) {
          if (!fits(gpu, example, which, 8)) continue;
          EXPECT_EQ(
              make_integer_walker(gpu, example.walk, example.limits, which)->sum(example.prefixes, never),
              expected_sum(example))
              << name_of(gpu, example, which);
        }
      }
    }
  }
}

TEST(RyserWalker, LargeIntegers) {
  Random random(7);
  for (const unsigned rows : {1U, 2U, 7U, 31U, 33U}) {
    for (const unsigned bits : {7U, 15U, 31U, 61U}) {
      if (rows * bits > 500) continue;
      const Example example = random_example(random, rows, 6, 3, std::int64_t{1} << bits);
      ASSERT_TRUE(fits_words(example.limits));
      const mpz_class expected = expected_sum(example);
      for (const GpuInfo& gpu : all_gpus()) {
        for (const WhichKernel which : in_memory) {
          if (!fits(gpu, example, which, 8)) continue;
          EXPECT_EQ(
              make_integer_walker(gpu, example.walk, example.limits, which)->sum(example.prefixes, never),
              expected)
              << name_of(gpu, example, which);
        }
      }
    }
  }
}

TEST(RyserWalker, Primes) {
  Random random(8);
  for (const unsigned rows : {0U, 1U, 31U, 32U, 33U, 65U, 100U}) {
    const Example example = random_example(random, rows, 5, 2, std::int64_t{1} << 40);
    const mpz_class expected = expected_sum(example);
    for (const std::uint64_t prime : {std::uint64_t{3}, std::uint64_t{10007}, testing::first_prime,
                                      std::uint64_t{4611686018427387847U}}) {
      const mpz_class modulus(static_cast<unsigned long>(prime));
      mpz_class residue;
      mpz_fdiv_r(residue.get_mpz_t(), expected.get_mpz_t(), modulus.get_mpz_t());
      for (const GpuInfo& gpu : all_gpus()) {
        for (const WhichKernel which : in_memory) {
          if (!fits(gpu, example, which, 8)) continue;
          EXPECT_EQ(make_prime_walker(gpu, example.walk, prime, which)->sum(example.prefixes, never), residue)
              << name_of(gpu, example, which) << " modulo " << prime;
        }
      }
    }
  }
}

// More prefixes and columns than threads: every thread has several walks, and several launches follow one
// another.
TEST(RyserWalker, ManyWalks) {
  Random random(9);
  const Example example = random_example(random, 9, 12, 70, 20);
  const mpz_class expected = expected_sum(example);
  for (const GpuInfo& gpu : all_gpus()) {
    const auto walker = make_integer_walker(gpu, example.walk, example.limits);
    for (int time = 0; time < 3; ++time)
      EXPECT_EQ(walker->sum(example.prefixes, never), expected) << gpu.name;
  }
}

TEST(RyserWalker, IsStopped) {
  Random random(10);
  const Example example = random_example(random, 9, 12, 2, 20);
  StopSignal stop;
  stop.request();
  for (const GpuInfo& gpu : all_gpus()) {
    const auto walker = make_integer_walker(gpu, example.walk, example.limits);
    EXPECT_THROW(walker->sum(example.prefixes, stop), Stopped);
    EXPECT_EQ(walker->sum(example.prefixes, never), expected_sum(example));
  }
}

template <class Value>
void expect_floating_sums(const Kernels& kernels, unsigned rows) {
  Random random(11 + rows);
  // Small multiples of 1/16: every row sum is exact, and a product of 64 of them far from underflow. Row i of
  // a complex walk is turned by i quarters.
  const Example example = random_example(random, rows, 8, 3, 16);
  Walk<Value> walk{rows, example.walk.columns, {}};
  Prefixes<Value> prefixes{{}, example.prefixes.minuses};
  const auto lay_out = [&](const std::vector<std::int64_t>& from, std::vector<Value>& to) {
    for (std::size_t k = 0; k < from.size(); ++k)
      to.push_back(turned<Value>(static_cast<double>(from[k]) / 16, static_cast<unsigned>(k % rows)));
  };
  lay_out(example.walk.deltas, walk.deltas);
  lay_out(example.prefixes.starts, prefixes.starts);
  const double real = std::ldexp(expected_sum(example).get_d(), -4 * static_cast<int>(rows));
  const std::complex<double> expected = as_complex(turned<Value>(real, rows * (rows > 0 ? rows - 1 : 0) / 2));
  for (const GpuInfo& gpu : all_gpus()) {
    for (const WhichKernel which : kernels) {
      if (!fits(gpu, example, which, sizeof(Value))) continue;
      const FloatingParts<Value> sum = make_floating_walker(gpu, walk, 0x1p-24, which)->sum(prefixes, never);
      std::complex<double> value = 0;
      for (const Value& part : sum.parts) value += as_complex(part);
      EXPECT_LE(std::abs(value - expected), 1e-12 * sum.products + 1e-300) << name_of(gpu, example, which);
      EXPECT_GE(sum.products * (1 + 1e-12), std::abs(expected));
      EXPECT_GT(sum.wides, sum.products * (1 - 1e-12));
      EXPECT_LT(sum.wides, 100 * (sum.products + 1));
      EXPECT_EQ(sum.terms, std::uint64_t{3} << 8);
    }
  }
}

// What a sum's error is bounded by: the additions that one term passes, not all of them.
TEST(RyserWalker, TermsPassFewAdditions) {
  Random random(13);
  const unsigned rows = 9;
  Walk<double> walk{rows, 12, {}};
  Prefixes<double> prefixes;
  for (unsigned k = 0; k < rows * 12; ++k) walk.deltas.push_back(static_cast<double>(below(random, 9)) / 64);
  for (unsigned k = 0; k < rows * 70; ++k) prefixes.starts.push_back(-0.5);
  prefixes.minuses.assign(70, 0);
  for (const GpuInfo& gpu : all_gpus()) {
    const auto sum = make_floating_walker(gpu, walk, 0x1p-24)->sum(prefixes, never);
    EXPECT_EQ(sum.terms, std::uint64_t{70} << 12);
    EXPECT_LT(8 * sum.longest, sum.terms) << gpu.name;
    EXPECT_GE(sum.longest, 32U) << gpu.name;
  }
}

template <class Value>
void expect_exact_sums(unsigned seed, unsigned most_in_registers) {
  Random random(seed);
  for (const unsigned rows : all_rows) {
    for (const unsigned columns : {0U, 2U, 3U, 8U}) {
      const Example example = random_example(random, rows, columns, 3, 16);
      Walk<Value> walk{rows, columns, {}, 0, true};
      Prefixes<Value> prefixes{{}, example.prefixes.minuses};
      const auto lay_out = [&](const std::vector<std::int64_t>& from, std::vector<Value>& to) {
        for (std::size_t k = 0; k < from.size(); ++k)
          to.push_back(
              turned<Value>(std::ldexp(static_cast<double>(from[k]), -4), static_cast<unsigned>(k % rows)));
      };
      lay_out(example.walk.deltas, walk.deltas);
      lay_out(example.prefixes.starts, prefixes.starts);
      const double real = std::ldexp(expected_sum(example).get_d(), -4 * static_cast<int>(rows));
      const std::complex<double> expected =
          as_complex(turned<Value>(real, rows * (rows > 0 ? rows - 1 : 0) / 2));
      for (const GpuInfo& gpu : all_gpus()) {
        const auto sum = make_floating_walker(gpu, walk, 1)->sum(prefixes, never);
        std::complex<double> value = 0;
        for (const Value& part : sum.parts) value += as_complex(part);
        EXPECT_LE(std::abs(value - expected), 1e-13 * sum.products)
            << name_of(gpu, example, WhichKernel::best);
        EXPECT_GE(sum.products * (1 + 1e-12), std::abs(expected));
        if (rows <= most_in_registers) {
          EXPECT_EQ(sum.wides, sum.products) << name_of(gpu, example, WhichKernel::best);
        }
        EXPECT_EQ(sum.terms, std::uint64_t{3} << columns);
      }
    }
  }
}

// Without slopes, in registers; elsewhere they are made and do no harm.
TEST(RyserWalker, ExactFloatingSums) {
  expect_exact_sums<double>(12, 64);
}

TEST(RyserWalker, ExactComplexSums) {
  expect_exact_sums<Complex<double>>(14, 40);
}

// Of both parts, in all octants, small and large: at least the magnitude, and at most 1.0824 times that.
TEST(RyserWalker, MagnitudesFromAbove) {
  for (int step = 0; step < 1000; ++step) {
    for (const double size : {1.0, 0x1p-1000, 0x1.8p-300}) {
      const double re = std::cos(step * 0.0063) * size;
      const double im = std::sin(step * 0.0063) * size;
      const double above = magnitude_from_above(re, im);
      EXPECT_GE(above * (1 + 0x1p-50), std::hypot(re, im)) << step;
      EXPECT_LE(above, std::hypot(re, im) * 1.08240) << step;
    }
  }
  EXPECT_EQ(magnitude_from_above(0, -3), 3);
  EXPECT_EQ(magnitude_from_above(0, 0), 0);
}

template <class Value>
void expect_floating_sums_everywhere() {
  for (const unsigned rows : all_rows) expect_floating_sums<Value>(best, rows);
  for (const unsigned rows : {5U, 40U, 70U}) expect_floating_sums<Value>(in_memory, rows);
}

TEST(RyserWalker, Floating) {
  expect_floating_sums_everywhere<double>();
  expect_floating_sums_everywhere<DoubleDouble>();
  expect_floating_sums_everywhere<TripleDouble>();
}

TEST(RyserWalker, ComplexNumbers) {
  expect_floating_sums_everywhere<Complex<double>>();
  expect_floating_sums_everywhere<Complex<DoubleDouble>>();
  expect_floating_sums_everywhere<Complex<TripleDouble>>();
}

}  // namespace
}  // namespace countpm::gray
