// The loops of a population's fit: the same bits with every instruction set of this processor, and what they
// are to compute.
#include "kernels/estimate/population/fit_loops.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "kernels/support/instruction_sets.hpp"
#include "tests/repeats.hpp"

namespace countpm::fit_loops {
namespace {

std::vector<const Code*> fit_codes_here() {
  std::vector<const Code*> codes{&baseline::code};
#ifdef __x86_64__
  if (processor_has(InstructionSet::avx2)) codes.push_back(&avx2::code);
  if (processor_has(InstructionSet::avx512)) codes.push_back(&avx512::code);
#endif
  return codes;
}

struct Inputs {
  Size size = 0;  // of rows, and of the matrix
  Size stride = 0;
  std::vector<Word> words;
  std::vector<Term> terms;
  std::vector<unsigned> list;
  std::vector<float> row, other;
  std::vector<double> powers, matrix;
};

constexpr unsigned columns = 20;

Inputs random_inputs(std::mt19937_64& random) {
  Inputs in;
  in.size = 1 + random() % 50;
  in.stride = (in.size + row_unit - 1) / row_unit * row_unit;
  for (Size k = 0; k < lanes; ++k) in.words.push_back(random());
  for (Size t = random() % 40; t > 0; --t) {
    const auto column = [&] { return static_cast<unsigned>(random() % columns); };
    in.terms.push_back({{column(), column(), column()}, static_cast<int>(random() % 2000000) - 1000000});
  }
  std::normal_distribution<float> normal;
  for (Size k = 0; k < in.stride; ++k) {
    in.row.push_back(normal(random));
    in.other.push_back(normal(random));
    if (k < in.size && random() % 2 == 0) in.list.push_back(static_cast<unsigned>(k));
  }
  for (int k = 0; k < 30; ++k) in.powers.push_back(static_cast<double>(random() % 400000) / 1000 - 200);
  in.matrix.assign(in.size * in.stride, 0.0);
  for (Size i = 0; i < in.size; ++i) {
    for (Size j = i; j < in.size; ++j)
      in.matrix[i * in.stride + j] = i == j ? 60 : static_cast<double>(in.row[j] * in.other[i]) / 4;
  }
  return in;
}

struct Outputs {
  std::vector<Lanes> mask = std::vector<Lanes>(columns);
  Lanes sums{};
  std::vector<float> rows, multiple;
  float dot = 0;
  std::vector<double> powers, factor;
  bool definite = false;

  std::vector<double> all() const {
    std::vector<double> result{dot, definite ? 1.0 : 0.0};
    for (const Lanes& one : mask) result.insert(result.end(), one.lane, one.lane + lanes);
    result.insert(result.end(), sums.lane, sums.lane + lanes);
    result.insert(result.end(), rows.begin(), rows.end());
    result.insert(result.end(), multiple.begin(), multiple.end());
    result.insert(result.end(), powers.begin(), powers.end());
    result.insert(result.end(), factor.begin(), factor.end());
    return result;
  }
};

Outputs outputs_of(const Code& code, const Inputs& in) {
  Outputs out;
  for (unsigned c = 0; c < columns; ++c) code.expand(in.words.data(), 3 * c, out.mask[c].lane);
  out.sums.lane[5] = 7;
  code.add_terms(in.terms.data(), in.terms.size(), out.mask.data(), out.sums.lane);
  out.rows.assign(in.stride * in.stride, 0.5F);
  code.add_rows(in.list.data(), in.list.size(), in.row.data(), in.stride, out.rows.data());
  out.dot = code.dot(in.row.data(), in.other.data(), in.stride);
  out.multiple = in.other;
  code.add_multiple(0.3F, in.row.data(), in.stride, out.multiple.data());
  out.powers.resize(in.powers.size());
  code.exponentials(in.powers.data(), in.powers.size(), out.powers.data());
  out.factor = in.matrix;
  out.definite = code.factorise(out.factor.data(), in.size, in.stride);
  return out;
}

TEST(FitLoops, TheSameBitsWithEveryInstructionSet) {
  std::mt19937_64 random(7);
  for (int repeat = 0; repeat < testing::repeats(60); ++repeat) {
    const Inputs in = random_inputs(random);
    const std::vector<double> expected = outputs_of(baseline::code, in).all();
    for (const Code* code : fit_codes_here()) EXPECT_EQ(outputs_of(*code, in).all(), expected) << in.size;
  }
}

TEST(FitLoops, ComputeWhatTheyAreTo) {
  std::mt19937_64 random(8);
  for (int repeat = 0; repeat < testing::repeats(20); ++repeat) {
    const Inputs in = random_inputs(random);
    const Outputs out = outputs_of(baseline::code, in);
    for (Size k = 0; k < lanes; ++k) {
      long long sum = k == 5 ? 7 : 0;
      for (const Term& term : in.terms) {
        bool has = true;
        for (const unsigned c : term.column) has = has && (in.words[k] >> (3 * c) & 1) != 0;
        sum += has ? term.exponent : 0;
      }
      EXPECT_EQ(out.sums.lane[k], sum);
    }
    for (const unsigned f : in.list) {
      for (Size j = 0; j <= f; ++j) EXPECT_EQ(out.rows[f * in.stride + j], 0.5F + in.row[j]);
    }
    double dot = 0;
    for (Size k = 0; k < in.stride; ++k) dot += static_cast<double>(in.row[k] * in.other[k]);
    EXPECT_NEAR(out.dot, dot, 1e-3);
    for (Size k = 0; k < in.powers.size(); ++k) EXPECT_NEAR(out.powers[k] / std::exp(in.powers[k]), 1, 1e-13);
    EXPECT_TRUE(out.definite);
    for (Size i = 0; i < in.size; ++i) {
      for (Size j = i; j < in.size; ++j) {
        double product = 0;
        for (Size k = 0; k <= i; ++k)
          product += out.factor[k * in.stride + i] * out.factor[k * in.stride + j];
        EXPECT_NEAR(product, in.matrix[i * in.stride + j], 1e-10);
      }
    }
  }
  std::vector<double> indefinite(row_unit, -1.0);
  EXPECT_FALSE(baseline::code.factorise(indefinite.data(), 1, row_unit));
}

}  // namespace
}  // namespace countpm::fit_loops
