// Drawings without crossings: molecules, random planar graphs, disconnected ones.
#include "src/draw/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "graph/errors.hpp"
#include "graph/read.hpp"
#include "test_paths.hpp"

namespace countpm::test {
namespace {

using draw::Layout;

double turn(const Point& a, const Point& b, const Point& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}
double distance(const Point& a, const Point& b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

// Vertices apart, on no edge of others, and no two edges that cross.
void expect_plane(const Graph& graph, const Layout& layout, const std::string& name) {
  const std::vector<Point>& p = layout.position;
  for (std::size_t v = 0; v < p.size(); ++v) {
    for (std::size_t w = 0; w < v; ++w)
      ASSERT_GT(distance(p[v], p[w]), 0.02) << name << ": " << v << ", " << w;
  }
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const auto [a, b] = graph.edges[e];
    for (std::size_t v = 0; v < p.size(); ++v) {
      if (v == a || v == b) continue;
      ASSERT_GT(distance(p[a], p[v]) + distance(p[v], p[b]) - distance(p[a], p[b]), 1e-9)
          << name << ": " << v;
    }
    for (std::size_t f = 0; f < e; ++f) {
      const auto [c, d] = graph.edges[f];
      if (a == c || a == d || b == c || b == d) continue;
      const bool crossing = turn(p[a], p[b], p[c]) * turn(p[a], p[b], p[d]) < 0 &&
                            turn(p[c], p[d], p[a]) * turn(p[c], p[d], p[b]) < 0;
      ASSERT_FALSE(crossing) << name << ": edges " << e << ", " << f;
    }
  }
}

Graph graph_of(const std::string& text) {
  return read_graph(Source::from_bytes(text)).graph;
}
Graph molecule(const std::string& name) {
  return read_graph(Source::from_argument(COUNTPM_SOURCE_DIR "/data/molecules/" + name + ".edgelist")).graph;
}

TEST(Layout, BenzenoidsAreRegular) {
  for (const char* name :
       {"benzene", "naphthalene", "phenanthrene", "coronene", "kekulene", "circumcoronene"}) {
    const Graph graph = molecule(name);
    const auto layout = draw::planar_layout(graph);
    ASSERT_TRUE(layout) << name;
    for (const Edge& edge : graph.edges)
      EXPECT_NEAR(distance(layout->position[edge.from], layout->position[edge.to]), 1, 1e-6) << name;
    expect_plane(graph, *layout, name);
  }
}

TEST(Layout, BoardsAndChainsAreRegular) {
  const Graph board = read_graph(Source::from_argument(COUNTPM_SOURCE_DIR "/data/boards/8x8.edgelist")).graph;
  const auto squares = draw::planar_layout(board);
  ASSERT_TRUE(squares);
  for (const Edge& edge : board.edges)
    EXPECT_NEAR(distance(squares->position[edge.from], squares->position[edge.to]), 1, 1e-6);
  // A tail at a pentagon that shares a side with a heptagon (azulene).
  const Graph rings = graph_of("a b\nb c\nc d\nd e\ne a\na f\nf g\ng h\nh i\ni j\nj b\nc t\nt u\n");
  const auto layout = draw::planar_layout(rings);
  ASSERT_TRUE(layout);
  for (const Edge& edge : rings.edges)
    EXPECT_NEAR(distance(layout->position[edge.from], layout->position[edge.to]), 1, 1e-6);
  expect_plane(rings, *layout, "azulene with a tail");
}

TEST(Layout, FullerenesArePlane) {
  for (const char* name : {"C20", "C60", "C70"}) {
    const Graph graph = molecule(name);
    const auto layout = draw::planar_layout(graph);
    ASSERT_TRUE(layout) << name;
    expect_plane(graph, *layout, name);
  }
}

// Random graphs that are planar by the way they are made: each new vertex is put into a face of what there is
// (nested triangles), hung on (trees) or on an edge (outerplanar); some edges go again (bridges, cut
// vertices, several parts).
TEST(Layout, RandomPlanarGraphsArePlane) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t n) {
      return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
    };
    std::vector<std::array<std::size_t, 3>> faces{{0, 1, 2}, {0, 1, 2}};
    std::vector<std::pair<std::size_t, std::size_t>> edges{{0, 1}, {1, 2}, {0, 2}};
    const std::size_t vertices = 4 + below(26);
    for (std::size_t v = 3; v < vertices; ++v) {
      const std::size_t face = below(faces.size());
      const auto [a, b, c] = faces[face];
      const std::size_t kind = below(3);
      edges.emplace_back(a, v);
      if (kind == 0) continue;
      edges.emplace_back(b, v);
      if (kind == 1) continue;
      edges.emplace_back(c, v);
      faces[face] = {a, b, v};
      faces.push_back({a, c, v});
      faces.push_back({b, c, v});
    }
    std::string text;
    for (const auto& [a, b] : edges) {
      if (below(8) != 0) text += std::to_string(a) + " " + std::to_string(b) + "\n";
    }
    if (text.empty()) continue;
    const Graph graph = graph_of(text);
    const auto layout = draw::planar_layout(graph);
    ASSERT_TRUE(layout) << text;
    expect_plane(graph, *layout, "seed " + std::to_string(seed) + "\n" + text);
  }
}

TEST(Layout, OnlyPlanarGraphsHaveOne) {
  EXPECT_FALSE(draw::planar_layout(graph_of("a x\na y\na z\nb x\nb y\nb z\nc x\nc y\nc z\n")));
  EXPECT_FALSE(draw::planar_layout(graph_of("a b\na c\na d\na e\nb c\nb d\nb e\nc d\nc e\nd e\n")));
  const Graph single = graph_of("a b\n");
  const auto layout = draw::planar_layout(single);
  ASSERT_TRUE(layout);
  EXPECT_NEAR(distance(layout->position[0], layout->position[1]), 1, 1e-9);
}

TEST(Layout, LatticesLieOnTheirSites) {
  const Graph graph = lattice_graph("honeycomb:3x4");
  const Layout layout = draw::lattice_layout(lattice_info("honeycomb:3x4"), graph.left_labels);
  for (const Edge& edge : graph.edges)
    EXPECT_NEAR(distance(layout.position[edge.from], layout.position[edge.to]), 1 / std::sqrt(3.0), 1e-9);
  expect_plane(graph, layout, "honeycomb");
  const Graph triangles = lattice_graph("triangular:4x5");
  const Layout regular = draw::lattice_layout(lattice_info("triangular:4x5"), triangles.left_labels);
  for (const Edge& edge : triangles.edges)
    EXPECT_NEAR(distance(regular.position[edge.from], regular.position[edge.to]), 1, 1e-9);
}

}  // namespace
}  // namespace countpm::test
