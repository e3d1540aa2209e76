// Twins: written out again, the classes give the block's matrix back (up to the order of lines), and no two
// classes are twins. And sequences of classes.
#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "kernels/orders/class_graph.hpp"
#include "kernels/orders/linear_order.hpp"
#include "tests/kernels/frontier/frontier_testing.hpp"

namespace countpm::class_graph_test {
namespace {

using namespace countpm::testing;

/// Of every line of one side, written out: the sorted values (with what they stand in), as a multiset.
using Lines = std::map<std::vector<std::int64_t>, Index>;

Lines line_sums(const ClassGraph& graph, const Block<std::int64_t>& block, bool rows) {
  Lines lines;
  for (Index v = 0; v < graph.classes(); ++v) {
    if (graph.is_row(v) != rows) continue;
    std::vector<std::int64_t> values;
    for (std::uint64_t k = graph.start[v]; k < graph.start[v + std::uint64_t{1}]; ++k) {
      values.insert(values.end(), graph.multiplicity[graph.neighbour[k]], block.matrix.value[graph.entry[k]]);
    }
    std::sort(values.begin(), values.end());
    lines[values] += graph.multiplicity[v];
  }
  return lines;
}

void expect_sound(const ClassGraph& graph, const Block<std::int64_t>& block) {
  ASSERT_EQ(graph.start.size(), graph.classes() + std::size_t{1});
  ASSERT_EQ(graph.start.back(), graph.neighbour.size());
  std::map<std::pair<Index, Index>, std::int64_t> edges;
  for (Index v = 0; v < graph.classes(); ++v) {
    EXPECT_GE(graph.multiplicity[v], 1U);
    for (std::uint64_t k = graph.start[v]; k < graph.start[v + std::uint64_t{1}]; ++k) {
      const Index u = graph.neighbour[k];
      if (k > graph.start[v]) {
        EXPECT_LT(graph.neighbour[k - 1], u);
      }
      EXPECT_NE(u, v);
      if (!graph.general) {
        EXPECT_NE(graph.is_row(u), graph.is_row(v));
      }
      edges[{v, u}] = block.matrix.value[graph.entry[k]];
    }
  }
  for (const auto& [ends, value] : edges) {
    const auto back = edges.find({ends.second, ends.first});
    ASSERT_NE(back, edges.end());
    EXPECT_EQ(back->second, value);
  }
}

TEST(ClassGraph, TwinsOnBothSides) {
  Random random(71);
  for (int round = 0; round < 300; ++round) {
    const auto n = static_cast<Index>(below(random, 12));
    const Block<std::int64_t> block = block_of_twins(random, 4, n);
    const ClassGraph merged = class_graph(block);
    const ClassGraph apart = class_graph(block, false);
    expect_sound(merged, block);
    expect_sound(apart, block);
    ASSERT_FALSE(HasFailure()) << "round " << round << "\n" << text_of(block);
    EXPECT_EQ(apart.row_classes, n);
    EXPECT_EQ(apart.classes(), n + block.matrix.columns);
    EXPECT_LE(merged.row_classes, 4U);
    EXPECT_LE(merged.classes() - merged.row_classes, 4U);
    EXPECT_EQ(line_sums(merged, block, true), line_sums(apart, block, true)) << text_of(block);
    EXPECT_EQ(line_sums(merged, block, false), line_sums(apart, block, false)) << text_of(block);
    // No two classes of a side are twins.
    std::map<std::tuple<bool, std::vector<Index>, std::vector<std::int64_t>>, Index> seen;
    for (Index v = 0; v < merged.classes(); ++v) {
      std::vector<Index> neighbours;
      std::vector<std::int64_t> values;
      for (std::uint64_t k = merged.start[v]; k < merged.start[v + std::uint64_t{1}]; ++k) {
        neighbours.push_back(merged.neighbour[k]);
        values.push_back(block.matrix.value[merged.entry[k]]);
      }
      EXPECT_EQ(++seen[std::tuple(merged.is_row(v), neighbours, values)], 1U) << text_of(block);
    }
  }
}

// K_{2,3} has the classes of its two sides, K_4 is one class with an inner edge.
TEST(ClassGraph, GeneralGraphs) {
  const auto graph_of = [](const std::vector<std::vector<std::int64_t>>& rows) {
    Block<std::int64_t> block = dense_block(rows, static_cast<Index>(rows.size()));
    block.general = true;
    return class_graph(block);
  };
  const ClassGraph bipartite =
      graph_of({{0, 0, 1, 1, 1}, {0, 0, 1, 1, 1}, {1, 1, 0, 0, 0}, {1, 1, 0, 0, 0}, {1, 1, 0, 0, 0}});
  EXPECT_TRUE(bipartite.general);
  EXPECT_EQ(bipartite.row_classes, 0U);
  EXPECT_EQ(bipartite.multiplicity, (std::vector<Index>{2, 3}));
  EXPECT_EQ(bipartite.neighbour, (std::vector<Index>{1, 0}));
  const ClassGraph complete = graph_of({{0, 1, 1, 1}, {1, 0, 1, 1}, {1, 1, 0, 1}, {1, 1, 1, 0}});
  EXPECT_EQ(complete.multiplicity, (std::vector<Index>{4}));
  EXPECT_TRUE(complete.neighbour.empty());
  EXPECT_TRUE(complete.has_inner(0));
  EXPECT_TRUE(bipartite.inner.empty());
  // Values tell twins apart.
  const ClassGraph weighted = graph_of({{0, 0, 1}, {0, 0, 2}, {1, 2, 0}});
  EXPECT_EQ(weighted.classes(), 3U);
}

TEST(ClassGraph, Empty) {
  const ClassGraph none = class_graph(Block<std::int64_t>{});
  EXPECT_EQ(none.classes(), 0U);
  EXPECT_EQ(none.start, (std::vector<std::uint64_t>{0}));
  Block<std::int64_t> zero;
  zero.matrix.rows = zero.matrix.columns = 2;
  zero.matrix.row_start = {0, 0, 0};
  EXPECT_EQ(class_graph(zero).multiplicity, (std::vector<Index>{2, 2}));
}

TEST(LinearOrder, NamesEveryDriverOnce) {
  Random random(76);
  for (int round = 0; round < repeats(60) && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const ClassGraph graph = class_graph(
        random_graph(random, static_cast<Index>(2 + below(random, 20)), 0.05 + 0.1 * (round % 4)), false);
    const auto first = static_cast<Index>(below(random, graph.classes()));
    for (const Drivers drivers : {Drivers::rows, Drivers::columns, Drivers::all}) {
      std::vector<Index> wanted;
      for (Index v = 0; v < graph.classes(); ++v) {
        if (drives(graph, drivers, v)) wanted.push_back(v);
      }
      std::vector<Index> sequence = sloan_sequence(graph, drivers, first);
      if (!sequence.empty() && drives(graph, drivers, first)) {
        EXPECT_EQ(sequence.front(), first);
      }
      std::sort(sequence.begin(), sequence.end());
      EXPECT_EQ(sequence, wanted);
    }
  }
}

// Along a strip of 5 x 40 vertices, whatever their numbers, from any corner: no more than a slanted line
// across is open at a time.
TEST(LinearOrder, SloanKeepsStripsThin) {
  constexpr Index width = 5;
  constexpr Index length = 40;
  Random random(77);
  for (int round = 0; round < repeats(12); ++round) {
    std::vector<Index> name(width * length);
    std::iota(name.begin(), name.end(), Index{0});
    std::shuffle(name.begin(), name.end(), random);
    std::vector<std::vector<std::int64_t>> cells(name.size(), std::vector<std::int64_t>(name.size()));
    const auto join = [&](Index a, Index b) { cells[name[a]][name[b]] = cells[name[b]][name[a]] = 1; };
    for (Index v = 0; v < name.size(); ++v) {
      if (v % width != 0) join(v, v - 1);
      if (v >= width) join(v, v - width);
    }
    Block<std::int64_t> strip = dense_block(cells, width * length);
    strip.general = true;
    const ClassGraph graph = class_graph(strip, false);
    ASSERT_EQ(graph.classes(), name.size());
    const auto corner =
        static_cast<Index>(below(random, 2) * (width - 1) + below(random, 2) * width * (length - 1));
    std::vector<char> gone(graph.classes(), 0), open(graph.classes(), 0);
    Index now = 0, most = 0;
    for (const Index v : sloan_sequence(graph, Drivers::all, name[corner])) {
      gone[v] = 1;
      now -= open[v] != 0 ? 1U : 0U;
      for (std::uint64_t k = graph.start[v]; k < graph.start[v + std::size_t{1}]; ++k) {
        const Index u = graph.neighbour[k];
        if (gone[u] != 0 || open[u] != 0) continue;
        open[u] = 1;
        ++now;
      }
      most = std::max(most, now);
    }
    EXPECT_LE(most, width + 2);
  }
}

}  // namespace
}  // namespace countpm::class_graph_test
