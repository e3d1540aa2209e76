// Reductions against the definition: the count before equals the combined count after, for each rule on and
// off, over every value type.
#include "matching/reduce.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "matching/structure.hpp"
#include "matching/workspace.hpp"
#include "tests/matching/ring_support.hpp"
#include "tests/repeats.hpp"

namespace countpm::reduce_test {
namespace {

using testing::repeats;

using namespace testing_support;

RuleSet rules_of(unsigned bits) {
  RuleSet rules;
  for (std::size_t k = 0; k < rule_count; ++k) rules.enabled[k] = ((bits >> k) & 1U) != 0;
  return rules;
}

template <class Value>
ExactOf<Value> combined(const Reduced<Value>& reduced) {
  ExactOf<Value> product = reduced.factor;
  for (const Block<Value>& block : reduced.blocks) product = product * permanent(expanded(block).matrix);
  return product;
}

/// What reduce.hpp promises of every block.
template <class Value>
void expect_promises(const Reduced<Value>& reduced, const RuleSet& rules) {
  if (is_zero(reduced.factor)) {
    ASSERT_TRUE(reduced.blocks.empty());
  }
  for (const Block<Value>& block : reduced.blocks) {
    const SparseMatrix<Value> matrix = expanded(block).matrix;
    ASSERT_EQ(matrix.rows, matrix.columns);
    ASSERT_EQ(matrix.value.size(), matrix.column.size());
    ASSERT_EQ(std::count_if(matrix.value.begin(), matrix.value.end(),
                            [](const Value& value) { return is_zero(value); }),
              0);
    for (Index i = 0; i < matrix.rows; ++i) {
      for (std::uint64_t k = matrix.row_start[i]; k + 1 < matrix.row_start[i + 1]; ++k)
        ASSERT_LT(matrix.column[k], matrix.column[k + 1]);
    }
    const Structure structure = analyse(matrix);
    ASSERT_FALSE(structure.violator);
    ASSERT_EQ(structure.decomposition.blocks, 1U);
    if (!rules.has(Rule::twins)) {
      ASSERT_TRUE(block.multiplicity.empty());
    }
    const SparsePattern transposed = transpose(static_cast<const SparsePattern&>(matrix));
    Index least = no_index;
    for (Index i = 0; i < matrix.rows; ++i)
      least = std::min({least, matrix.row_degree(i), transposed.row_degree(i)});
    if (rules.has(Rule::single)) {
      ASSERT_GE(least, 2U);
    }
    if (rules.has(Rule::doubles) && !reduced.overflow) {
      ASSERT_NE(least, 2U);
    }
  }
}

template <class Value>
void cross_check(int rounds, std::uint64_t seed) {
  Random random(seed);
  for (int round = 0; round < rounds; ++round) {
    const Index n = random.below(9);
    const SparsePattern pattern =
        random_pattern(n, n, std::min(1.0, (1.2 + 0.4 * random.below(7)) / std::max<Index>(n, 1)), random);
    const auto kind = static_cast<ValueKind>(random.below(4));
    const auto matrix = with_random_values<Value>(pattern, kind, random);
    const ExactOf<Value> wanted = permanent(matrix);
    for (unsigned bits = 0; bits < 32; ++bits) {
      if ((bits & 12U) != 0 && bits != 31) continue;  // the Forbert-Marx bits do not matter here
      const RuleSet rules = rules_of(bits);
      const Reduced<Value> reduced = reduce(matrix, rules);
      const std::string where = "seed " + std::to_string(seed) + " round " + std::to_string(round) +
                                " rules " + std::to_string(bits) + "\n" + show(matrix);
      ASSERT_NO_FATAL_FAILURE(expect_promises(reduced, rules)) << where;
      ASSERT_EQ(text(combined(reduced)), text(wanted)) << where;
      ASSERT_FALSE(reduced.overflow) << where;
      if (!rules.has(Rule::single)) {
        ASSERT_EQ(reduced.tally[Rule::single].applied, 0U);
      }
      if (!rules.has(Rule::doubles)) {
        ASSERT_EQ(reduced.tally[Rule::doubles].applied, 0U);
      }
    }
  }
}

TEST(Reduce, Integers) {
  cross_check<std::int64_t>(repeats(6000), 11);
}
TEST(Reduce, Rationals) {
  cross_check<mpq_class>(repeats(3000), 12);
}
TEST(Reduce, Complex) {
  cross_check<ComplexRational>(repeats(2000), 13);
}

/// Several random blocks on a diagonal, lines shuffled, so that more than 64 rows go through the general
/// workspace.
TEST(Reduce, ManyBlocksThroughTheGeneralWorkspace) {
  Random random(14);
  for (int round = 0; round < repeats(300); ++round) {
    std::vector<std::pair<Index, Index>> entries;
    std::vector<std::int64_t> values;
    mpq_class wanted = 1;
    Index n = 0;
    while (n < 70) {
      const Index size = 1 + random.below(7);
      SparsePattern pattern = random_pattern(size, size, 0.45, random);
      for (Index i = 0; i < size; ++i) {
        // A diagonal, so that zero is the exception.
        if (std::count(pattern.column.begin() + static_cast<std::ptrdiff_t>(pattern.row_start[i]),
                       pattern.column.begin() + static_cast<std::ptrdiff_t>(pattern.row_start[i + 1]),
                       i) == 0) {
          entries.emplace_back(n + i, n + i);
          values.push_back(random_integer(ValueKind::small_signed, random));
        }
        for (std::uint64_t k = pattern.row_start[i]; k < pattern.row_start[i + 1]; ++k) {
          entries.emplace_back(n + i, n + pattern.column[k]);
          values.push_back(random_integer(ValueKind::small_signed, random));
        }
      }
      n += size;
    }
    // The permanent of each block, by the definition, from the entries before shuffling.
    std::vector<std::vector<std::pair<Index, std::int64_t>>> lines(n);
    for (std::size_t k = 0; k < entries.size(); ++k)
      lines[entries[k].first].emplace_back(entries[k].second, values[k]);
    std::vector<Index> row_at(n);
    std::vector<Index> column_at(n);
    std::iota(row_at.begin(), row_at.end(), 0);
    std::iota(column_at.begin(), column_at.end(), 0);
    SparseMatrix<std::int64_t> plain;
    plain.rows = plain.columns = n;
    for (auto& line : lines) {
      std::sort(line.begin(), line.end());
      for (const auto& [j, value] : line) plain.column.push_back(j), plain.value.push_back(value);
      plain.row_start.push_back(plain.column.size());
    }
    const Structure structure = analyse(plain);
    ASSERT_FALSE(structure.violator);
    std::shuffle(row_at.begin(), row_at.end(), random);
    std::shuffle(column_at.begin(), column_at.end(), random);
    SparseMatrix<std::int64_t> shuffled;
    shuffled.rows = shuffled.columns = n;
    for (Index i = 0; i < n; ++i) {
      std::vector<std::pair<Index, std::int64_t>> line;
      for (const auto& [j, value] : lines[row_at[i]]) line.emplace_back(column_at[j], value);
      std::sort(line.begin(), line.end());
      for (const auto& [j, value] : line) shuffled.column.push_back(j), shuffled.value.push_back(value);
      shuffled.row_start.push_back(shuffled.column.size());
    }
    for (Index b = 0; b < structure.decomposition.blocks; ++b) {
      std::vector<Index> rows;
      std::vector<Index> new_column(n, no_index);
      Index columns = 0;
      for (Index i = 0; i < n; ++i) {
        if (structure.decomposition.row_block[i] == b) rows.push_back(i);
        if (structure.decomposition.column_block[i] == b) new_column[i] = columns++;
      }
      const mpq_class part = permanent(submatrix(plain, rows, new_column, columns));
      wanted *= part;
    }
    for (const bool twins : {false, true}) {
      const auto reduced = reduce(shuffled, RuleSet{}, twins);
      ASSERT_EQ(combined(reduced), wanted) << "round " << round << "\n" << show(shuffled);
      const auto rational = reduce(to_rational(shuffled), RuleSet{}, twins);
      ASSERT_EQ(combined(rational), wanted) << "round " << round;
      ASSERT_EQ(combined(reduce(transpose(shuffled), RuleSet{}, twins)), wanted) << "round " << round;
    }
  }
}

/// The general workspace and the small one must agree on one matrix: pad it beyond 64 rows with dangling
/// pairs.
TEST(Reduce, DanglingPairsChangeNothing) {
  Random random(15);
  for (int round = 0; round < 1000; ++round) {
    const Index n = 2 + random.below(7);
    const auto matrix =
        with_random_values<std::int64_t>(random_pattern(n, n, 0.5, random), ValueKind::small_signed, random);
    const Index total = 70;
    SparseMatrix<std::int64_t> padded = matrix;
    padded.rows = padded.columns = total;
    for (Index i = n; i < total; ++i) {
      // A row that hangs on a column of its own and on some column before it: the pair is matched in every
      // perfect matching.
      padded.column.push_back(random.below(i));
      padded.value.push_back(random_integer(ValueKind::small_signed, random));
      padded.column.push_back(i);
      padded.value.push_back(1);
      padded.row_start.push_back(padded.column.size());
    }
    const mpq_class wanted = permanent(matrix);
    const auto reduced = reduce(padded, RuleSet{});
    ASSERT_EQ(combined(reduced), wanted) << "round " << round << "\n" << show(matrix);
    ASSERT_NO_FATAL_FAILURE(expect_promises(reduced, RuleSet{}));
  }
}

TEST(Reduce, EntriesNearTheEndOfInt64AreNeverWrong) {
  Random random(16);
  int overflows = 0;
  for (int round = 0; round < 3000; ++round) {
    const Index n = 1 + random.below(6);
    const auto pattern = random_pattern(n, n, std::min(1.0, 2.4 / n), random);
    const auto matrix = with_random_values<std::int64_t>(
        pattern, random.below(2) == 0 ? ValueKind::large : ValueKind::small_signed, random);
    const auto narrow = reduce(matrix, RuleSet{});
    const auto wide = reduce(to_rational(matrix), RuleSet{});
    const mpq_class wanted = permanent(matrix);
    ASSERT_EQ(combined(narrow), wanted) << "round " << round << "\n" << show(matrix);
    ASSERT_EQ(combined(wide), wanted) << "round " << round << "\n" << show(matrix);
    ASSERT_FALSE(wide.overflow);
    overflows += narrow.overflow ? 1 : 0;
  }
  EXPECT_GT(overflows, 100);
}

SparseMatrix<std::int64_t> all_ones(SparsePattern pattern) {
  SparseMatrix<std::int64_t> matrix;
  static_cast<SparsePattern&>(matrix) = std::move(pattern);
  matrix.value.assign(matrix.column.size(), 1);
  return matrix;
}

/// Entries (i, i), (i, i + 1), and the corner where `cyclic`; values `value`.
SparseMatrix<std::int64_t> chain(Index n, bool cyclic, std::int64_t value) {
  SparseMatrix<std::int64_t> matrix;
  matrix.rows = matrix.columns = n;
  for (Index i = 0; i < n; ++i) {
    if (i + 1 < n) {
      matrix.column.push_back(i);
      matrix.column.push_back(i + 1);
    } else {
      if (cyclic) matrix.column.push_back(0);
      matrix.column.push_back(i);
    }
    matrix.row_start.push_back(matrix.column.size());
  }
  matrix.value.assign(matrix.column.size(), value);
  return matrix;
}

TEST(Reduce, AMillionRows) {
  const Index n = 1'000'000;
  const auto path = reduce(chain(n, false, 1), RuleSet{});
  EXPECT_EQ(path.factor, 1);
  EXPECT_TRUE(path.blocks.empty());
  EXPECT_EQ(path.tally[Rule::single].removed, n);
  const auto cycle = reduce(chain(n, true, 1), RuleSet{});
  EXPECT_EQ(cycle.factor, 2);
  EXPECT_TRUE(cycle.blocks.empty());
  EXPECT_EQ(cycle.tally[Rule::doubles].removed, n - 1);
  // Equal weights come out as a common factor: 2 * 3^n, no entry grows.
  const auto weighted = reduce(chain(n, true, 3), RuleSet{});
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 3, n);
  EXPECT_TRUE(weighted.factor == mpq_class(2 * power));
  EXPECT_TRUE(weighted.blocks.empty());
  EXPECT_FALSE(weighted.overflow);
}

/// The 2 x n ladder has Fibonacci(n + 1) perfect matchings: 2 x 80 fits int64, 2 x 200,000 must stop at the
/// overflow, quickly.
SparseMatrix<std::int64_t> ladder(Index length) {
  std::vector<std::pair<Index, Index>>
      entries;  // black squares are rows, white ones columns: column x has one of each
  SparseMatrix<std::int64_t> matrix;
  matrix.rows = matrix.columns = length;
  for (Index x = 0; x < length; ++x) {
    for (Index y = x == 0 ? 0 : x - 1; y <= std::min(length - 1, x + 1); ++y) matrix.column.push_back(y);
    matrix.row_start.push_back(matrix.column.size());
  }
  matrix.value.assign(matrix.column.size(), 1);
  return matrix;
}

mpz_class fibonacci(unsigned k) {
  mpz_class result;
  mpz_fib_ui(result.get_mpz_t(), k);
  return result;
}

TEST(Reduce, Ladders) {
  const auto small = reduce(ladder(60), RuleSet{});
  EXPECT_EQ(small.factor, mpq_class(fibonacci(61)));
  EXPECT_TRUE(small.blocks.empty());
  const auto general = reduce(ladder(80), RuleSet{});
  EXPECT_EQ(general.factor, mpq_class(fibonacci(81)));
  const auto rational = reduce(to_rational(ladder(3000)), RuleSet{});
  EXPECT_TRUE(rational.factor == mpq_class(fibonacci(3001)));
  const auto long_one = reduce(ladder(200'000), RuleSet{});
  EXPECT_TRUE(long_one.overflow);
  EXPECT_FALSE(long_one.blocks.empty());
}

struct StopHere {};

/// Thrown from the poll, in the middle of the rules on rationals: nothing is swallowed, and no more is done.
TEST(Reduce, StopsWhereThePollThrows) {
  const SparseMatrix<mpq_class> matrix = to_rational(ladder(100'000));
  int calls = 0;
  const Poll poll = [&calls] {
    if (++calls == 1000) throw StopHere{};
  };
  EXPECT_THROW(reduce(matrix, RuleSet{}, true, poll), StopHere);
  EXPECT_EQ(calls, 1000);
}

/// At least once per application.
TEST(Reduce, PollsAtEveryApplication) {
  std::uint64_t calls = 0;
  const auto reduced = reduce(to_rational(ladder(1000)), RuleSet{}, true, [&calls] { ++calls; });
  EXPECT_TRUE(reduced.factor == mpq_class(fibonacci(1001)));
  EXPECT_GE(calls, reduced.tally[Rule::single].applied + reduced.tally[Rule::doubles].applied);
}

/// Counts the bytes that GMP holds, beyond what it held at the start, while it lives.
class GmpMeter {
 public:
  GmpMeter() {
    now_held = most_held = 0;
    mp_get_memory_functions(&old_allocate, &old_reallocate, &old_free);
    mp_set_memory_functions(
        [](std::size_t size) {
          add(size, 0);
          return old_allocate(size);
        },
        [](void* at, std::size_t from, std::size_t to) {
          add(to, from);
          return old_reallocate(at, from, to);
        },
        [](void* at, std::size_t size) {
          add(0, size);
          old_free(at, size);
        });
  }
  ~GmpMeter() { mp_set_memory_functions(old_allocate, old_reallocate, old_free); }
  GmpMeter(const GmpMeter&) = delete;
  GmpMeter& operator=(const GmpMeter&) = delete;

  static std::int64_t most() { return most_held; }

 private:
  static void add(std::size_t more, std::size_t less) {
    now_held += static_cast<std::int64_t>(more) - static_cast<std::int64_t>(less);
    most_held = std::max(most_held, now_held);
  }

  inline static std::int64_t now_held = 0;
  inline static std::int64_t most_held = 0;
  inline static void* (*old_allocate)(std::size_t) = nullptr;
  inline static void* (*old_reallocate)(void*, std::size_t, std::size_t) = nullptr;
  inline static void (*old_free)(void*, std::size_t) = nullptr;
};

/// 60,000 removed entries of up to 1.7 kB each would be some 50 MB and more; what lives is a few MB.
TEST(Reduce, RemovedEntriesKeepNoMemory) {
  const SparseMatrix<mpq_class> matrix = to_rational(ladder(20'000));
  const GmpMeter meter;
  const auto reduced = reduce(matrix, RuleSet{});
  EXPECT_TRUE(reduced.factor == mpq_class(fibonacci(20'001)));
  EXPECT_GT(GmpMeter::most(), 1000);
  EXPECT_LT(GmpMeter::most(), 12'000'000);
}

/// A star of 2-entry rows on one hub column: each step merges a short column into the hub, which must not be
/// walked every time.
TEST(Reduce, AStarIsLinear) {
  const Index n = 200'000;
  SparseMatrix<std::int64_t> star;
  star.rows = star.columns = n;
  for (Index i = 0; i + 1 < n; ++i) {
    star.column.push_back(0);
    star.column.push_back(i + 1);
    star.row_start.push_back(star.column.size());
  }
  for (Index j = 0; j < n; ++j) star.column.push_back(j);
  star.row_start.push_back(star.column.size());
  star.value.assign(star.column.size(), 1);
  const auto reduced = reduce(star, RuleSet{});
  EXPECT_EQ(reduced.factor, n);  // the last row takes the hub, or another column whose row then takes the hub
  EXPECT_TRUE(reduced.blocks.empty());
}

TEST(Reduce, NoPerfectMatchingIsZero) {
  EXPECT_EQ(reduce(all_ones(pattern_of(3, 3, {{0, 0}, {1, 0}, {2, 1}, {2, 2}})), RuleSet{}).factor, 0);
  // Structure alone does not show it: the two terms cancel.
  SparseMatrix<std::int64_t> signs = all_ones(pattern_of(2, 2, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
  signs.value[3] = -1;
  EXPECT_EQ(reduce(signs, RuleSet{}).factor, 0);
  EXPECT_EQ(reduce(SparseMatrix<std::int64_t>{}, RuleSet{}).factor, 1);
}

TEST(Reduce, TwinsBecomeClasses) {
  // K_{4,4}: four identical columns.
  std::vector<std::pair<Index, Index>> entries;
  for (Index i = 0; i < 4; ++i) {
    for (Index j = 0; j < 4; ++j) entries.emplace_back(i, j);
  }
  const auto reduced = reduce(all_ones(pattern_of(4, 4, entries)), RuleSet{});
  ASSERT_EQ(reduced.blocks.size(), 1U);
  EXPECT_EQ(reduced.blocks[0].multiplicity, (std::vector<Index>{4}));
  EXPECT_EQ(reduced.blocks[0].size(), 4U);
  EXPECT_EQ(reduced.tally[Rule::twins].applied, 1U);
  EXPECT_EQ(reduced.tally[Rule::twins].removed, 3U);
  EXPECT_TRUE(reduce(all_ones(pattern_of(4, 4, entries)), RuleSet{}, false).blocks[0].multiplicity.empty());
}

TEST(Reduce, TwinsAmongRowsReturnTheTranspose) {
  // Rows 0..3 are the same; columns all differ.
  std::vector<std::pair<Index, Index>> entries;
  for (Index i = 0; i < 4; ++i) {
    for (Index j = 0; j < 5; ++j) entries.emplace_back(i, j);
  }
  SparseMatrix<std::int64_t> matrix = all_ones(pattern_of(6, 6, [&] {
    for (const Index j : {0U, 1U, 2U, 5U}) entries.emplace_back(4, j);
    for (const Index j : {0U, 3U, 5U}) entries.emplace_back(5, j);
    return entries;
  }()));
  for (std::size_t k = 20; k < matrix.value.size(); ++k) matrix.value[k] = static_cast<std::int64_t>(k);
  RuleSet rules;
  rules.drop(Rule::doubles);
  const auto reduced = reduce(matrix, rules);
  ASSERT_EQ(reduced.blocks.size(), 1U);
  EXPECT_EQ(*std::max_element(reduced.blocks[0].multiplicity.begin(), reduced.blocks[0].multiplicity.end()),
            4U);
  EXPECT_EQ(combined(reduced), permanent(matrix));
}

}  // namespace
}  // namespace countpm::reduce_test
