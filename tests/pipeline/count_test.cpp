// What a user sees of the pipeline: closed forms, limits, refusals, reports, determinism.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "src/structure/blocks.hpp"
#include "src/text/format_quantity.hpp"
#include "tests/cpu_seconds.hpp"
#include "tests/pipeline/random_instances.hpp"

namespace countpm {
namespace {

using testing::TestMatrix;

template <class Present>
TestMatrix matrix_where(Index n, Present present) {
  TestMatrix matrix;
  matrix.n = n;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      if (present(i, j)) matrix.entries.push_back({i, j, {1, 0}});
    }
  }
  return matrix;
}

std::string count_of(const TestMatrix& matrix, const CountOptions& options = {}) {
  return count(testing::to_graph(matrix), options).count;
}

mpz_class factorial(unsigned n) {
  mpz_class result;
  mpz_fac_ui(result.get_mpz_t(), n);
  return result;
}

TEST(ClosedForms, AllOnesGivesFactorials) {
  for (Index n = 0; n <= 22; ++n)
    EXPECT_EQ(count_of(matrix_where(n, [](Index, Index) { return true; })), factorial(n).get_str());
}

TEST(ClosedForms, WithoutTheDiagonalDerangements) {
  mpz_class derangements = 1;
  for (Index n = 1; n <= 16; ++n) {
    derangements = derangements * n + (n % 2 == 0 ? 1 : -1);
    EXPECT_EQ(count_of(matrix_where(n, [](Index i, Index j) { return i != j; })), derangements.get_str());
  }
}

TEST(ClosedForms, MenageNumbers) {
  // Touchard: sum over k of (-1)^k 2n/(2n-k) C(2n-k, k) (n-k)!
  for (unsigned n = 3; n <= 15; ++n) {
    mpz_class menage = 0;
    for (unsigned k = 0; k <= n; ++k) {
      mpz_class term;
      mpz_bin_uiui(term.get_mpz_t(), 2 * n - k, k);
      term = term * (2 * n) * factorial(n - k) / (2 * n - k);
      menage += k % 2 == 0 ? term : mpz_class(-term);
    }
    EXPECT_EQ(count_of(matrix_where(n, [&](Index i, Index j) { return i != j && (i + 1) % n != j; })),
              menage.get_str())
        << n;
  }
}

TEST(ClosedForms, UpperHessenberg) {
  for (const Index n : {1U, 2U, 20U, 63U, 64U, 65U, 130U}) {
    mpz_class power = 1;
    power <<= n - 1;
    EXPECT_EQ(count_of(matrix_where(n, [](Index i, Index j) { return i <= j + 1; })), power.get_str()) << n;
  }
}

TEST(ClosedForms, CirculantOfTwoIsTwoAndOfAPathOne) {
  EXPECT_EQ(count_of(matrix_where(1000, [](Index i, Index j) { return j == i || j == (i + 1) % 1000; })),
            "2");
  EXPECT_EQ(count_of(matrix_where(1000, [](Index i, Index j) { return j == i || j == i + 1; })), "1");
}

TEST(Count, TheEmptyGraphCountsOne) {
  const CountResult result = count(Graph{}, {});
  EXPECT_EQ(result.count, "1");
  EXPECT_TRUE(result.exact);
  EXPECT_TRUE(result.proved);
}

TEST(Count, AnIdentityOfAMillion) {
  Graph graph;
  graph.kind = GraphKind::bipartite;
  graph.left_labels = LabelTable::numbered(1'000'000);
  graph.right_labels = LabelTable::numbered(1'000'000);
  for (Index i = 0; i < 1'000'000; ++i) graph.edges.push_back({i, i});
  EXPECT_EQ(count(std::move(graph), {}).count, "1");
}

TEST(Count, LaddersOutgrowSixtyFourBits) {
  // 2 x n boards: Fibonacci numbers, of about 0.69 n bits; the reductions alone do it, over unbounded
  // integers.
  const CountResult result = count(Source::from_argument("lattice:square:2x1000"), {}, {});
  mpz_class fibonacci;
  mpz_fib_ui(fibonacci.get_mpz_t(), 1001);
  EXPECT_EQ(result.count, fibonacci.get_str());
}

TEST(Count, SidesOfDifferentSizesCountZeroAndSaySo) {
  Graph graph;
  graph.kind = GraphKind::bipartite;
  graph.left_labels = LabelTable::numbered(3);
  graph.right_labels = LabelTable::numbered(2);
  graph.edges = {{0, 0}, {1, 1}, {2, 1}};
  const CountResult result = count(std::move(graph), {});
  EXPECT_EQ(result.count, "0");
  EXPECT_TRUE(std::isinf(result.log10));
  ASSERT_TRUE(result.violator);
  EXPECT_GT(result.violator->vertices.size(), result.violator->neighbours.size());
  ASSERT_FALSE(result.notes.empty());
  EXPECT_NE(result.notes.front().find("3 and 2"), std::string::npos);
}

TEST(Count, TwinsMakeADenseBlockOfEightyRowsEasy) {
  // Five kinds of columns, sixteen of each: ryser takes 17^5 terms in place of 2^79. The oracle is the count
  // on the transpose.
  const auto present = [](Index i, Index j) { return (i * i + 3 * j + i * j * j) % 5 < 3; };
  const TestMatrix matrix = matrix_where(80, present);
  const TestMatrix other = matrix_where(80, [&](Index i, Index j) { return present(j, i); });
  CountOptions options;
  options.time_limit_seconds = 60;
  EXPECT_EQ(count_of(matrix, options), count_of(other, options));
}

TEST(Count, TooLongIsRefusedAtOnceWithThePrediction) {
  std::mt19937_64 random(3);
  const TestMatrix dense = testing::random_matrix({80, 0.6, WeightKind::none, false, 1}, random);
  for (const std::string method : {"auto", "ryser", "sparyser", "skipper", "enumerate", "definition"}) {
    CountOptions options;
    options.method = method;
    try {
      count(testing::to_graph(dense), options);
      FAIL() << method;
    } catch (const UnableError& error) {
      EXPECT_NE(std::string(error.what()).find("years"), std::string::npos) << method << ": " << error.what();
    }
  }
}

TEST(Count, TheTimeLimitStopsARunThatItsPredictionLetPass) {
  // The prediction is right, so the limit has to shrink under way: the clock starts before the planning.
  CountOptions options;
  options.method = "definition";
  options.time_limit_seconds = 0.4;
  const TestMatrix dense = matrix_where(11, [](Index i, Index j) { return i != j; });
  try {
    count(testing::to_graph(dense), options);
  } catch (const UnableError&) {
    SUCCEED();
  }
}

TEST(Count, TheTimeLimitStopsTheReductions) {
  // Sixty thousand bits and more an entry towards the end: the reductions alone would take many seconds.
  CountOptions options;
  options.time_limit_seconds = 0.3;
  const double start = testing::cpu_seconds();
  EXPECT_THROW(count(Source::from_argument("lattice:square:2x300000"), {}, options), UnableError);
  EXPECT_LT(testing::cpu_seconds() - start, 3.0 * std::max(1U, std::thread::hardware_concurrency()));
}

TEST(Count, AnInterruptionStopsWithinASecond) {
  CountOptions options;
  options.method = "ryser";
  options.time_limit_seconds = 1e6;
  options.rules.drop(Rule::twins);
  std::atomic<bool> asked{false};
  options.progress = [&](const Progress&) { asked = true; };
  options.interrupted = [&] { return asked.load(); };
  const TestMatrix dense = matrix_where(38, [](Index i, Index j) { return (i * 7 + j * j * 3) % 11 != 0; });
  const double start = testing::cpu_seconds();
  EXPECT_THROW(count(testing::to_graph(dense), options), InterruptedError);
  EXPECT_LT(testing::cpu_seconds() - start, 3.0 * std::max(1U, std::thread::hardware_concurrency()));
}

TEST(Count, EveryThreadCountGivesTheSameDigits) {
  std::mt19937_64 random(11);
  testing::MatrixShape shape{14, 0.7, WeightKind::complex, true, 9};
  const TestMatrix matrix = testing::random_matrix(shape, random);
  CountOptions options;
  options.method = "ryser";
  std::string first;
  for (const int threads : {1, 2, 3, 7}) {
    options.threads = threads;
    const CountResult result = count(testing::to_graph(matrix), options);
    if (first.empty()) first = result.count + result.error_bound;
    EXPECT_EQ(result.count + result.error_bound, first) << threads;
  }
}

TEST(Count, AnOrderThatDoesNotMatterDoesNotMatter) {
  const CountResult a = count(Source::from_bytes("a b\nc d\na d\nc b\n"), {}, {});
  const CountResult b = count(Source::from_bytes("c b\na d\nc d\na b\n"), {}, {});
  EXPECT_EQ(a.count, "2");
  EXPECT_EQ(b.count, "2");
}

TEST(Count, SymmetricMakesTwoArcsOfEveryEdgeAndOneOfALoop) {
  ReadOptions symmetric;
  symmetric.kind = GraphKind::directed;
  symmetric.symmetric = true;
  symmetric.weights = true;
  ReadOptions directed = symmetric;
  directed.symmetric = false;
  // A triangle with a loop: two 3-cycles, and the loop with the swap of the other two.
  const std::string edges = "a b 2\nb c 3\nc a 5\na a 7\n";
  const std::string arcs = "a b 2\nb a 2\nb c 3\nc b 3\nc a 5\na c 5\na a 7\n";
  EXPECT_EQ(count(Source::from_bytes(edges), symmetric, {}).count, "123");
  EXPECT_EQ(count(Source::from_bytes(arcs), directed, {}).count, "123");
  EXPECT_THROW(count(Source::from_bytes("%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n"),
                     symmetric, {}),
               UsageError);
}

TEST(Count, UnknownNamesListTheValidOnes) {
  CountOptions options;
  options.method = "rizer";
  try {
    count(Graph{}, options);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("skipper"), std::string::npos);
  }
  options.method = "auto";
  options.gpus = 64;  // no machine has so many
  EXPECT_THROW(count(Graph{}, options), UnableError);
}

TEST(Count, AForcedMethodWithNothingOfItsOwnToDoIsRefused) {
  const TestMatrix dense = matrix_where(7, [](Index i, Index j) { return i != j; });
  CountOptions options;
  options.method = "forbert-marx";
  EXPECT_THROW(count(testing::to_graph(dense), options), UnableError);
  const TestMatrix sparse = matrix_where(9, [](Index i, Index j) { return (j + 9 - i) % 9 < 3; });
  EXPECT_EQ(count(testing::to_graph(sparse), options).method, "forbert-marx");
  options.rules.drop(Rule::forbert_marx_3);
  options.rules.drop(Rule::forbert_marx_4);
  EXPECT_THROW(count(testing::to_graph(sparse), options), UnableError);
}

TEST(Count, AFloatWithoutACertainDigitIsRefused) {
  ReadOptions read;
  read.kind = GraphKind::bipartite;
  read.weights = true;
  CountOptions options;
  options.method = "ryser";  // in floating point: what decides tiny blocks by itself is exact
  options.rules.enabled.fill(false);
  const auto one_less_one = [&](const std::string& last) {
    return count(Source::from_bytes("a x 0.1\na y 0.1\nb x 0.1\nb y " + last + "\n"), read, options);
  };
  EXPECT_THROW(one_less_one("-0.1"), UnableError);
  EXPECT_EQ(one_less_one("0.1").count, "2e-02");
  options.method = "auto";
  EXPECT_EQ(one_less_one("-0.1").count, "0");
  EXPECT_EQ(one_less_one("0.1").count, "0.02");
  // The same as fractions: exactly 0.
  EXPECT_EQ(count(Source::from_bytes("a x 1/10\na y 1/10\nb x 1/10\nb y -1/10\n"), read, options).count, "0");
  // Reductions, which are exact, leave nothing to round.
  options = {};
  const CountResult zero = one_less_one("-0.1");
  EXPECT_EQ(zero.count, "0");
  EXPECT_TRUE(zero.exact);
  EXPECT_EQ(zero.error_bound, "");
}

TEST(Count, RowsAndColumnsOfUnlikeSizesKeepTheirDigits) {
  // 0.5^k in column k and 2^(3k) in row k: scaling lines scales the sum, and costs no digit.
  std::string text;
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j) {
      text += "r" + std::to_string(i) + " c" + std::to_string(j) + " " + (i == j ? "2e" : "1e") +
              std::to_string(9 * i - 11 * j) + "\n";
    }
  }
  ReadOptions read;
  read.kind = GraphKind::bipartite;
  read.weights = true;
  const CountResult result = count(Source::from_bytes(text), read, {});
  // per(J + I) of order 8 is the sum over k of 8! / k!, and the scales multiply to 10^(-2 * 28).
  EXPECT_EQ(result.count, "1.09601e-51");
}

TEST(Count, DoubleCheckIsInTheReport) {
  CountOptions options;
  options.double_check = true;
  const TestMatrix matrix = matrix_where(12, [](Index i, Index j) { return (i + 2 * j) % 3 != 0; });
  const CountResult result = count(testing::to_graph(matrix), options);
  bool found = false;
  for (const Check& check : result.checks) found = found || (check.name == "double-check" && check.ok);
  EXPECT_TRUE(found);
}

TEST(Explain, ShowsEveryMethodAndChoosesOne) {
  std::mt19937_64 random(5);
  const TestMatrix matrix = testing::random_matrix({16, 0.6, WeightKind::none, false, 1}, random);
  std::string text = "%%MatrixMarket matrix coordinate pattern general\n16 16 " +
                     std::to_string(matrix.entries.size()) + "\n";
  for (const testing::Entry& e : matrix.entries)
    text += std::to_string(e.row + 1) + " " + std::to_string(e.column + 1) + "\n";
  const Explanation explanation = explain(Source::from_bytes(text), {}, {});
  ASSERT_FALSE(explanation.blocks.empty());
  int chosen = 0;
  for (const MethodForecast& forecast : explanation.blocks.front().methods) chosen += forecast.chosen ? 1 : 0;
  EXPECT_EQ(chosen, 1);
  EXPECT_GE(explanation.blocks.front().methods.size(), 6U);
  EXPECT_TRUE(explanation.feasible);
}

TEST(Explain, OneBlockThatNoMethodCanCountMakesItInfeasible) {
  // The larger block comes first and has no line of 3 or 4 entries; the other one has nothing else.
  std::string text;
  const auto edge = [&text](const std::string& block, int i, int j) {
    text += block + "r" + std::to_string(i) + " " + block + "c" + std::to_string(j) + "\n";
  };
  for (int i = 0; i < 12; ++i) {
    for (int j = 0; j < 12; ++j) {
      if (i != j) edge("dense", i, j);
    }
  }
  for (int i = 0; i < 9; ++i) {
    for (int step = 0; step < 3; ++step) edge("ring", i, (i + step) % 9);
  }
  CountOptions options;
  options.method = "forbert-marx";
  EXPECT_FALSE(explain(Source::from_bytes(text), {}, options).feasible);
  options.method = "auto";
  EXPECT_TRUE(explain(Source::from_bytes(text), {}, options).feasible);
}

TEST(FormatQuantity, Sizes) {
  EXPECT_EQ(format_bytes(512), "512 B");
  EXPECT_EQ(format_bytes(std::uint64_t{3} << 29), "1.5 GiB");
}

TEST(Blocks, ProductByHalves) {
  std::vector<mpq_class> factors;
  for (unsigned i = 1; i <= 30; ++i) factors.emplace_back(i);
  EXPECT_EQ(product(factors), mpq_class(factorial(30)));
  EXPECT_EQ(product({}), 1);
}

}  // namespace
}  // namespace countpm
