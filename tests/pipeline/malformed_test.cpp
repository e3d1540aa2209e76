// What a program hands over in memory: whatever is wrong with it is told, and nothing crashes.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <random>

#include "graph/validate.hpp"
#include "src/api/entries.hpp"
#include "src/estimate/compare.hpp"
#include "src/estimate/estimate.hpp"
#include "src/input/sound_options.hpp"
#include "src/machine/resources.hpp"
#include "tests/fuzz/check_graph.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using testing::repeats;

Graph square(GraphKind kind) {
  Graph graph;
  graph.kind = kind;
  if (kind == GraphKind::bipartite) {
    graph.left_labels = LabelTable::numbered(2);
    graph.right_labels = LabelTable::numbered(2);
    graph.edges = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  } else {
    graph.left_labels = LabelTable::numbered(4);
    graph.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
  }
  return graph;
}

/// Every entry that takes a graph says the same.
void expect_refused(const Graph& graph, const std::string& found) {
  const auto expect = [&](const char* entry, const std::function<void()>& call) {
    try {
      call();
      ADD_FAILURE() << entry << " took " << found;
    } catch (const InputError& error) {
      EXPECT_EQ(error.file(), "<graph>") << entry;
      EXPECT_NE(error.found().find(found), std::string::npos) << entry << ": " << error.what();
      EXPECT_FALSE(error.expected().empty()) << entry;
    }
  };
  CountOptions options;
  options.device = "cpu";
  expect("validate", [&] { validate(graph); });
  expect("count", [&] { count(graph, options); });
  expect("estimate", [&] { estimate(graph, options, {}); });
  expect("marginals", [&] { marginals(graph, options, {}, [](const EdgeProbability&) { return true; }); });
  expect("sample_matchings", [&] { sample_matchings(graph, options, {}, [](const auto&) { return true; }); });
}

TEST(Malformed, SoundGraphsAreTaken) {
  for (const GraphKind kind : {GraphKind::bipartite, GraphKind::directed, GraphKind::undirected}) {
    Graph graph = square(kind);
    EXPECT_NO_THROW(validate(graph)) << name_of(kind);
    graph.values = std::vector<mpq_class>{mpq_class(1, 2), 3, -1, mpq_class(7, 3)};
    graph.weight_kind = WeightKind::rational;
    EXPECT_NO_THROW(validate(graph)) << name_of(kind);
    graph.values = std::vector<std::int64_t>{1, 2, 3, 4};  // multiplicities
    graph.weight_kind = WeightKind::none;
    EXPECT_NO_THROW(validate(graph)) << name_of(kind);
  }
  Graph both_ways = square(GraphKind::directed);
  both_ways.edges = {{0, 1}, {1, 0}, {2, 2}, {3, 3}};
  EXPECT_EQ(count(both_ways, {}).count, "1");
  EXPECT_NO_THROW(validate(Graph{}));
}

TEST(Malformed, EdgesToNowhere) {
  for (const GraphKind kind : {GraphKind::bipartite, GraphKind::directed, GraphKind::undirected}) {
    for (const Index far : {Index{4}, Index{1'000'000'000}, no_index}) {
      Graph graph = square(kind);
      graph.edges[2].to = far;
      expect_refused(graph, "edge 2 (");
      graph = square(kind);
      graph.edges[3].from = far;
      expect_refused(graph, "edge 3 (" + std::to_string(far));
    }
  }
}

TEST(Malformed, LoopsAndEdgesTwice) {
  Graph graph = square(GraphKind::undirected);
  graph.edges.push_back({2, 2});
  expect_refused(graph, "edge 4 (2 to 2)");
  graph = square(GraphKind::undirected);
  graph.edges.push_back({2, 1});
  expect_refused(graph, "edge 1 (1 to 2) and again edge 4 (2 to 1)");
  graph = square(GraphKind::directed);
  graph.edges.push_back({3, 0});
  expect_refused(graph, "edge 3 (3 to 0) and again edge 4");
  graph = square(GraphKind::bipartite);
  graph.edges.push_back({0, 0});
  expect_refused(graph, "edge 0 (0 to 0) and again edge 4");
}

// Of 2^32 - 2 vertices the numbers alone are more than the memory: that is said, and not found out.
TEST(Malformed, MoreVerticesThanMemory) {
  Graph graph;
  graph.kind = GraphKind::directed;
  graph.left_labels = LabelTable::numbered(no_index - 1);
  graph.edges = {{0, 7}, {5, 1}, {0, 7}};
  expect_refused(graph, "edge 0 (0 to 7) and again edge 2");
  graph.left_labels = LabelTable::numbered(no_index);
  expect_refused(graph, std::to_string(no_index));
}

TEST(Malformed, ValuesThatDoNotFit) {
  Graph graph = square(GraphKind::undirected);
  graph.weight_kind = WeightKind::complex;
  graph.values = std::vector<std::int64_t>{1, 2, 3};
  expect_refused(graph, "3 values");
  graph.values = std::vector<std::int64_t>{1, 2, 0, 4};
  expect_refused(graph, "0 as the weight of edge 2");
  graph.values = std::vector<ComplexRational>(4);
  expect_refused(graph, "0 as the weight of edge 0");
  mpq_class broken;
  broken.get_num() = 2;
  broken.get_den() = 4;
  graph.values = std::vector<mpq_class>{1, broken, 1, 1};
  expect_refused(graph, "lowest terms");
  broken.get_den() = 0;
  graph.values = std::vector<mpq_class>{1, broken, 1, 1};
  expect_refused(graph, "denominator 0");
  broken.get_den() = -3;
  graph.values = std::vector<ComplexRational>{{1, 0}, {1, broken}, {1, 0}, {1, 0}};
  expect_refused(graph, "negative denominator");
}

TEST(Malformed, KindsThatDoNotFit) {
  Graph graph = square(GraphKind::undirected);
  graph.values = std::vector<std::int64_t>{1, 2, -3, 4};
  expect_refused(graph, "'integer' of edge 2");
  graph.weight_kind = WeightKind::integer;
  graph.values = std::vector<mpq_class>{1, 1, 1, mpq_class(1, 2)};
  expect_refused(graph, "'rational' of edge 3");
  graph.weight_kind = WeightKind::real;
  graph.values = std::vector<ComplexRational>(4, ComplexRational{1, 1});
  expect_refused(graph, "'complex' of edge 0");
  graph = Graph{};
  graph.values = std::vector<ComplexRational>();
  expect_refused(graph, "a list of complex ones");
  graph = square(GraphKind::undirected);
  graph.right_labels = LabelTable::numbered(4);
  expect_refused(graph, "4");
  graph = square(GraphKind::undirected);
  graph.kind = static_cast<GraphKind>(7);
  expect_refused(graph, "the number 7");
  graph = square(GraphKind::undirected);
  graph.weight_kind = static_cast<WeightKind>(-1);
  expect_refused(graph, "the number -1");
}

TEST(Malformed, OptionsThatNoneHas) {
  const Graph graph = square(GraphKind::undirected);
  const auto refused = [&](const std::function<void(CountOptions&)>& change) {
    CountOptions options;
    change(options);
    EXPECT_THROW(count(graph, options), UsageError);
    EXPECT_THROW(explain(Source::from_bytes("a b\n"), {}, options), UsageError);
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const int threads : {-1, most_threads + 1, std::numeric_limits<int>::max()})
    refused([&](CountOptions& options) { options.threads = threads; });
  for (const double seconds : {0.0, -1.0, nan, -std::numeric_limits<double>::infinity()})
    refused([&](CountOptions& options) { options.time_limit_seconds = seconds; });
  for (const double share : {-0.1, 1.5, nan})
    refused([&](CountOptions& options) { options.audit_share = share; });
  for (const int gpus : {-1, 1'000'000'000})
    refused([&](CountOptions& options) { options.emulated_gpus = gpus; });
  refused([](CountOptions& options) { options.order = static_cast<OrderKind>(200); });
  refused([](CountOptions& options) { options.arithmetic.choice = static_cast<FloatChoice>(9); });
  for (const unsigned bits : {0U, 23U, 901U, 1'000'000'000U})
    refused([&](CountOptions& options) { options.arithmetic = FloatArithmetic::of_bits(bits); });
  refused([](CountOptions& options) { options.arithmetic.bits = 200; });
  refused([](CountOptions& options) { options.checkpoint.file = std::string("a\0b", 3); });

  const auto estimate_refused = [&](const std::function<void(EstimateOptions&)>& change) {
    EstimateOptions options;
    change(options);
    EXPECT_THROW(estimate(graph, {}, options), UsageError);
  };
  estimate_refused([](EstimateOptions& options) { options.exact_below_seconds = nan; });
  estimate_refused([](EstimateOptions& options) { options.sampler.kind = static_cast<SamplerKind>(99); });
  estimate_refused([](EstimateOptions& options) { options.sampler.tail_rows = 65; });
  estimate_refused([](EstimateOptions& options) { options.sampler.population = 4'000'000'000; });
  ReadOptions reading;
  reading.kind = static_cast<GraphKind>(5);
  EXPECT_THROW(count(Source::from_bytes("a b\n"), reading, {}), UsageError);
  Source nowhere;
  nowhere.kind = static_cast<Source::Kind>(50);
  EXPECT_THROW(count(nowhere, {}, {}), UsageError);
}

TEST(Malformed, NobodyListens) {
  const Graph graph = square(GraphKind::undirected);
  const Source source = Source::from_bytes("a b\n");
  EXPECT_THROW(marginals(graph, {}, {}, {}), UsageError);
  EXPECT_THROW(marginals(source, {}, {}, {}, {}), UsageError);
  EXPECT_THROW(sample_matchings(graph, {}, {}, {}), UsageError);
  EXPECT_THROW(sample_matchings(source, {}, {}, {}, {}), UsageError);
  EXPECT_THROW(list_matchings(source, {}, {}, {}), UsageError);
  CompareOptions comparing;
  comparing.samples = {8};
  EXPECT_THROW(compare(source, {}, {}, {}, comparing, {}, {}, {}), UsageError);
  MarginalOptions telling;
  telling.digits = std::numeric_limits<unsigned>::max();
  EXPECT_THROW(marginals(graph, {}, telling, [](const EdgeProbability&) { return true; }), UsageError);
  EXPECT_THROW(split(Source::from_argument("lattice:square:4x4"), {}, {}, {}), UsageError);
  EXPECT_THROW(resume_part(Source::from_argument("lattice:square:4x4"), {}, {}), UsageError);
}

TEST(Malformed, RandomGraphsAndOptionsToEveryEntry) {
  std::mt19937_64 random(20);
  std::vector<std::uint8_t> bytes;
  for (int round = repeats(9000); round > 0; --round) {
    bytes.resize(16 + random() % 200);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
    ASSERT_NO_THROW(fuzz::check_entries(bytes.data(), bytes.size())) << "round " << round;
  }
}

}  // namespace
}  // namespace countpm
