// Trials of a batch are the trials one by one, and both are those of trial_step().
#include "kernels/estimate/guarantee/local_trials.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "kernels/estimate/walks/walk_random.hpp"

namespace countpm {
namespace {

/// Any weights will do, as long as no row outlasts its last entry.
struct Matrix {
  std::uint32_t size;
  std::uint32_t words;
  std::vector<TrialMove> move;
  std::vector<std::uint64_t> present;
  std::vector<std::uint64_t> last;

  /// rows[step]: of that column.
  explicit Matrix(const std::vector<std::vector<std::uint32_t>>& rows)
      : size(static_cast<std::uint32_t>(rows.size())),
        words((size + 63) / 64),
        move(std::size_t{size} * size),
        present(std::size_t{size} * words),
        last(std::size_t{size} * words) {
    std::mt19937_64 random(1);
    std::vector<bool> later(size, false);
    for (std::uint32_t step = size; step-- > 0;) {
      const auto count = static_cast<double>(rows[step].size());
      for (const std::uint32_t row : rows[step]) {
        const std::uint64_t bit = std::uint64_t{1} << row % 64;
        const double noise = 0.9 + 0.2 * std::generate_canonical<double, 53>(random);
        present[step * words + row / 64] |= bit;
        if (!later[row]) last[step * words + row / 64] |= bit;
        // The probability to go on is about 0.9 where half of the rows are left.
        move[std::size_t{step} * size + row] =
            later[row] ? TrialMove{2 * noise / count, 0.98} : TrialMove{0, 0.95 * noise};
        later[row] = true;
      }
    }
  }
  TrialTables tables() const { return {move.data(), present.data(), last.data(), size, words}; }
};

Matrix random_matrix(std::uint32_t size, unsigned most) {
  std::mt19937_64 random(size);
  std::vector<std::vector<std::uint32_t>> rows(size);
  for (std::uint32_t step = 0; step < size; ++step) {
    std::vector<bool> taken(size, false);
    taken[step] = true;
    for (std::uint64_t k = 1 + random() % most; k > 1; --k) taken[random() % size] = true;
    for (std::uint32_t row = 0; row < size; ++row) {
      if (taken[row]) rows[step].push_back(row);
    }
  }
  return Matrix(rows);
}

/// Step j: the rows j - width .. j + width.
Matrix band(std::uint32_t size, std::uint32_t width) {
  std::vector<std::vector<std::uint32_t>> rows(size);
  for (std::uint32_t step = 0; step < size; ++step) {
    for (std::uint32_t row = step < width ? 0 : step - width; row <= std::min(step + width, size - 1); ++row)
      rows[step].push_back(row);
  }
  return Matrix(rows);
}

std::vector<Matrix> matrices() {
  // Without an entry in column 1, no trial is left; the last has one row per column.
  return {random_matrix(30, 8), random_matrix(80, 5), random_matrix(200, 4), band(20, 1),
          band(70, 3),          band(1, 0),           Matrix({{0, 1}, {}}),  band(9, 0)};
}

constexpr std::uint64_t seed = 7;
constexpr std::uint64_t stream = 3;

double by_steps(const TrialTables& tables, double least, WalkRandom& random) {
  std::vector<std::uint64_t> rows(tables.words);
  begin_trial<0>(tables, rows.data());
  double product = 1;
  for (std::uint32_t step = 0; step < tables.size; ++step) {
    if (!trial_step<0>(tables, step, rows.data(), least, random, product)) break;
  }
  return product;
}

TEST(LocalTrials, OneByOneAreThoseOfTrialStep) {
  for (const Matrix& matrix : matrices()) {
    ASSERT_TRUE(LocalTrials::fit(matrix.tables()));
    const LocalTrials trials(matrix.tables());
    LocalTrials::Left left;
    for (const double share : {1.0, 0x1p-8, 0.0}) {
      for (std::uint64_t t = 0; t < 1000; ++t) {
        WalkRandom one(seed, stream, t);
        WalkRandom other(seed, stream, t);
        const double least = share * rejection_threshold(one);
        EXPECT_EQ(rejection_threshold(other) * share, least);
        EXPECT_EQ(trials.pass(left, least, one), by_steps(matrix.tables(), least, other)) << matrix.size;
      }
    }
  }
}

TEST(LocalTrials, TogetherAreThoseOneByOne) {
  std::uint64_t in_all = 0;
  for (const Matrix& matrix : matrices()) {
    const LocalTrials trials(matrix.tables());
    LocalTrials::Left left;
    for (const double share : {1.0, 0x1p-8}) {
      for (const std::uint64_t count : {0U, 1U, 2U, 1000U, 2047U, 2048U, 2049U, 5000U}) {
        const std::uint64_t first = (std::uint64_t{1} << 33) + count;
        std::map<std::uint64_t, std::pair<double, double>> expected;
        for (std::uint64_t t = first; t < first + count; ++t) {
          WalkRandom random(seed, stream, t);
          const double least = share * rejection_threshold(random);
          const double product = trials.pass(left, least, random);
          if (product > 0) expected[t] = {product, least};
        }
        std::map<std::uint64_t, std::pair<double, double>> found;
        trials.run({seed, stream}, first, count, share, [&](std::uint64_t t, double product, double least) {
          EXPECT_TRUE(found.emplace(t, std::pair(product, least)).second) << t;
        });
        EXPECT_EQ(found, expected) << matrix.size << ' ' << share << ' ' << count;
        in_all += found.size();
      }
    }
  }
  EXPECT_GT(in_all, 1000U);
}

}  // namespace
}  // namespace countpm
