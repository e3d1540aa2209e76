// Forbert-Marx: the halves add up to the whole, and full expansion gives published and proved counts.
#include "matching/forbert_marx.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "tests/matching/ring_support.hpp"
#include "tests/repeats.hpp"
#include "tests/shared_files.hpp"

namespace countpm {
namespace {

using testing::repeats;

using namespace testing_support;

template <class Value>
void expect_halves_add_up(const SparseMatrix<Value>& matrix, const RuleSet& rules, const std::string& where,
                          int& splits) {
  const auto split = forbert_marx_split(matrix, rules);
  const SparsePattern transposed = transpose(static_cast<const SparsePattern&>(matrix));
  std::array<bool, 5> has_degree{};
  for (Index i = 0; i < matrix.rows; ++i) {
    for (const Index degree : {matrix.row_degree(i), transposed.row_degree(i)}) {
      if (degree < 5) has_degree.at(degree) = true;
    }
  }
  const bool three = rules.has(Rule::forbert_marx_3) && has_degree[3];
  const bool four = rules.has(Rule::forbert_marx_4) && has_degree[4];
  ASSERT_EQ(split.has_value(), three || four) << where;
  if (!split) return;
  ++splits;
  ASSERT_TRUE(split->rule == Rule::forbert_marx_3 ? three : split->rule == Rule::forbert_marx_4 && four)
      << where;
  ASSERT_EQ(split->first.rows, matrix.rows);
  ASSERT_EQ(split->first.entries() + 2, matrix.entries());
  ASSERT_EQ(split->second.rows + 1, matrix.rows);
  ASSERT_EQ(split->second.columns + 1, matrix.columns);
  const ExactOf<Value> sum = permanent(split->first) + permanent(split->second);
  ASSERT_EQ(text(sum), text(permanent(matrix))) << where << show(matrix);
}

template <class Value>
void cross_check(int rounds, std::uint64_t seed) {
  Random random(seed);
  int splits = 0;
  for (int round = 0; round < rounds; ++round) {
    const Index n = 3 + random.below(5);
    const auto kind = static_cast<ValueKind>(random.below(4));
    const auto matrix =
        with_random_values<Value>(random_pattern(n, n, 0.3 + 0.1 * random.below(6), random), kind, random);
    RuleSet rules;
    if (random.below(3) == 0) rules.drop(Rule::forbert_marx_3);
    if (random.below(3) == 0) rules.drop(Rule::forbert_marx_4);
    const std::string where = "seed " + std::to_string(seed) + " round " + std::to_string(round) + "\n";
    ASSERT_NO_FATAL_FAILURE(expect_halves_add_up(matrix, rules, where, splits));
  }
  EXPECT_GT(splits, rounds / 3);
}

TEST(ForbertMarx, Integers) {
  cross_check<std::int64_t>(repeats(4000), 21);
}
TEST(ForbertMarx, Rationals) {
  cross_check<mpq_class>(repeats(2000), 22);
}
TEST(ForbertMarx, Complex) {
  cross_check<ComplexRational>(repeats(1000), 23);
}

TEST(ForbertMarx, AStepThatCouldOverflowIsNotTaken) {
  SparseMatrix<std::int64_t> matrix;
  matrix.rows = matrix.columns = 3;
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 3; ++j) {
      matrix.column.push_back(j);
      matrix.value.push_back(std::int64_t{1} << 62);
    }
    matrix.row_start.push_back(matrix.column.size());
  }
  EXPECT_FALSE(forbert_marx_split(matrix, RuleSet{}));
  EXPECT_TRUE(forbert_marx_split(to_rational(matrix), RuleSet{}));
}

/// Splits and reduces until only what no rule applies to is left; that by the definition.
template <class Value>
ExactOf<Value> expanded_count(const SparseMatrix<Value>& matrix, const RuleSet& rules) {
  const auto reduced = reduce(matrix, rules, false);
  ExactOf<Value> product = reduced.factor;
  for (const Block<Value>& block : reduced.blocks) {
    const auto split = forbert_marx_split(block.matrix, rules);
    if (split) {
      const ExactOf<Value> sum = expanded_count(split->first, rules) + expanded_count(split->second, rules);
      product = product * sum;
    } else {
      product = product * permanent(block.matrix);
    }
  }
  return product;
}

/// Row by row over the sets of columns used: for sizes that the definition cannot reach. Values must be small
/// enough for int64.
std::int64_t permanent_by_subsets(const SparseMatrix<std::int64_t>& matrix) {
  std::vector<std::int64_t> sum(std::size_t{1} << matrix.rows, 0);
  sum[0] = 1;
  for (std::size_t used = 0; used + 1 < sum.size(); ++used) {
    if (sum[used] == 0) continue;
    const auto row = static_cast<Index>(std::popcount(used));
    for (std::uint64_t k = matrix.row_start[row]; k < matrix.row_start[row + 1]; ++k) {
      const std::size_t bit = std::size_t{1} << matrix.column[k];
      if ((used & bit) == 0) sum[used | bit] += sum[used] * matrix.value[k];
    }
  }
  return sum.back();
}

/// Beyond 16 rows the choice looks ahead.
TEST(ForbertMarx, LookingAheadChangesNoCount) {
  Random random(27);
  int splits = 0;
  for (int round = 0; round < 40; ++round) {
    const Index n = 17 + random.below(2);
    SparsePattern pattern = pattern_of(n, n, {});
    std::vector<std::pair<Index, Index>>
        entries;  // circulant and a little more: nothing to reduce before the first split
    for (Index i = 0; i < n; ++i) {
      for (const Index step : {0U, 1U, 3U}) entries.emplace_back(i, (i + step) % n);
      if (random.below(3) == 0) entries.emplace_back(i, random.below(n));
    }
    pattern = pattern_of(n, n, entries);
    const auto matrix = with_random_values<std::int64_t>(pattern, ValueKind::units, random);
    const auto split = forbert_marx_split(matrix, RuleSet{});
    ASSERT_TRUE(split);
    ++splits;
    const std::int64_t wanted = permanent_by_subsets(matrix);
    ASSERT_EQ(permanent_by_subsets(split->first) + permanent_by_subsets(split->second), wanted)
        << "round " << round << "\n"
        << show(matrix);
    ASSERT_EQ(expanded_count(matrix, RuleSet{}), exact(wanted)) << "round " << round << "\n" << show(matrix);
    ASSERT_EQ(expanded_count(to_rational(matrix), RuleSet{}), exact(wanted)) << "round " << round << "\n"
                                                                             << show(matrix);
  }
  EXPECT_GE(splits, 40);
}

/// All 32 rule sets, every value type: the whole house of rules against the definition.
template <class Value>
void cross_check_all_rules(int rounds, std::uint64_t seed) {
  Random random(seed);
  for (int round = 0; round < rounds; ++round) {
    const Index n = random.below(8);
    const auto kind = static_cast<ValueKind>(random.below(4));
    const auto matrix =
        with_random_values<Value>(random_pattern(n, n, 0.3 + 0.1 * random.below(6), random), kind, random);
    const std::string wanted = text(permanent(matrix));
    for (unsigned bits = 0; bits < 32; ++bits) {
      RuleSet rules;
      for (std::size_t k = 0; k < rule_count; ++k) rules.enabled.at(k) = ((bits >> k) & 1U) != 0;
      ASSERT_EQ(text(expanded_count(matrix, rules)), wanted)
          << "seed " << seed << " round " << round << " rules " << bits << "\n"
          << show(matrix);
    }
  }
}

TEST(ForbertMarx, EveryRuleSetOverIntegers) {
  cross_check_all_rules<std::int64_t>(repeats(1500), 24);
}
TEST(ForbertMarx, EveryRuleSetOverRationals) {
  cross_check_all_rules<mpq_class>(repeats(400), 25);
}
TEST(ForbertMarx, EveryRuleSetOverComplexNumbers) {
  cross_check_all_rules<ComplexRational>(repeats(200), 26);
}

TEST(ForbertMarx, CollectionMatricesExpandToTheirKnownCounts) {
  const auto known = shared_files::known_matrices();
  if (known.empty()) GTEST_SKIP() << "no ../shared";
  int seen = 0;
  for (const auto& [name, rows, count, residue, second_residue] : known) {
    if (name != "ibm32" && name != "bcspwr01" && name != "bcspwr02" && name != "d_ss") continue;
    SparseMatrix<std::int64_t> matrix;
    static_cast<SparsePattern&>(matrix) = *shared_files::pattern_of("matrices/" + name + ".mtx");
    matrix.value.assign(matrix.column.size(), 1);
    EXPECT_EQ(expanded_count(matrix, RuleSet{}).get_str(), count) << name;
    EXPECT_EQ(expanded_count(transpose(matrix), RuleSet{}).get_str(), count) << name << " transposed";
    ++seen;
  }
  EXPECT_EQ(seen, 4);
}

}  // namespace
}  // namespace countpm
