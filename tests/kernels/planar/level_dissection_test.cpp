// Nested dissection by levels of distances: an order of every vertex, its separators, and what it costs
// beside METIS' order.
#include "kernels/planar/elimination/level_dissection.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "graph/stop_signal.hpp"
#include "kernels/planar/elimination/dissection.hpp"
#include "tests/kernels/planar/planar_graphs.hpp"

namespace countpm {
namespace {

using namespace testing_support;

planar::BlockGraph graph_of_lattice(const std::string& spec) {
  return planar::block_graph(lattice_block(spec));
}

std::vector<Index> levels(const planar::BlockGraph& graph) {
  return planar::level_dissection(graph, planar::adjacency(graph));
}

double work(const planar::BlockGraph& graph, const std::vector<Index>& order) {
  return planar::front_tree(graph, order).total.multiplications;
}

TEST(LevelDissection, OrdersEveryVertexOnce) {
  for (const char* const spec : {"square:1x2", "square:8x8", "square:13x30", "honeycomb:9x7",
                                 "triangular:12x12", "aztec:9", "torus:10x10"}) {
    const planar::BlockGraph graph = graph_of_lattice(spec);
    std::vector<Index> order = levels(graph);
    EXPECT_EQ(order, levels(graph)) << spec;
    std::sort(order.begin(), order.end());
    ASSERT_EQ(order.size(), graph.vertices) << spec;
    for (Index v = 0; v < graph.vertices; ++v) ASSERT_EQ(order[v], v) << spec;
  }
}

// Large enough for tasks of several threads; a lattice that has no such order, too.
TEST(DissectionTree, IsTheSameOnAnyNumberOfThreads) {
  for (const char* const spec : {"square:150x120", "triangular:110x110", "honeycomb:50x60", "aztec:70"}) {
    const planar::BlockGraph graph = graph_of_lattice(spec);
    const planar::Adjacency adjacent = planar::adjacency(graph);
    for (const planar::LevelTies ties : {planar::LevelTies::first, planar::LevelTies::last}) {
      const std::vector<Index> order = planar::level_dissection(graph, adjacent, ties);
      for (const int threads : {2, 5})
        EXPECT_EQ(planar::level_dissection(graph, adjacent, ties, threads), order) << spec;
    }
    const planar::FrontTree one = planar::dissection_tree(graph);
    const planar::FrontTree many = planar::dissection_tree(graph, 4);
    ASSERT_EQ(many.fronts.size(), one.fronts.size()) << spec;
    EXPECT_EQ(many.total.multiplications, one.total.multiplications);
    for (std::size_t k = 0; k < one.fronts.size(); ++k) {
      ASSERT_EQ(many.fronts[k].own, one.fronts[k].own) << spec << ", front " << k;
      ASSERT_EQ(many.fronts[k].border, one.fronts[k].border) << spec << ", front " << k;
      ASSERT_EQ(many.fronts[k].edges, one.fronts[k].edges) << spec << ", front " << k;
      ASSERT_EQ(many.fronts[k].children, one.fronts[k].children) << spec << ", front " << k;
    }
  }
}

TEST(DissectionTree, StopsOnEveryThread) {
  const planar::BlockGraph graph = graph_of_lattice("square:100x100");
  StopSignal stop;
  stop.request();
  const StopScope scope(&stop);
  for (const int threads : {1, 4}) EXPECT_THROW(planar::dissection_tree(graph, threads), Stopped);
}

TEST(LevelDissection, HasNoneOfWhatIsNotConnected) {
  planar::BlockGraph graph;
  graph.bipartite = false;
  graph.rows = graph.vertices = 4;
  graph.edges = {{0, 1, 0}, {2, 3, 0}};
  EXPECT_TRUE(levels(graph).empty());
  EXPECT_EQ(planar::dissection_tree(graph).fronts.size(), 2U);
  graph.rows = graph.vertices = 0;
  graph.edges.clear();
  EXPECT_TRUE(planar::dissection_tree(graph).fronts.empty());
}

TEST(LevelDissection, GivesUpWhereTheLevelsAreLarge) {
  constexpr Index leaves = 2000;
  planar::BlockGraph star;
  star.bipartite = false;
  star.rows = star.vertices = leaves + 1;
  for (Index v = 1; v <= leaves; ++v) star.edges.push_back({0, v, 0});
  EXPECT_TRUE(levels(star).empty());
  // A book of triangles: its levels are large, and in its own order the first vertex joins all others.
  for (Index v = 2; v <= leaves; ++v) star.edges.push_back({1, v, 0});
  EXPECT_TRUE(levels(star).empty());
}

// A side of the lattice separates its halves: no front of a 40 x 40 lattice has more than two sides'
// vertices.
TEST(LevelDissection, SeparatesLatticesByTheirLines) {
  const planar::BlockGraph graph = graph_of_lattice("square:40x40");
  const std::vector<Index> order = levels(graph);
  const planar::FrontTree tree = planar::front_tree(graph, order);
  std::size_t most = 0;
  for (const planar::Front& front : tree.fronts)
    most = std::max(most, front.own.size() + front.border.size());
  EXPECT_LE(most, 80U);
  EXPECT_LT(work(graph, order), 0.9 * work(graph, planar::dissection_order(graph)));
}

// What checks eliminate by: other fronts than the count's, at about the same cost.
TEST(DissectionTree, HasAnotherThatCostsAboutAsMuch) {
  for (const char* const spec :
       {"square:40x40", "square:33x50", "honeycomb:30x30", "triangular:36x36", "aztec:30", "torus:36x36"}) {
    const planar::BlockGraph graph = graph_of_lattice(spec);
    const planar::FrontTree one = planar::dissection_tree(graph);
    const planar::FrontTree other = planar::other_dissection_tree(graph);
    const auto largest = [](const planar::FrontTree& tree) {
      const planar::Front* found = &tree.fronts.front();
      for (const planar::Front& front : tree.fronts) {
        if (front.own.size() > found->own.size()) found = &front;
      }
      std::vector<Index> own(found->own.begin(), found->own.end());
      std::sort(own.begin(), own.end());
      return own;
    };
    EXPECT_NE(largest(one), largest(other)) << spec;
    EXPECT_LT(other.total.multiplications, 1.25 * one.total.multiplications) << spec;
  }
}

TEST(DissectionTree, IsNotMuchDearerThanMetis) {
  for (const char* const spec :
       {"square:30x30", "square:10x90", "honeycomb:20x20", "triangular:25x25", "aztec:20", "torus:16x16"}) {
    const planar::BlockGraph graph = graph_of_lattice(spec);
    EXPECT_LE(planar::dissection_tree(graph).total.multiplications,
              1.1 * work(graph, planar::dissection_order(graph)))
        << spec;
  }
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    const EdgeList edges = random_planar(random.below(200), random);
    const planar::BlockGraph graph = planar::block_graph(general_block(
        with_symmetric_values<std::int64_t>(graph_of(edges.vertices, edges.edges), ValueKind::ones, random)));
    const double metis = work(graph, planar::dissection_order(graph));
    EXPECT_LE(planar::dissection_tree(graph).total.multiplications, metis) << "seed " << seed;
  }
}

}  // namespace
}  // namespace countpm
