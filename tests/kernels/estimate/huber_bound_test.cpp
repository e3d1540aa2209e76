// The bound nests in exact arithmetic, as the doubles stand, and bounds the permanent.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "kernels/estimate/bounds/certified_bounds.hpp"
#include "kernels/estimate/guarantee/frontal_cholesky.hpp"
#include "kernels/estimate/guarantee/gamma_bernoulli.hpp"
#include "kernels/estimate/guarantee/huber_bound.hpp"
#include "kernels/estimate/guarantee/rejection_trials.hpp"
#include "tests/kernels/oracle.hpp"
#include "tests/repeats.hpp"

namespace countpm::huber_bound_test {
namespace {

mpq_class potential_product(const HuberBound& bound, std::uint32_t step, std::uint64_t rows) {
  mpq_class product = 1;
  for (std::uint32_t i = 0; i < bound.size(); ++i) {
    if ((rows >> i & 1) != 0) product *= mpq_class(bound.potential(step, i));
  }
  return product;
}

/// Every step, from every set of rows: more than a trial can come to.
void expect_nesting(const AnyBlock& block, std::uint64_t seed) {
  const HuberBound bound(make_sample_matrix(block));
  const std::uint32_t n = bound.size();
  for (std::uint32_t step = 0; step < n; ++step) {
    for (std::uint64_t rows = 1; rows < std::uint64_t{1} << n; ++rows) {
      mpq_class after = 0;
      for (std::uint32_t i = 0; i < n; ++i) {
        if ((rows >> i & 1) == 0 || bound.entry(step, i) == 0) continue;
        after += mpq_class(bound.entry(step, i)) *
                 potential_product(bound, step + 1, rows ^ std::uint64_t{1} << i);
      }
      ASSERT_LE(after, potential_product(bound, step, rows))
          << "seed " << seed << " step " << step << " rows " << rows << '\n'
          << oracle::show(block);
    }
  }
  for (std::uint32_t i = 0; i < n; ++i) EXPECT_EQ(bound.potential(n, i), 0);
}

/// Whether a trial that has these rows left at a step can go on: none of them is without entries.
bool alive(const HuberBound& bound, std::uint32_t step, std::uint64_t rows) {
  for (std::uint32_t i = 0; i < bound.size(); ++i) {
    if ((rows >> i & 1) != 0 && bound.potential(step, i) == 0) return false;
  }
  return true;
}

/// Every step, from every set of rows that a trial can come to.
void expect_nesting_where_trials_are(const HuberBound& bound, const std::string& which) {
  const std::uint32_t n = bound.size();
  std::set<std::uint64_t> now{(std::uint64_t{1} << n) - 1};
  for (std::uint32_t step = 0; step < n; ++step) {
    std::set<std::uint64_t> next;
    for (const std::uint64_t rows : now) {
      mpq_class after = 0;
      for (std::uint32_t i = 0; i < n; ++i) {
        if ((rows >> i & 1) == 0 || bound.entry(step, i) == 0) continue;
        const std::uint64_t left = rows ^ std::uint64_t{1} << i;
        if (!alive(bound, step + 1, left)) continue;
        next.insert(left);
        after += mpq_class(bound.entry(step, i)) * potential_product(bound, step + 1, left);
      }
      ASSERT_LE(after, potential_product(bound, step, rows)) << which << " step " << step << " rows " << rows;
    }
    now = std::move(next);
  }
}

/// An entry of the widths of integers: 1, a million, or something between.
AnyBlock wide_block(oracle::Random& random, Index n) {
  return oracle::make_block<std::int64_t>(n, n, [&](Index i, Index j) -> std::int64_t {
    if (i != j && oracle::uniform(random, 0, 2) == 0) return 0;
    const std::int64_t kind = oracle::uniform(random, 0, 2);
    return kind == 0 ? 1 : kind == 1 ? 1000000 : oracle::uniform(random, 2, 999);
  });
}

TEST(HuberBound, NestsForEverySetOfRows) {
  oracle::Random random(11);
  for (std::uint64_t round = 0; round < 60; ++round) {
    const auto n = static_cast<Index>(oracle::uniform(random, 2, 7));
    const double density = static_cast<double>(oracle::uniform(random, 3, 10)) / 10;
    expect_nesting(oracle::random_block<std::int64_t>(random, n, density, 1, 1), round);
    expect_nesting(oracle::random_block<mpq_class>(random, n, density, 1, 40), round);
    expect_nesting(wide_block(random, n), round);
  }
}

TEST(HuberBound, IsAboveThePermanentAndNeverBelowItsTransposes) {
  oracle::Random random(12);
  for (std::uint64_t round = 0; round < 200; ++round) {
    const auto n = static_cast<Index>(oracle::uniform(random, 1, 7));
    const AnyBlock block = round % 2 == 0 ? AnyBlock(oracle::random_block<std::int64_t>(random, n, 0.6, 1, 1))
                                          : wide_block(random, n);
    const mpq_class exact = oracle::permanent(block).re;
    const SampleMatrix matrix = make_sample_matrix(block);
    const HuberBound bound(matrix);
    if (exact == 0) continue;
    const double log2_upper = bound.log2_upper() + static_cast<double>(matrix.exponent);
    EXPECT_GE(log2_upper, std::log2(exact.get_d())) << "round " << round << '\n' << oracle::show(block);
  }
}

TEST(HuberBound, FittedToTheMatrixNestsWhereTrialsAre) {
  oracle::Random random(13);
  int better = 0;
  for (std::uint64_t round = 0; round < testing::repeats<std::uint64_t>(120); ++round) {
    const auto n = static_cast<Index>(oracle::uniform(random, 1, 8));
    const double density = static_cast<double>(oracle::uniform(random, 3, 10)) / 10;
    const AnyBlock block =
        round % 3 == 0   ? AnyBlock(oracle::random_block<mpq_class>(random, n, density, 1, 40))
        : round % 3 == 1 ? wide_block(random, n)
                         : AnyBlock(oracle::random_block<std::int64_t>(random, n, density, 1, 1));
    const mpq_class exact = oracle::permanent(block).re;
    if (exact == 0) continue;
    const SampleMatrix matrix = make_sample_matrix(block);
    const std::optional<HuberBound> fitted =
        HuberBound::fitted(matrix, round % 4 == 0 ? 10 : 0, StopSignal(), round % 5 == 0 ? 2 : 1);
    ASSERT_TRUE(fitted.has_value());
    const std::string which = "round " + std::to_string(round) + '\n' + oracle::show(block);
    expect_nesting_where_trials_are(*fitted, which);
    EXPECT_GE(fitted->log2_upper() + static_cast<double>(matrix.exponent), std::log2(exact.get_d())) << which;
    if (fitted->log2_upper() < HuberBound(matrix).log2_upper()) ++better;
  }
  EXPECT_GT(better, 0);
}

/// The matrix of a board: black cells are rows, white ones columns.
AnyBlock board_block(int height, int width) {
  const auto cell = [&](Index k, int parity) {
    const int y = static_cast<int>(2 * k) / width;
    return std::pair(y, static_cast<int>(2 * k) % width + (y + parity) % 2);
  };
  return oracle::pattern_block(static_cast<Index>(height * width / 2), [&](Index i, Index j) {
    const auto [y, x] = cell(i, 0);
    const auto [v, u] = cell(j, 1);
    return std::abs(y - v) + std::abs(x - u) == 1;
  });
}

// 12 x 12: 53060477521960000 (Kasteleyn). Trials under the general bound hardly ever succeed.
TEST(HuberBound, FittedToALatticeIsFarBelowTheGeneralOne) {
  const AnyBlock block = board_block(12, 12);
  const SampleMatrix matrix = make_sample_matrix(block);
  const double truth = std::log2(53060477521960000.0);
  const double general = HuberBound(matrix).log2_upper();
  const std::optional<HuberBound> fitted = HuberBound::fitted(matrix, 0, StopSignal());
  ASSERT_TRUE(fitted.has_value());
  EXPECT_GT(fitted->log2_upper(), truth);
  EXPECT_LT(fitted->log2_upper() - truth, (general - truth) / 2);
  const std::optional<HuberBound> improved = HuberBound::fitted(matrix, 25, StopSignal());
  EXPECT_LE(improved->log2_upper(), fitted->log2_upper() + 0.05);
  // Trials take it, and succeed as often as they must.
  const RejectionTrials coin(block, 5, 0);
  EXPECT_LE(coin.log2_bound(), fitted->log2_upper() + 1e-6);
  const double rate = std::exp2(truth - coin.log2_bound());
  const auto trials = testing::repeats<std::uint64_t>(300000);
  const auto tosses = static_cast<double>(trials);
  const double seen = static_cast<double>(coin.successes(0, trials, StopSignal()).size()) / tosses;
  EXPECT_GT(rate, 0.002);
  EXPECT_NEAR(seen, rate, 4.2 * std::sqrt(rate * (1 - rate) / tosses));
}

// 4,000 guarantees from one coin, each by trials of its own.
TEST(LongNestingBound, GuaranteesUnderAFittedBoundHold) {
  constexpr double epsilon = 0.2;
  constexpr double delta = 0.1;
  constexpr std::uint64_t runs = 4000;
  constexpr std::uint64_t batch = 1000;
  const RejectionTrials coin(board_block(12, 12), 6, 0);
  const GammaBernoulliRule rule = gamma_bernoulli(epsilon, delta);
  std::uint64_t missed = 0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    const std::uint64_t first = run << 32;
    std::vector<std::uint64_t> found;
    for (std::uint64_t k = 0; found.size() < rule.successes; k += batch) {
      for (const std::uint64_t success : coin.successes(first + k, batch, StopSignal()))
        found.push_back(success);
    }
    const std::uint64_t tosses = found[rule.successes - 1] + 1 - first;
    const double value = rule.factor / exponential_sum(6, run, tosses) * std::exp2(coin.log2_bound());
    if (std::abs(value / 53060477521960000.0 - 1) > epsilon) ++missed;
  }
  const double law = failure_probability(rule, epsilon);
  EXPECT_LE(law, delta);
  EXPECT_NEAR(static_cast<double>(missed) / runs, law, 4 * std::sqrt(law * (1 - law) / runs));
}

TEST(HuberBound, IsFittedToShortColumnsOnly) {
  const auto fitted = [](Index n) {
    return HuberBound::fitted(make_sample_matrix(oracle::pattern_block(n, [](Index, Index) { return true; })),
                              0, StopSignal());
  };
  EXPECT_TRUE(fitted(8).has_value());
  EXPECT_FALSE(fitted(9).has_value());
  // As all rows and columns are alike there, the order is none and the bound is Huber's or below.
  EXPECT_LE(fitted(8)->log2_upper(),
            HuberBound(make_sample_matrix(oracle::pattern_block(8, [](Index, Index) { return true; })))
                    .log2_upper() +
                0.1);
}

/// The same orders and potentials, to the last bit.
void expect_same(const HuberBound& a, const HuberBound& b) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_EQ(a.transposed(), b.transposed());
  EXPECT_EQ(a.log2_upper(), b.log2_upper());
  for (std::uint32_t step = 0; step < a.size(); ++step) {
    EXPECT_EQ(a.column_at(step), b.column_at(step));
    for (std::uint32_t row = 0; row < a.size(); ++row) {
      EXPECT_EQ(a.entry(step, row), b.entry(step, row));
      EXPECT_EQ(a.potential(step, row), b.potential(step, row));
    }
  }
}

/// Of 5 permutations: rows and columns of up to 5 ones.
AnyBlock permutations_block(Index n) {
  oracle::Random random(15);
  std::set<std::pair<Index, Index>> ones;
  for (int p = 0; p < 5; ++p) {
    std::vector<Index> permutation(n);
    std::iota(permutation.begin(), permutation.end(), Index{0});
    std::shuffle(permutation.begin(), permutation.end(), random);
    for (Index i = 0; i < n; ++i) ones.emplace(i, permutation[i]);
  }
  return oracle::pattern_block(n, [&](Index i, Index j) { return ones.contains({i, j}); });
}

TEST(HuberBound, FittedIsTheSameForAnyNumberOfThreads) {
  for (const AnyBlock& block : {permutations_block(24), board_block(6, 8)}) {
    const SampleMatrix matrix = make_sample_matrix(block);
    for (const std::uint64_t attempts : {0U, 30U}) {
      const std::optional<HuberBound> one = HuberBound::fitted(matrix, attempts, StopSignal());
      ASSERT_TRUE(one.has_value());
      for (const int threads : {2, 3})
        expect_same(*one, *HuberBound::fitted(matrix, attempts, StopSignal(), threads));
    }
  }
}

TEST(HuberBound, ImprovingNeverWorsensAndPaysOff) {
  const SampleMatrix matrix = make_sample_matrix(permutations_block(40));
  double last = HuberBound::fitted(matrix, 0, StopSignal())->log2_upper();
  const double first = last;
  for (const std::uint64_t attempts : {50U, 100U, 200U}) {
    const double now = HuberBound::fitted(matrix, attempts, StopSignal(), 2)->log2_upper();
    EXPECT_LE(now, last + 0.1) << attempts;  // orders are compared with a wider gap than bounds
    last = now;
  }
  EXPECT_LT(last, first - 0.3);
}

TEST(HuberBound, FittingStopsWhenToldTo) {
  const SampleMatrix matrix = make_sample_matrix(permutations_block(24));
  StopSignal stop;
  stop.request();
  for (const int threads : {1, 2}) {
    EXPECT_THROW(HuberBound::fitted(matrix, 10, stop, threads), Stopped);
  }
}

// A x = b for sums of random elements, against A.
TEST(FrontalCholesky, Solves) {
  oracle::Random random(14);
  for (int round = 0; round < 50; ++round) {
    const auto count = static_cast<std::size_t>(oracle::uniform(random, 1, 6));
    std::vector<FrontalCholesky::Block> blocks(count);
    std::vector<std::uint32_t> begin{0};
    for (FrontalCholesky::Block& block : blocks) {
      block.variables = static_cast<std::uint32_t>(oracle::uniform(random, 1, 7));
      begin.push_back(begin.back() + block.variables);
    }
    const std::uint32_t n = begin.back();
    std::vector<std::vector<double>> dense(n, std::vector<double>(n, 0.0));
    std::vector<double> elements;
    for (std::size_t k = 0; k < count; ++k) {
      std::vector<std::uint32_t> variables;
      for (std::uint32_t v = begin[k]; v < begin[k + 1]; ++v) variables.push_back(v);
      for (std::uint32_t v = begin[k + 1]; v < n; ++v) {
        if (oracle::uniform(random, 0, 2) == 0) blocks[k].later.push_back(v);
      }
      std::shuffle(blocks[k].later.begin(), blocks[k].later.end(), random);
      variables.insert(variables.end(), blocks[k].later.begin(), blocks[k].later.end());
      const std::size_t size = variables.size();
      elements.resize(elements.size() + size * size);
      double* const element = elements.data() + elements.size() - size * size;
      for (std::size_t c = 0; c < size; ++c) {
        for (std::size_t r = c; r < size; ++r) {
          const double value = r == c ? 2.0 * n : static_cast<double>(oracle::uniform(random, -10, 10)) / 10;
          element[c * size + r] = value;
          dense[variables[r]][variables[c]] += value;
          if (r != c) dense[variables[c]][variables[r]] += value;
        }
      }
    }
    FrontalCholesky matrix(blocks);
    std::vector<double> solution(n, 1.0);
    ASSERT_TRUE(matrix.factor(elements));
    matrix.solve(solution);
    for (std::uint32_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::uint32_t j = 0; j < n; ++j) sum += dense[i][j] * solution[j];
      EXPECT_NEAR(sum, 1, 1e-12) << "round " << round;
    }
  }
  FrontalCholesky indefinite(std::vector<FrontalCholesky::Block>{{2, {}}});
  EXPECT_FALSE(indefinite.factor({1, 2, 0, 1}));
}

// All of one: U / n! is the bound's loss, below Huber and Law's h(n)^n / n!.
TEST(HuberBound, IsSharperThanHuberAndLaw) {
  for (const Index n : {5U, 20U, 100U}) {
    const AnyBlock ones = oracle::pattern_block(n, [](Index, Index) { return true; });
    const HuberBound bound(make_sample_matrix(ones));
    const double h = (n + 0.5 * std::log(n) + std::exp(1.0) - 1) / std::exp(1.0);
    const double loss = bound.log2_upper() - std::lgamma(n + 1.0) / std::log(2.0);
    EXPECT_GE(loss, 0);
    EXPECT_LE(loss, n * std::log2(h) - std::lgamma(n + 1.0) / std::log(2.0) + 1e-9) << n;
  }
}

TEST(HuberBound, RefusesWhatIsTooLarge) {
  const AnyBlock diagonal =
      oracle::pattern_block(HuberBound::most_rows + 1, [](Index i, Index j) { return i == j; });
  const SampleMatrix matrix = make_sample_matrix(diagonal);
  EXPECT_THROW(HuberBound{matrix}, UnableError);
}

}  // namespace
}  // namespace countpm::huber_bound_test
