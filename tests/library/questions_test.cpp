// Every question of the interface: its answers are those of brute force, as values.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "tests/graph/molecule_text.hpp"
#include "tests/library/random_arrays.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using testing::Arrays;
using testing::hafnian_of;
using testing::permanent_of;
using testing::random_arrays;
using testing::repeats;

/// The 2 x 3 grid: 0 1 2 above 3 4 5.
struct Grid {
  std::vector<std::uint32_t> from{0, 1, 3, 4, 0, 1, 2};
  std::vector<std::uint32_t> to{1, 2, 4, 5, 3, 4, 5};
  EdgeView view() const {
    EdgeView view;
    view.left = 6;
    view.from = from;
    view.to = to;
    return view;
  }
};

TEST(LibraryQuestions, PermanentsOfEveryKindOfWeightsAreThoseOfBruteForce) {
  std::mt19937_64 random(7);
  for (int run = 0; run < repeats(90); ++run) {
    const Arrays arrays = random_arrays(1 + static_cast<std::uint64_t>(run) % 6, false, random);
    const mpz_class expected = permanent_of(arrays);
    SparseView view = arrays.view();
    EXPECT_EQ(std::get<mpz_class>(permanent(view)), expected);

    const std::vector<mpz_class> integers(arrays.weight.begin(), arrays.weight.end());
    view.weights = integers;
    EXPECT_EQ(std::get<mpz_class>(permanent(view)), expected);

    std::vector<mpq_class> thirds;
    for (const std::int64_t weight : arrays.weight)
      thirds.emplace_back(static_cast<long>(weight), 3), thirds.back().canonicalize();
    view.weights = thirds;
    mpz_class power;
    mpz_ui_pow_ui(power.get_mpz_t(), 3, arrays.size);
    mpq_class scaled(expected, power);
    scaled.canonicalize();
    const Value sum = permanent(view);
    const mpq_class found = std::holds_alternative<mpz_class>(sum) ? mpq_class(std::get<mpz_class>(sum))
                                                                   : std::get<mpq_class>(sum);
    EXPECT_EQ(found, scaled);

    std::vector<double> halves;
    std::vector<std::complex<double>> turned;  // by i: the permanent by i^n
    for (const std::int64_t weight : arrays.weight) {
      halves.push_back(static_cast<double>(weight) / 2);
      turned.emplace_back(0, static_cast<double>(weight));
    }
    view.weights = halves;
    const Value real = permanent(view);
    const double middle = expected.get_d() / std::pow(2.0, static_cast<double>(arrays.size));
    if (const auto* ball = std::get_if<RealBall>(&real)) {
      EXPECT_LE(std::abs(ball->middle - middle), ball->radius);
      EXPECT_FALSE(ball->digits.empty());
    } else {
      EXPECT_EQ(expected, 0) << "a real sum without a ball: no perfect matching";
    }
    view.weights = turned;
    const Value complex = permanent(view);
    if (const auto* ball = std::get_if<ComplexBall>(&complex)) {
      const std::complex<double> exact =
          expected.get_d() * std::pow(std::complex<double>(0, 1), static_cast<double>(arrays.size));
      EXPECT_LE(std::abs(ball->middle - exact), ball->radius + 1e-9 * std::abs(exact));
    } else {
      EXPECT_EQ(expected, 0);
    }
  }
}

TEST(LibraryQuestions, HafniansAreThoseOfBruteForceAndDoNotReadTheDiagonal) {
  std::mt19937_64 random(8);
  for (int run = 0; run < repeats(90); ++run) {
    Arrays arrays = random_arrays(2 + static_cast<std::uint64_t>(run) % 6, true, random);
    const mpz_class expected = hafnian_of(arrays);
    EXPECT_EQ(std::get<mpz_class>(hafnian(arrays.view())), expected);
    // A diagonal of 5.
    Arrays loops;
    loops.size = arrays.size;
    for (std::uint64_t i = 0; i < arrays.size; ++i) {
      for (std::uint64_t j = 0; j < arrays.size; ++j) {
        const std::int64_t weight = i == j ? 5 : arrays.at(i, j);
        if (weight == 0) continue;
        loops.column.push_back(static_cast<std::int64_t>(j));
        loops.weight.push_back(weight);
      }
      loops.row_start.push_back(static_cast<std::int64_t>(loops.column.size()));
    }
    EXPECT_EQ(std::get<mpz_class>(hafnian(loops.view())), expected);
    if (arrays.weight.empty()) continue;
    arrays.weight.front() += arrays.weight.front() == -1 ? 2 : 1;
    EXPECT_THROW(hafnian(arrays.view()), InputError) << "one entry differs from its mirror image";
  }
}

TEST(LibraryQuestions, AnEntryWithoutItsMirrorImageIsNamed) {
  Arrays arrays;
  arrays.size = 3;
  arrays.column = {1, 0, 2, 0};
  arrays.weight = {1, 1, 1, 1};
  arrays.row_start = {0, 1, 3, 4};  // (0,1) (1,0) (1,2) (2,0)
  try {
    hafnian(arrays.view());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.found(), "the entry of row 2 and column 0 without its mirror image");
  }
  arrays.size = 4;
  EXPECT_THROW(hafnian(arrays.view()), InputError) << "starts of rows for three rows";
}

TEST(LibraryQuestions, ThePermanentOfAnUndirectedGraphIsOfItsAdjacencyMatrix) {
  const Grid grid;
  // Of the triangle: two directions around.
  const std::vector<std::uint32_t> from{0, 1, 2};
  const std::vector<std::uint32_t> to{1, 2, 0};
  EdgeView triangle;
  triangle.left = 3;
  triangle.from = from;
  triangle.to = to;
  EXPECT_EQ(std::get<mpz_class>(permanent(triangle)), 2);
  EXPECT_EQ(std::get<mpz_class>(permanent(grid.view())), 9)
      << "of a bipartite graph the square of its matchings";
  EXPECT_EQ(std::get<mpz_class>(hafnian(grid.view())), 3);
}

TEST(LibraryQuestions, TheSameAnswersOfAGraphASourceAndArrays) {
  const Grid grid;
  const Input arrays(grid.view());
  const Input graph(read_input(arrays).graph);
  const Input source(Source::from_argument("lattice:square:2x3"));
  for (const Input* input : {&arrays, &graph, &source}) {
    const CountResult result = count(*input);
    EXPECT_EQ(result.count, "3");
    EXPECT_EQ(std::get<mpz_class>(result.value), 3);
    EXPECT_EQ(explain(*input).matching_size, 3U);
    const EstimateResult estimated = estimate(*input);
    ASSERT_TRUE(estimated.exact_value);
    EXPECT_EQ(std::get<mpz_class>(*estimated.exact_value), 3);
    EXPECT_NEAR(ln_z(*input).ln_z, std::log(3.0), 1e-9);
    const CertainBounds between = bounds(*input);
    EXPECT_LE(between.log10_lower, std::log10(3.0));
    EXPECT_GE(between.log10_upper, std::log10(3.0));
    EXPECT_EQ(between.lower, std::to_string(std::llround(std::ceil(std::pow(10, between.log10_lower)))));
    EXPECT_EQ(between.upper, std::to_string(std::llround(std::floor(std::pow(10, between.log10_upper)))));
  }
}

/// As unordered pairs.
std::set<std::pair<Index, Index>> pairs_of(const std::vector<Edge>& matching) {
  std::set<std::pair<Index, Index>> pairs;
  for (const Edge& edge : matching) pairs.insert(std::minmax(edge.from, edge.to));
  return pairs;
}

TEST(LibraryQuestions, ListedSampledAndWeighedByNumbersOfVertices) {
  const Grid grid;
  std::map<std::set<std::pair<Index, Index>>, int> listed;
  EXPECT_EQ(list(grid.view(), [&](const std::vector<Edge>& m) { return ++listed[pairs_of(m)], true; }), 3U);
  EXPECT_EQ(listed.size(), 3U);
  ListOptions second;
  second.first = second.last.emplace(2);
  EXPECT_EQ(list(
                grid.view(), [](const std::vector<Edge>&) { return true; }, second),
            1U);

  std::map<std::set<std::pair<Index, Index>>, int> drawn;
  for (const std::vector<Edge>& matching : sample(grid.view(), 300)) ++drawn[pairs_of(matching)];
  ASSERT_EQ(drawn.size(), 3U);
  for (const auto& [matching, times] : drawn) {
    EXPECT_TRUE(listed.contains(matching));
    EXPECT_GT(times, 60);
  }

  const ExactMarginals exact = exact_marginals(grid.view());
  const Marginals rounded = marginals(grid.view());
  ASSERT_EQ(exact.edge.size(), 7U);
  for (std::size_t k = 0; k < exact.edge.size(); ++k) {
    EXPECT_EQ(exact.edge[k], (Edge{grid.from[k], grid.to[k]}));
    int with_edge = 0;
    for (const auto& [matching, times] : listed)
      with_edge += matching.contains(std::minmax(grid.from[k], grid.to[k])) ? 1 : 0;
    EXPECT_EQ(exact.probability[k], mpq_class(with_edge) / 3);
    EXPECT_NEAR(rounded.probability[k], with_edge / 3.0, 1e-15);
  }

  const std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs{{0, 0}, {0, 3}, {0, 6}, {5, 2}};
  const std::vector<mpq_class> joint = pair_marginals(grid.view(), pairs);
  const SampledPairMarginals sampled = sampled_pair_marginals(grid.view(), pairs);
  ASSERT_EQ(sampled.pairs.size(), pairs.size());
  for (std::size_t k = 0; k < pairs.size(); ++k)
    EXPECT_NEAR(sampled.pairs[k].joint, joint[k].get_d(), 5 * sampled.pairs[k].joint_error);
}

TEST(LibraryQuestions, TheJsonOfAResultIsThatOfTheCommandLine) {
  const Grid grid;
  const std::string text = json_text(count(grid.view()));
  EXPECT_NE(text.find(R"("count":"3")"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("path":"<graph>","format":"memory","kind":"undirected","vertices":6,"edges":7)"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_EQ(json_text(explain(grid.view())).find('{'), 0U);
  EXPECT_EQ(json_text(estimate(grid.view())).find('{'), 0U);
  EXPECT_EQ(json_text(ln_z(grid.view())).find('{'), 0U);
}

TEST(LibraryQuestions, ATriangleHasNoMatchingToListDrawOrWeigh) {
  const std::vector<std::uint32_t> from{0, 1, 2};
  const std::vector<std::uint32_t> to{1, 2, 0};
  EdgeView triangle;
  triangle.left = 3;
  triangle.from = from;
  triangle.to = to;
  const CountResult result = count(triangle);
  EXPECT_EQ(std::get<mpz_class>(result.value), 0);
  EXPECT_TRUE(result.violator);
  EXPECT_EQ(list(triangle, [](const std::vector<Edge>&) { return true; }), 0U);
  EXPECT_TRUE(sample(triangle, 3).empty());
  EXPECT_TRUE(marginals(triangle).probability.empty());
  EXPECT_EQ(bounds(triangle).log10_upper, -std::numeric_limits<double>::infinity());
}

TEST(LibraryQuestions, BoundsHoldTheCountAndRefuseNegativeWeights) {
  std::mt19937_64 random(9);
  for (int run = 0; run < repeats(60); ++run) {
    Arrays arrays = random_arrays(2 + static_cast<std::uint64_t>(run) % 7, false, random);
    for (std::int64_t& weight : arrays.weight) weight = std::abs(weight);
    const mpz_class exact = permanent_of(arrays);
    const CertainBounds between = bounds(arrays.view());
    if (exact == 0) {
      EXPECT_EQ(between.log10_upper, -std::numeric_limits<double>::infinity());
      EXPECT_EQ(between.lower + between.upper, "00");
      continue;
    }
    // Whole numbers, which the theorems' own lie just outside of.
    EXPECT_LE(mpz_class(between.lower), exact);
    EXPECT_GE(mpz_class(between.upper), exact);
    EXPECT_NEAR(mpz_class(between.lower).get_d() - 0.5, std::pow(10, between.log10_lower), 0.5 + 1e-6);
    EXPECT_NEAR(mpz_class(between.upper).get_d() + 0.5, std::pow(10, between.log10_upper), 0.5 + 1e-6);
    EXPECT_LE(between.log10_lower, std::log10(exact.get_d()) + 1e-12);
    EXPECT_GE(between.log10_upper, std::log10(exact.get_d()) - 1e-12);
  }
  Arrays negative;
  negative.size = 1;
  negative.column = {0};
  negative.weight = {-2};
  negative.row_start = {0, 1};
  EXPECT_THROW(bounds(negative.view()), UnableError);
}

TEST(LibraryQuestions, OptionsThatThereAreNotAreRefused) {
  const Grid grid;
  Options options;
  options.method = "magic";
  EXPECT_THROW(count(grid.view(), options), UsageError);
  EXPECT_THROW(permanent(grid.view(), options), UsageError);
  options = {};
  options.time_limit_seconds = std::nan("");
  EXPECT_THROW(sample(grid.view(), 1, options), UsageError);
  EXPECT_THROW(list(grid.view(), MatchingIdSink()), UsageError);
  options = {};
  options.interrupted = [] { return true; };
  // A minute's work.
  options.method = "ryser";
  options.rules.enabled.fill(false);
  EXPECT_THROW(count(Source::from_argument("lattice:square:8x9"), options), InterruptedError);
}

TEST(LibraryQuestions, WhatIsHopelessIsRefusedWithoutATimeLimitToo) {
  Options options;
  options.method = "ryser";
  options.time_limit_seconds = std::numeric_limits<double>::infinity();
  try {
    count(Source::from_argument("lattice:cubic:6x6x6"), options);
    FAIL();
  } catch (const UnableError& error) {
    EXPECT_EQ(
        error.remedy(),
        "no limit would help: exact counting is out of reach for the methods of this version; --on-limit "
        "estimate gives an estimate");
  }
}

TEST(LibraryQuestions, TheRadiusIsNeverBelowTheErrorOfTheDigits) {
  // Counts that doubles hold exactly, and one that they do not.
  const std::vector<std::int64_t> row_start{0, 2, 4};
  const std::vector<std::int64_t> column{0, 1, 0, 1};
  for (const std::vector<double>& weight :
       {std::vector<double>{0.5, 0.25, 2, 1.5}, {1, 2, 3, 4}, {0.1, 0.2, 0.3, 0.4}, {1e-200, 0, 0, 1e-200}}) {
    SparseView view;
    view.rows = view.columns = 2;
    view.row_start = row_start;
    view.column = column;
    view.weights = weight;
    const Value real = permanent(view);
    const auto* ball = std::get_if<RealBall>(&real);
    ASSERT_NE(ball, nullptr);
    EXPECT_GE(std::stold(ball->error), 0);
    EXPECT_GE(ball->radius, std::stold(ball->error)) << ball->digits;
    const std::vector<std::complex<double>> turned(weight.begin(), weight.end());
    view.weights = turned;
    const Value complex = permanent(view);
    const auto* disc = std::get_if<ComplexBall>(&complex);
    ASSERT_NE(disc, nullptr);
    EXPECT_GE(disc->radius, std::stold(disc->error)) << disc->digits;
  }
}

TEST(LibraryQuestions, BeyondTheRangeOfDoublesTheDigitsStand) {
  // 10^200 on the diagonal of three rows.
  const std::vector<std::int64_t> row_start{0, 1, 2, 3};
  const std::vector<std::int64_t> column{0, 1, 2};
  const std::vector<double> weight{1e200, 1e200, 1e200};
  SparseView view;
  view.rows = view.columns = 3;
  view.row_start = row_start;
  view.column = column;
  view.weights = weight;
  const Value value = permanent(view);
  const auto* ball = std::get_if<RealBall>(&value);
  ASSERT_NE(ball, nullptr);
  EXPECT_TRUE(std::isinf(ball->middle));
  EXPECT_TRUE(std::isinf(ball->radius));
  // The double next to 1e200 is a little smaller.
  EXPECT_NE(ball->digits.find("9.999999999999999"), std::string::npos) << ball->digits;
  EXPECT_NE(ball->digits.find("e+599"), std::string::npos) << ball->digits;
}

// Single bonds alone are an answer, not an error, and allene's double bonds have one place.
TEST(LibraryQuestions, MoleculesWithoutAPiSystem) {
  const std::string ethane = testing::v2000({"C", "C", "H"}, {{1, 2, 1}, {1, 3, 1}});
  const KekuleResult none = kekule(Source::from_bytes(ethane, "ethane.mol"));
  EXPECT_NE(none.no_pi_system.find("only single bonds"), std::string::npos) << none.no_pi_system;
  EXPECT_EQ(none.formula, "C2H");
  EXPECT_TRUE(none.order.empty());
  const KekuleResult allene =
      kekule(Source::from_bytes(testing::v2000({"C", "C", "C"}, {{1, 2, 2}, {2, 3, 2}}), "allene.mol"));
  EXPECT_EQ(allene.no_pi_system, "");
  EXPECT_EQ(allene.structures, 1);
  EXPECT_THROW(kekule(Source::from_bytes("no molecule\n", "damaged.mol")), InputError);
}

}  // namespace
}  // namespace countpm
