// Lattices: counts of vertices and edges against formulas, two-colourability, degrees, weights by direction,
// removed vertices, refusals; and perfect matchings against published closed forms, by a small frontier count
// of our own.
#include "graph/lattices/lattice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "graph/errors.hpp"
#include "tests/graph/frontier_count.hpp"

namespace countpm {
namespace {

mpq_class count_of(const std::string& spec) {
  return count_matchings(lattice_graph(spec));
}

std::vector<Index> degrees(const Graph& graph) {
  std::vector<Index> degree(graph.left_labels.size(), 0);
  for (const Edge& edge : graph.edges) {
    ++degree[edge.from];
    ++degree[edge.to];
  }
  return degree;
}

bool two_colourable(const Graph& graph) {
  const std::size_t n = graph.left_labels.size();
  std::vector<int> colour(n, -1);
  std::vector<std::vector<Index>> adjacent(n);
  for (const Edge& edge : graph.edges) {
    adjacent[edge.from].push_back(edge.to);
    adjacent[edge.to].push_back(edge.from);
  }
  for (std::size_t start = 0; start < n; ++start) {
    if (colour[start] >= 0) continue;
    colour[start] = 0;
    std::vector<std::size_t> stack{start};
    while (!stack.empty()) {
      const std::size_t v = stack.back();
      stack.pop_back();
      for (const Index w : adjacent[v]) {
        if (colour[w] == colour[v]) return false;
        if (colour[w] < 0) {
          colour[w] = 1 - colour[v];
          stack.push_back(w);
        }
      }
    }
  }
  return true;
}

void expect_simple(const std::string& spec, const Graph& graph) {
  std::vector<std::pair<Index, Index>> pairs;
  for (const Edge& edge : graph.edges) {
    EXPECT_NE(edge.from, edge.to) << spec;
    EXPECT_LT(std::max(edge.from, edge.to), graph.left_labels.size()) << spec;
    pairs.emplace_back(std::min(edge.from, edge.to), std::max(edge.from, edge.to));
  }
  std::sort(pairs.begin(), pairs.end());
  EXPECT_EQ(std::adjacent_find(pairs.begin(), pairs.end()), pairs.end()) << spec << " has parallel edges";
  std::vector<std::string> labels;
  for (Index v = 0; v < graph.left_labels.size(); ++v) labels.push_back(graph.left_labels.label(v));
  std::sort(labels.begin(), labels.end());
  EXPECT_EQ(std::adjacent_find(labels.begin(), labels.end()), labels.end()) << spec << " has a label twice";
}

void expect_shape(const std::string& spec, std::uint64_t vertices, std::uint64_t edges, bool bipartite,
                  Index least_degree, Index greatest_degree) {
  const Graph graph = lattice_graph(spec);
  EXPECT_EQ(graph.kind, GraphKind::undirected) << spec;
  EXPECT_EQ(graph.left_labels.size(), vertices) << spec;
  EXPECT_EQ(graph.edges.size(), edges) << spec;
  EXPECT_EQ(two_colourable(graph), bipartite) << spec;
  EXPECT_EQ(graph.weight_kind, WeightKind::none) << spec;
  const std::vector<Index> degree = degrees(graph);
  EXPECT_EQ(*std::min_element(degree.begin(), degree.end()), least_degree) << spec;
  EXPECT_EQ(*std::max_element(degree.begin(), degree.end()), greatest_degree) << spec;
  expect_simple(spec, graph);
}

std::string sizes(const std::string& shape, std::initializer_list<std::uint64_t> numbers) {
  std::string text = shape + ":";
  for (const std::uint64_t number : numbers) text += std::to_string(number) + "x";
  text.pop_back();
  return text;
}

TEST(Lattice, HasTheVerticesAndEdgesOfTheFormulas) {
  for (std::uint64_t r = 3; r <= 7; ++r) {
    for (std::uint64_t c = 3; c <= 7; ++c) {
      expect_shape(sizes("square", {r, c}), r * c, r * (c - 1) + (r - 1) * c, true, 2, 4);
      expect_shape(sizes("cylinder", {r, c}), r * c, r * c + (r - 1) * c, c % 2 == 0, 3, 4);
      expect_shape(sizes("torus", {r, c}), r * c, 2 * r * c, r % 2 == 0 && c % 2 == 0, 4, 4);
      expect_shape(sizes("triangular", {r, c}), r * c, r * (c - 1) + (r - 1) * c + (r - 1) * (c - 1), false,
                   2, 6);
      expect_shape(sizes("triangular-torus", {r, c}), r * c, 3 * r * c, false, 6, 6);
      // h hexagons in a parallelogram: 2 (r + 1) (c + 1) - 2 vertices; Euler's formula gives the edges.
      expect_shape(sizes("honeycomb", {r, c}), 2 * (r + 1) * (c + 1) - 2, 3 * r * c + 2 * (r + c) - 1, true,
                   2, 3);
      expect_shape(sizes("honeycomb-torus", {r, c}), 2 * r * c, 3 * r * c, true, 3, 3);
      for (std::uint64_t b = 1; b <= 3; ++b) {
        const std::uint64_t edges = (b - 1) * r * c + b * (r - 1) * c + b * r * (c - 1);
        expect_shape(sizes("cubic", {b, r, c}), b * r * c, edges, true, b == 1 ? 2 : 3,
                     b == 1   ? 4
                     : b == 2 ? 5
                              : 6);
        const std::uint64_t triangles = 2 * (b * r + r * c + c * b);
        // Three sides a triangle, the hexagon's own 2 (a + b + c) sides counted once.
        expect_shape(sizes("hexagon", {b, r, c}), triangles, (3 * triangles - 2 * (b + r + c)) / 2, true, 2,
                     3);
      }
    }
  }
  for (std::uint64_t n = 2; n <= 8; ++n) {
    expect_shape(sizes("aztec", {n}), 2 * n * (n + 1), 4 * n * n, true, 2, 4);
  }
}

TEST(Lattice, SmallestSizes) {
  expect_shape("square:1x1", 1, 0, true, 0, 0);
  expect_shape("square:1x2", 2, 1, true, 1, 1);
  expect_shape("cylinder:1x3", 3, 3, false, 2, 2);
  expect_shape("honeycomb:1x1", 6, 6, true, 2, 2);
  expect_shape("hexagon:1x1x1", 6, 6, true, 2, 2);
  expect_shape("aztec:1", 4, 4, true, 2, 2);
  expect_shape("honeycomb-torus:2x2", 8, 12, true, 3, 3);
  expect_shape("triangular:2x2", 4, 5, false, 2, 3);
  expect_shape("cubic:1x1x1", 1, 0, true, 0, 0);
  expect_shape("cubic:2x2x2", 8, 12, true, 3, 3);
}

TEST(Lattice, LeadingWordIsOptional) {
  EXPECT_EQ(lattice_graph("lattice:square:3x4").edges, lattice_graph("square:3x4").edges);
  EXPECT_EQ(lattice_sites("lattice:square:3x4"), 12U);
}

// 2 x N: Fibonacci numbers.
TEST(Lattice, LadderCountsAreFibonacciNumbers) {
  mpz_class previous = 1;
  mpz_class current = 1;
  for (int n = 1; n <= 20; ++n) {
    EXPECT_EQ(count_of("square:2x" + std::to_string(n)), current) << n;
    const mpz_class next = previous + current;
    previous = current;
    current = next;
  }
}

// P. W. Kasteleyn, The statistics of dimers on a lattice, Physica 27 (1961); the 8 x 8 board: M. E. Fisher,
// Phys. Rev. 124 (1961).
TEST(Lattice, BoardsOfKnownCount) {
  EXPECT_EQ(count_of("square:4x4"), 36);
  EXPECT_EQ(count_of("square:6x6"), 6728);
  EXPECT_EQ(count_of("square:8x8"), 12988816);
  EXPECT_EQ(count_of("square:3x3"), 0);
}

// Kasteleyn's torus of 4 x 4: 272 dimer coverings.
TEST(Lattice, TorusAndCylinder) {
  EXPECT_EQ(count_of("torus:4x4"), 272);
  // A cycle has two perfect matchings, an odd one none.
  EXPECT_EQ(count_of("cylinder:1x6"), 2);
  EXPECT_EQ(count_of("cylinder:1x5"), 0);
  // A prism over a cycle of 4 is the cube: 9.
  EXPECT_EQ(count_of("cylinder:2x4"), 9);
  EXPECT_EQ(count_of("cubic:2x2x2"), 9);
  // Each a misses one b: K(4,4) less a perfect matching, so the derangements of 4.
  EXPECT_EQ(count_of("honeycomb-torus:2x2"), 9);
  // Prism over a triangle: all rungs, or one rung and the two edges opposite to it.
  EXPECT_EQ(count_of("cylinder:2x3"), 4);
}

// N. Elkies, G. Kuperberg, M. Larsen, J. Propp, J. Algebraic Combin. 1 (1992): 2^(N (N + 1) / 2).
TEST(Lattice, AztecDiamonds) {
  for (int n = 1; n <= 5; ++n)
    EXPECT_EQ(count_of("aztec:" + std::to_string(n)), mpz_class(1) << (n * (n + 1) / 2)) << n;
}

// P. A. MacMahon, Combinatory Analysis, 1916: prod (i + j + k - 1) / (i + j + k - 2).
TEST(Lattice, HexagonsHaveMacMahonsCounts) {
  for (int a = 1; a <= 3; ++a) {
    for (int b = 1; b <= 3; ++b) {
      for (int c = 1; c <= 3; ++c) {
        mpq_class product = 1;
        for (int i = 1; i <= a; ++i) {
          for (int j = 1; j <= b; ++j) {
            for (int k = 1; k <= c; ++k) product *= mpq_class(i + j + k - 1, i + j + k - 2);
          }
        }
        const std::string spec = sizes("hexagon", {std::uint64_t(a), std::uint64_t(b), std::uint64_t(c)});
        EXPECT_EQ(count_of(spec), product) << spec;
      }
    }
  }
  EXPECT_EQ(count_of("hexagon:2x2x2"), 20);
}

// M. Gordon, W. H. T. Davison, J. Chem. Phys. 20 (1952): an R x C parallelogram has binomial(R + C, R) Kekule
// structures.
TEST(Lattice, HoneycombParallelogramsHaveBinomialCounts) {
  for (unsigned long r = 1; r <= 4; ++r) {
    for (unsigned long c = 1; c <= 4; ++c) {
      mpz_class binomial;
      mpz_bin_uiui(binomial.get_mpz_t(), r + c, r);
      EXPECT_EQ(count_of(sizes("honeycomb", {r, c})), binomial) << r << " x " << c;
    }
  }
}

// Every lozenge tiling of a hexagon has ab, ca and bc lozenges across, left and up.
TEST(Lattice, WeightsGoByDirection) {
  for (const auto& [a, b, c] : {std::array{1, 2, 3}, std::array{2, 1, 3}, std::array{2, 3, 1}}) {
    const std::string spec = sizes("hexagon", {std::uint64_t(a), std::uint64_t(b), std::uint64_t(c)});
    mpq_class expected = count_of(spec);
    for (int i = 0; i < a * b; ++i) expected *= 2;
    for (int i = 0; i < c * a; ++i) expected *= mpq_class(1, 3);
    for (int i = 0; i < b * c; ++i) expected *= 5;
    const Graph graph = lattice_graph(spec + ":weights=2,1/3,5");
    EXPECT_EQ(graph.weight_kind, WeightKind::rational);
    EXPECT_EQ(count_matchings(graph), expected) << spec;
  }
  // 2 x 2: two horizontal or two vertical edges. 2 x 3: three vertical, or one vertical and two horizontal,
  // twice.
  EXPECT_EQ(count_of("square:2x2:weights=3,7"), 9 + 49);
  EXPECT_EQ(count_of("square:2x3:weights=3,7"), 343 + 2 * 7 * 9);
  EXPECT_EQ(count_of("square:3x2:weights=3,7"), 27 + 2 * 3 * 49);
  // The cube: 3 matchings of four parallel edges, 6 of two pairs of two directions.
  EXPECT_EQ(count_of("cubic:2x2x2:weights=2,3,5"), 16 + 81 + 625 + 2 * (4 * 9 + 9 * 25 + 25 * 4));
  // 2 x 2 and the diagonal r0c0 - r1c1, whose end points leave r0c1 and r1c0 without a common edge.
  EXPECT_EQ(count_of("triangular:2x2:weights=2,3,100"), 13);
  EXPECT_EQ(lattice_graph("square:2x2:weights=0.5,2").weight_kind, WeightKind::real);
  EXPECT_EQ(lattice_graph("square:2x2:weights=(1,2),2").weight_kind, WeightKind::complex);
  EXPECT_EQ(lattice_graph("square:2x2:weights=1,1").weight_kind, WeightKind::integer);
}

TEST(Lattice, FirstLabelsAreAsDocumented) {
  const std::map<std::string, std::string> first{{"square:2x3", "r0c0"},
                                                 {"honeycomb:2x3", "r0c0b"},
                                                 {"honeycomb-torus:2x3", "r0c0a"},
                                                 {"cubic:2x3x4", "x0y0z0"},
                                                 {"aztec:3", "r0c2"},
                                                 {"hexagon:1x2x3", "r0c2b"},
                                                 {"triangular:2x3", "r0c0"},
                                                 {"triangular-torus:3x4", "r0c0"}};
  for (const auto& [spec, label] : first) EXPECT_EQ(lattice_graph(spec).left_labels.label(0), label) << spec;
}

TEST(Lattice, WeightZeroLeavesEdgesOut) {
  EXPECT_EQ(lattice_graph("square:4x5:weights=0,1").edges.size(), 15U);
  EXPECT_EQ(lattice_graph("square:4x5:weights=1,0").edges.size(), 16U);
  EXPECT_EQ(count_of("square:4x5:weights=0,1"), 1);
}

TEST(Lattice, DirectionsAreAsNamed) {
  const Graph graph = lattice_graph("triangular:2x2:weights=1,2,3");
  const auto& values = std::get<std::vector<std::int64_t>>(graph.values);
  std::map<std::string, std::int64_t> by_ends;
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    by_ends[graph.left_labels.label(graph.edges[e].from) + " " + graph.left_labels.label(graph.edges[e].to)] =
        values[e];
  }
  const std::map<std::string, std::int64_t> expected{
      {"r0c0 r0c1", 1}, {"r0c0 r1c0", 2}, {"r0c0 r1c1", 3}, {"r0c1 r1c1", 2}, {"r1c0 r1c1", 1}};
  EXPECT_EQ(by_ends, expected);
}

TEST(Lattice, RemovedVertices) {
  const Graph graph = lattice_graph("square:8x8:remove=r0c0+r7c7");
  EXPECT_EQ(graph.left_labels.size(), 62U);
  EXPECT_EQ(graph.edges.size(), 112U - 4U);
  EXPECT_EQ(graph.left_labels.label(0), "r0c1");
  EXPECT_EQ(count_of("square:4x4:remove=r0c0+r3c3"), 0);
  // Gomory: remove one of each colour and a tiling is left. 2 x 3 less a corner of each colour.
  EXPECT_EQ(count_of("square:2x3:remove=r0c0+r1c0"), 2);
  EXPECT_EQ(count_of("honeycomb:1x1:remove=r0c0b+r0c1a"), 1);
  EXPECT_EQ(count_of("aztec:1:remove=r0c0+r0c1:weights=3,5"), 3);
  EXPECT_EQ(lattice_graph("cubic:1x1x2:remove=x0y0z1").left_labels.label(0), "x0y0z0");
  EXPECT_EQ(lattice_graph("square:1x1:remove=r0c0").left_labels.size(), 0U);
}

TEST(Lattice, MistakesListWhatThereIs) {
  const std::vector<std::string> specs{"",
                                       "lattice:",
                                       "lattice:sqare:3x3",
                                       "square",
                                       "square:",
                                       "square:3",
                                       "square:3x",
                                       "square:x3",
                                       "square:3x3x3",
                                       "square:0x3",
                                       "square:-1x3",
                                       "square:3x+3",
                                       "square:3.5x3",
                                       "square:3X3",
                                       "square: 3x3",
                                       "cylinder:3x2",
                                       "torus:2x3",
                                       "torus:3x2",
                                       "honeycomb-torus:1x2",
                                       "triangular-torus:2x3",
                                       "cubic:3x3",
                                       "aztec:0",
                                       "aztec:2x2",
                                       "hexagon:1x1",
                                       "hexagon:0x1x1",
                                       "square:3x3:",
                                       "square:3x3:foo=1",
                                       "square:3x3:weights",
                                       "square:3x3:weights=",
                                       "square:3x3:weights=1",
                                       "square:3x3:weights=1,2,3",
                                       "square:3x3:weights=1,x+y",
                                       "square:3x3:weights=nan,1",
                                       "square:3x3:weights=1,1/0",
                                       "square:3x3:weights=1,2:weights=1,2",
                                       "square:3x3:remove=",
                                       "square:3x3:remove=r0c3",
                                       "square:3x3:remove=r00c1",
                                       "square:3x3:remove=r0c0+r0c0",
                                       "square:3x3:remove=r0c0+",
                                       "square:3x3:remove=r0c0a",
                                       "square:3x3:remove=c0r0",
                                       "square:3x3:remove=r0c0:remove=r1c1",
                                       "honeycomb:1x1:remove=r0c0a",
                                       "honeycomb:1x1:remove=r0c0",
                                       "aztec:2:remove=r0c0",
                                       "square:3x3:remove=r0c99999999999999999999",
                                       "lattice:lattice:square:3x3"};
  for (const std::string& spec : specs) {
    try {
      lattice_graph(spec);
      ADD_FAILURE() << "\"" << spec << "\" was accepted";
    } catch (const UsageError& error) {
      const std::string said = error.what();
      EXPECT_TRUE(said.starts_with("lattice \"" + spec + "\": ")) << said;
      EXPECT_EQ(said.find('\n'), std::string::npos) << said;
      // All shapes are named where the name is like none of them, and only there.
      const bool no_shape =
          said.find(": no shape \"") != std::string::npos && said.find("did you mean") == std::string::npos;
      EXPECT_EQ(said.find("honeycomb-torus") != std::string::npos,
                no_shape || spec.starts_with("honeycomb-torus"))
          << said;
    }
  }
}

TEST(Lattice, MistakesAreAnsweredShortly) {
  const auto said = [](const std::string& spec) -> std::string {
    try {
      lattice_graph(spec);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(said("lattice:kagmoe:3x3"),
            "lattice \"lattice:kagmoe:3x3\": no shape \"kagmoe\"; did you mean \"kagome\"? 'countpm lattice' "
            "lists the "
            "shapes");
  EXPECT_EQ(said("square:8x8:remove=r8c8"),
            "lattice \"square:8x8:remove=r8c8\": remove: no vertex \"r8c8\" (labels are like r0c0); the form "
            "is square:RxC ('countpm help lattice' describes it)");
  EXPECT_EQ(said("square:8x8:weight=1,2"),
            "lattice \"square:8x8:weight=1,2\": no parameter \"weight=1,2\", only weights= and remove=; the "
            "form is square:RxC ('countpm help lattice' describes it)");
}

TEST(Lattice, TooManyVerticesAreRefused) {
  for (const std::string spec :
       {"square:65536x65536", "square:2147483648x1", "square:99999999999999999999x1",
        "square:18446744073709551615x2", "cubic:1291x1291x1291", "cubic:2147483647x2147483647x2147483647",
        "aztec:4294967295", "hexagon:2000000000x2000000000x1", "honeycomb:2147483647x2147483647",
        "torus:4294967296x4294967296"}) {
    try {
      lattice_graph(spec);
      ADD_FAILURE() << "\"" << spec << "\" was accepted";
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("2^31"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace countpm
