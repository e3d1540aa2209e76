// Moebius strips, Klein bottles, kagome, square-octagon and pyrochlore lattices, and graphs that are no
// lattices: their counts as they were published, or as formulas have them.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "graph/errors.hpp"
#include "graph/lattices/lattice.hpp"
#include "graph/lattices/lattice_geometry.hpp"
#include "tests/graph/frontier_count.hpp"

namespace countpm::lattice_families_test {
namespace {

mpq_class count_of(const std::string& spec) {
  return count_matchings(lattice_graph(spec));
}

std::string size_of(unsigned rows, unsigned columns) {
  return std::to_string(rows) + "x" + std::to_string(columns);
}

// W. T. Lu, F. Y. Wu, Dimer statistics on the Moebius strip and the Klein bottle, Phys. Lett. A 259 (1999)
// 108: products over m <= M and n <= N for 2M rows and 2N columns.
TEST(TwistedLattices, FormulasOfLuAndWu) {
  constexpr double pi = std::numbers::pi;
  for (unsigned half_rows = 1; half_rows <= 3; ++half_rows) {
    for (unsigned half_columns = 2; half_columns <= 3; ++half_columns) {
      double moebius = 1;
      double klein = 1;
      for (unsigned m = 1; m <= half_rows; ++m) {
        for (unsigned n = 1; n <= half_columns; ++n) {
          const double across = std::sin((4 * n - 1) * pi / (4 * half_columns));
          const double open = std::cos(m * pi / (2 * half_rows + 1));
          const double closed = std::sin((2 * m - 1) * pi / (2 * half_rows));
          moebius *= 4 * (open * open + across * across);
          klein *= 4 * (closed * closed + across * across);
        }
      }
      const std::string size = size_of(2 * half_rows, 2 * half_columns);
      EXPECT_EQ(count_of("moebius:" + size), std::lround(moebius)) << size;
      if (half_rows < 2) continue;  // klein has three rows at least
      EXPECT_EQ(count_of("klein:" + size), std::lround(klein)) << size;
    }
  }
}

// A strip of one row is a cycle; of two, the Moebius ladder.
TEST(TwistedLattices, NarrowStrips) {
  EXPECT_EQ(count_of("moebius:1x6"), 2);
  EXPECT_EQ(count_of("moebius:1x5"), 0);
  // K(3,3) is the Moebius ladder with three rungs.
  EXPECT_EQ(count_of("moebius:2x3"), 6);
  EXPECT_EQ(lattice_graph("moebius:2x3").edges.size(), 9U);
  EXPECT_EQ(lattice_graph("klein:3x4").edges.size(), 24U);
  EXPECT_EQ(count_of("moebius:2x4:weights=0,1"), 1);
}

// V. Elser, C. Zeng, Phys. Rev. B 48 (1993) 13647: 2^(N/3 + 1) for N sites on a torus.
TEST(Kagome, PowersOfTwoOnATorus) {
  for (const auto& [rows, columns] :
       {std::pair{2U, 2U}, std::pair{2U, 3U}, std::pair{2U, 4U}, std::pair{4U, 3U}})
    EXPECT_EQ(count_of("kagome-torus:" + size_of(rows, columns)), mpz_class(1) << (rows * columns + 1));
  EXPECT_EQ(lattice_graph("kagome-torus:3x4").edges.size(), 72U);
  EXPECT_EQ(count_of("kagome-torus:3x3"), 0);
}

// No path of b - a edges leaves a row of cells, and so on: each direction is a set of straight lines.
TEST(Kagome, DirectionsAreLines) {
  for (const char* const weights : {"1,0,0", "0,1,0", "0,0,1"}) {
    // Lines of 8 vertices on a torus of 4 x 4 have two perfect matchings each; the sites beside them are
    // alone.
    const Graph graph = lattice_graph("kagome-torus:4x4:weights=" + std::string(weights));
    EXPECT_EQ(graph.edges.size(), 32U);
    std::vector<int> degree(48, 0);
    for (const Edge& edge : graph.edges) ++degree[edge.from], ++degree[edge.to];
    EXPECT_EQ(std::count(degree.begin(), degree.end(), 2), 32);
  }
}

TEST(SquareOctagon, SmallCounts) {
  EXPECT_EQ(count_of("square-octagon:1x1"), 2);
  // Each square is matched in itself (2 ways), but for the eight corners of an octagon that its links match.
  EXPECT_EQ(count_of("square-octagon:2x2"), 2 * 2 * 2 * 2 + 1);
  EXPECT_EQ(count_of("square-octagon-torus:2x2"), 33);
  const Graph graph = lattice_graph("square-octagon-torus:3x4");
  EXPECT_EQ(graph.left_labels.size(), 48U);
  EXPECT_EQ(graph.edges.size(), 72U);
}

TEST(Pyrochlore, Tetrahedra) {
  EXPECT_EQ(count_of("pyrochlore:1x1x1"), 3);
  EXPECT_EQ(count_of("pyrochlore:1x1x2"), 9);
  EXPECT_EQ(count_of("pyrochlore:1x2x2"), 84);
  const Graph torus = lattice_graph("pyrochlore-torus:2x2x2");
  EXPECT_EQ(torus.left_labels.size(), 32U);
  EXPECT_EQ(torus.edges.size(), 96U);
  std::vector<int> degree(32, 0);
  for (const Edge& edge : torus.edges) ++degree[edge.from], ++degree[edge.to];
  EXPECT_EQ(std::count(degree.begin(), degree.end(), 6), 32);
  EXPECT_EQ(torus.left_labels.label(31), "x1y1z1d");
}

// OEIS A005271.
TEST(NamedGraphs, Hypercubes) {
  const long known[] = {1, 2, 9, 272};
  for (int d = 1; d <= 4; ++d) EXPECT_EQ(count_of("hypercube:" + std::to_string(d)), known[d - 1]);
  EXPECT_EQ(lattice_graph("hypercube:3").left_labels.label(4), "100");
  // The first dimension has the first weight: all its edges.
  EXPECT_EQ(count_of("hypercube:3:weights=2,0,0"), 16);
}

TEST(NamedGraphs, CompleteGraphs) {
  mpz_class double_factorial = 1;
  mpz_class factorial = 1;
  for (unsigned n = 1; n <= 5; ++n) {
    double_factorial *= 2 * n - 1;
    factorial *= n;
    EXPECT_EQ(count_of("complete:" + std::to_string(2 * n)), double_factorial);
    EXPECT_EQ(count_of("complete-bipartite:" + size_of(n, n)), factorial);
  }
  EXPECT_EQ(count_of("complete:5"), 0);
  EXPECT_EQ(count_of("complete-bipartite:2x4"), 0);
  EXPECT_EQ(count_of("complete:6:weights=1/2"), mpq_class(15, 8));
  EXPECT_EQ(count_of("complete-bipartite:3x4:remove=b2"), 6);
}

TEST(NamedGraphs, CirculantGraphs) {
  EXPECT_EQ(count_of("circulant:6:1"), 2);
  EXPECT_EQ(count_of("circulant:8:1,4"), 7);  // a Moebius ladder: as moebius:2x4
  EXPECT_EQ(count_of("circulant:6:1,2,3"), 15);
  EXPECT_EQ(count_of("circulant:10:1,3,5"), 120);  // K(5,5)
  EXPECT_EQ(lattice_graph("circulant:8:1,4").edges.size(), 12U);
  EXPECT_EQ(count_of("circulant:8:1,4:weights=1,0"), 2);
  EXPECT_EQ(count_of("circulant:6:1:remove=0+1"), 1);
}

TEST(NamedGraphs, Mistakes) {
  for (const char* const spec : {"circulant:8",
                                 "circulant:8:",
                                 "circulant:8:0",
                                 "circulant:8:5",
                                 "circulant:8:1,1",
                                 "circulant:8:1,x",
                                 "circulant:2:1",
                                 "circulant:8:weights=1",
                                 "circulant:8:1,2:weights=1",
                                 "hypercube:31",
                                 "hypercube:0",
                                 "complete:70000",
                                 "complete-bipartite:3",
                                 "complete-bipartite:100000x100000",
                                 "complete:3:remove=3",
                                 "complete:3:remove=01",
                                 "hypercube:2:remove=0",
                                 "complete-bipartite:2x2:remove=a2",
                                 "kagome-torus:1x3",
                                 "pyrochlore:2x2",
                                 "pyrochlore-torus:1x2x2",
                                 "moebius:2x2",
                                 "klein:2x3",
                                 "kagome:2x2:remove=r0c0d"})
    EXPECT_THROW(lattice_graph(spec), UsageError) << spec;
}

// What directions says beside the edges is what weights= goes by.
TEST(LatticeDirections, AreThoseOfWeights) {
  for (const char* const spec : {"square:3x4", "kagome:2x3", "pyrochlore-torus:2x2x2", "hypercube:3",
                                 "circulant:9:1,2,4", "honeycomb:2x2:remove=r1c1a"}) {
    std::vector<std::uint8_t> direction;
    const Graph graph = lattice_graph(spec, &direction);
    ASSERT_EQ(direction.size(), graph.edges.size()) << spec;
    std::string with_weights = spec;
    std::string weights = ":weights=";
    const std::size_t directions = lattice_info(spec).directions;
    for (std::size_t d = 0; d < directions; ++d) weights += (d == 0 ? "" : ",") + std::to_string(10 + d);
    const Graph weighted = lattice_graph(with_weights + weights);
    const auto& values = std::get<std::vector<std::int64_t>>(weighted.values);
    for (std::size_t e = 0; e < values.size(); ++e) ASSERT_EQ(values[e], 10 + direction[e]) << spec;
  }
}

// Every edge of a lattice that is drawn with edges of one length has it, over a border by its image.
TEST(LatticePositions, EdgesOfLengthOne) {
  for (const char* const spec : {"kagome:3x4", "square-octagon:3x3", "triangular:3x3", "moebius:1x4"}) {
    const Graph graph = lattice_graph(spec);
    const LatticeInfo info = lattice_info(spec);
    const std::vector<Point> periods = lattice_periods(info);
    for (const Edge& edge : graph.edges) {
      const Point a = lattice_position(info, graph.left_labels.label(edge.from)).value();
      const Point b = lattice_position(info, graph.left_labels.label(edge.to)).value();
      double length = std::hypot(a.x - b.x, a.y - b.y);
      if (!periods.empty()) length = std::min(length, std::hypot(a.x - b.x - periods[0].x, a.y - b.y));
      EXPECT_NEAR(length, 1, 1e-12) << spec;
    }
  }
  // No two vertices in one place.
  for (const char* const spec :
       {"hypercube:6", "complete:9", "circulant:12:1,5", "complete-bipartite:3x5", "pyrochlore:2x2x2"}) {
    const Graph graph = lattice_graph(spec);
    const LatticeInfo info = lattice_info(spec);
    std::vector<Point> at;
    for (Index v = 0; v < graph.left_labels.size(); ++v)
      at.push_back(lattice_position(info, graph.left_labels.label(v)).value());
    for (std::size_t k = 0; k < at.size(); ++k) {
      for (std::size_t l = 0; l < k; ++l)
        EXPECT_GT(std::hypot(at[k].x - at[l].x, at[k].y - at[l].y), 0.05) << spec << ' ' << k << ' ' << l;
    }
  }
  EXPECT_EQ(lattice_position(lattice_info("kagome:2x2"), "q"), std::nullopt);
}

}  // namespace
}  // namespace countpm::lattice_families_test
