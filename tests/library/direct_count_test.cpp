// Small graphs counted without a plan: as brute force and the whole pipeline count them.
#include "src/count/direct_count.hpp"

#include <gtest/gtest.h>

#include <random>

#include "src/count/small_graph.hpp"
#include "src/input/report.hpp"
#include "tests/library/random_arrays.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

/// Of each pair of vertices an edge with that probability.
Graph random_graph(Index vertices, double density, std::mt19937_64& random) {
  std::bernoulli_distribution present(density);
  Graph graph;
  graph.left_labels = LabelTable::numbered(vertices, 0);
  for (Index u = 0; u < vertices; ++u) {
    for (Index v = u + 1; v < vertices; ++v) {
      if (present(random)) graph.edges.push_back({u, v});
    }
  }
  return graph;
}

/// The same vertices on two sides, or as arcs; a loop where u = v.
Graph random_digraph(Index vertices, GraphKind kind, double density, std::mt19937_64& random) {
  std::bernoulli_distribution present(density);
  Graph graph;
  graph.kind = kind;
  graph.left_labels = LabelTable::numbered(vertices, 0);
  if (kind == GraphKind::bipartite) graph.right_labels = LabelTable::numbered(vertices, 0);
  for (Index u = 0; u < vertices; ++u) {
    for (Index v = 0; v < vertices; ++v) {
      if (present(random)) graph.edges.push_back({u, v});
    }
  }
  return graph;
}

TEST(LibraryDirectCount, IsWhatThePipelineCounts) {
  std::mt19937_64 random(21);
  for (int run = 0; run < testing::repeats(90); ++run) {
    const auto size = static_cast<Index>(run % 14);
    const double density = 0.15 + 0.1 * (run % 8);
    for (const Graph& graph : {random_graph(size, density, random),
                               random_digraph(size / 2, GraphKind::bipartite, density, random),
                               random_digraph(size / 2, GraphKind::directed, density, random)}) {
      const std::optional<DirectSum> sum = direct_sum(graph, {});
      ASSERT_TRUE(sum);
      Options plain;
      plain.rules.enabled.fill(false);  // nor does count() take the short way then
      const CountResult counted = count(graph, plain);
      ASSERT_EQ(sum->value.get_str(), counted.count) << name_of(graph.kind) << ", run " << run;
    }
  }
}

/// Weights from -2 to 3 without 0.
void add_weights(Graph& graph, std::mt19937_64& random) {
  std::vector<std::int64_t> values;
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    const auto weight = static_cast<std::int64_t>(random() % 5) - 2;
    values.push_back(weight == 0 ? 3 : weight);
  }
  graph.values = std::move(values);
  graph.weight_kind = WeightKind::integer;
}

TEST(LibraryDirectCount, OfMonomersAndLargestMatchingsIsWhatThePipelineCounts) {
  std::mt19937_64 random(23);
  int odd = 0;
  for (int run = 0; run < testing::repeats(60); ++run) {
    const auto size = static_cast<Index>(run % 11);
    const double density = 0.1 + 0.1 * (run % 8);
    Options plain;
    plain.rules.enabled.fill(false);
    Graph alone = random_graph(size, density, random);
    alone.monomers = true;
    for (Index v = 0; v < size; ++v) {
      if (random() % 4 != 0) alone.edges.push_back({v, v});
    }
    if (run % 2 == 0) add_weights(alone, random);
    const std::optional<DirectSum> sum = direct_sum(alone, {});
    ASSERT_TRUE(sum);
    ASSERT_EQ(sum->value.get_str(), count(alone, plain).count) << "run " << run;
    odd += mpz_odd_p(sum->value.get_mpz_t());
    Options largest;
    largest.matchings = plain.matchings = MatchingSize::maximum;
    for (Graph graph : {random_graph(size, density, random),
                        random_digraph(size / 2, GraphKind::bipartite, density, random)}) {
      if (run % 3 == 0) add_weights(graph, random);
      if (run % 4 == 0 && graph.kind == GraphKind::bipartite)
        graph.right_labels = LabelTable::numbered(size, 0);
      const std::optional<CountResult> direct = direct_count(in_memory(graph), largest);
      const CountResult counted = count(graph, plain);
      if (graph.kind == GraphKind::bipartite && counted.matched->size < graph.left_labels.size()) {
        ASSERT_FALSE(direct) << "count() has a note then";
        continue;
      }
      ASSERT_TRUE(direct);
      ASSERT_EQ(direct->count, counted.count) << name_of(graph.kind) << ", run " << run;
      ASSERT_EQ(direct->matched->size, counted.matched->size) << name_of(graph.kind) << ", run " << run;
      ASSERT_EQ(direct->matched->free, counted.matched->free) << name_of(graph.kind) << ", run " << run;
    }
  }
  EXPECT_GT(odd, testing::repeats(60) / 6);
}

TEST(LibraryDirectCount, KnownNumbers) {
  const auto number = [](const std::string& spec) {
    return direct_sum(read_graph(Source::from_argument(spec)).graph, {})
        .value_or(DirectSum{-1})
        .value.get_str();
  };
  EXPECT_EQ(number("lattice:square:6x6"), "6728");
  EXPECT_EQ(number("lattice:square:8x8"), "12988816");
  EXPECT_EQ(number("lattice:square:3x3"), "0");
  EXPECT_EQ(number("lattice:aztec:4"), "1024");
  EXPECT_EQ(number("lattice:honeycomb:3x3"), "20");
  EXPECT_EQ(number("lattice:square:9x8"), "-1") << "beyond 64 vertices it is left to the pipeline";
  std::mt19937_64 random(1);
  EXPECT_EQ(direct_sum(random_graph(12, 1, random), {})->value, 10395) << "11!!";
  EXPECT_EQ(direct_sum(random_digraph(8, GraphKind::bipartite, 1, random), {})->value, 40320);
  EXPECT_EQ(direct_sum(random_graph(0, 1, random), {})->value, 1);
  EXPECT_FALSE(direct_sum(random_graph(40, 0.8, random), {})) << "too many states";
}

TEST(LibraryDirectCount, ResultsAreThoseOfCount) {
  const ReadResult read = read_graph(Source::from_argument("lattice:square:4x5"));
  const std::optional<CountResult> direct = direct_count(read, {});
  ASSERT_TRUE(direct);
  const CountResult whole = count(read, {});
  EXPECT_EQ(direct->count, whole.count);
  EXPECT_EQ(std::get<mpz_class>(direct->value), std::get<mpz_class>(whole.value));
  EXPECT_EQ(direct->log10, whole.log10);
  EXPECT_EQ(direct->vertices, whole.vertices);
  EXPECT_EQ(direct->entropy->per_dimer, whole.entropy->per_dimer);
  EXPECT_EQ(direct->checks.size(), 2U);
  for (const Check& check : direct->checks) EXPECT_TRUE(check.ok);
}

TEST(LibraryDirectCount, IsNotForThoseWhoAskHow) {
  const Graph graph = read_graph(Source::from_argument("lattice:square:4x4")).graph;
  EXPECT_TRUE(direct_sum(graph, {}));
  Options options;
  options.method = "ryser";
  EXPECT_FALSE(direct_sum(graph, options));
  options = {};
  options.double_check = true;
  EXPECT_FALSE(direct_sum(graph, options));
  options = {};
  options.rules.enabled[0] = false;
  EXPECT_FALSE(direct_sum(graph, options));
  Graph weighted = graph;
  weighted.weight_kind = WeightKind::rational;
  weighted.values = std::vector<mpq_class>(graph.edges.size(), mpq_class(1, 2));
  EXPECT_FALSE(direct_sum(weighted, {}));
}

// The checks see a wrong number: the determinant modulo 2, and the two orders.
TEST(LibraryDirectCount, OddNumbersAreThoseWithAnOddDeterminant) {
  std::mt19937_64 random(22);
  int odd = 0;
  for (int run = 0; run < 60; ++run) {
    const Graph graph = random_graph(10, 0.5, random);
    const SmallGraph small = *small_graph(graph);
    const std::vector<std::uint8_t> order = greedy_order(small);
    const int128 sum = *eliminate(small, order, 1'000'000);
    EXPECT_EQ(is_odd(small), sum % 2 == 1);
    odd += is_odd(small) ? 1 : 0;
  }
  EXPECT_GT(odd, 10);
  EXPECT_LT(odd, 50);
}

TEST(LibraryCountEach, InOrderWithErrorsInTheirPlaces) {
  const std::string text = "C~\nC~~\nCr\nDQc\nI}GOPAA@G\n";
  for (const int jobs : {0, 1, 3}) {
    std::vector<std::string> counts;
    const std::uint64_t number = count_many(
        read_many(Source::from_bytes(text, "some.g6")),
        [&](std::uint64_t k, EachResult result) {
          EXPECT_EQ(k, counts.size() + 1);
          if (const auto* found = std::get_if<CountResult>(&result)) {
            counts.push_back(found->count);
            EXPECT_EQ(found->violator.has_value(), found->count == "0");
          } else {
            try {
              std::rethrow_exception(std::get<std::exception_ptr>(result));
            } catch (const InputError& error) {
              EXPECT_EQ(error.line(), 2U);
              counts.emplace_back("error");
            }
          }
          return true;
        },
        {}, jobs);
    EXPECT_EQ(number, 5U);
    ASSERT_EQ(counts.size(), 5U);
    EXPECT_EQ(std::vector<std::string>(counts.begin(), counts.begin() + 4),
              (std::vector<std::string>{"3", "error", "2", "0"}));
  }
}

TEST(LibraryCountEach, StopsWhereItIsToldTo) {
  std::uint64_t handed_out = 0;
  const NextInput endless = [&]() -> std::optional<Input> {
    ++handed_out;
    return Input(Source::from_argument("lattice:square:2x3"));
  };
  EXPECT_EQ(count_many(endless, [](std::uint64_t k, const EachResult&) { return k < 7; }), 7U);
  EXPECT_LT(handed_out, 10'000U) << "it does not run far ahead";
  Options options;
  options.interrupted = [] { return true; };
  EXPECT_THROW(count_many(
                   endless, [](std::uint64_t, const EachResult&) { return true; }, options),
               InterruptedError);
  EXPECT_THROW(count_many({}, [](std::uint64_t, const EachResult&) { return true; }), UsageError);
  EXPECT_THROW(count_many(endless, {}), UsageError);
}

}  // namespace
}  // namespace countpm
