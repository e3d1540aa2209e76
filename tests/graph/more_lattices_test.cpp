// Brick walls, prisms, diamond lattices, grids of any dimension and Kneser graphs: by their definitions, by
// counts that were published or have a formula, and beside the shapes that they are in other words.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "graph/lattices/lattice.hpp"
#include "graph/lattices/lattice_geometry.hpp"
#include "graph/lattices/subset_words.hpp"
#include "tests/graph/frontier_count.hpp"

namespace countpm::more_lattices_test {
namespace {

mpq_class count_of(const std::string& spec) {
  return count_matchings(lattice_graph(spec));
}

using NamedEdges = std::set<std::pair<std::string, std::string>>;

NamedEdges edges_of(const std::string& spec) {
  const Graph graph = lattice_graph(spec);
  NamedEdges edges;
  for (const Edge& edge : graph.edges) {
    const std::string a = graph.left_labels.label(edge.from);
    const std::string b = graph.left_labels.label(edge.to);
    EXPECT_TRUE(edges.insert(std::minmax(a, b)).second) << spec << ": " << a << ' ' << b << " twice";
  }
  return edges;
}

std::vector<int> degrees_of(const Graph& graph) {
  std::vector<int> degree(graph.left_labels.size(), 0);
  for (const Edge& edge : graph.edges) ++degree[edge.from], ++degree[edge.to];
  return degree;
}

std::string times(const std::vector<int>& sizes) {
  std::string text;
  for (const int size : sizes) text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

TEST(Brickwork, IsTheSquareLatticeWithoutEveryOtherEdgeDown) {
  EXPECT_EQ(edges_of("brickwork:2x3"), (NamedEdges{{"r0c0", "r0c1"},
                                                   {"r0c1", "r0c2"},
                                                   {"r1c0", "r1c1"},
                                                   {"r1c1", "r1c2"},
                                                   {"r0c0", "r1c0"},
                                                   {"r0c2", "r1c2"}}));
  // One brick, a hexagon; K bricks in a row are a linear acene: K + 1 Kekule structures.
  for (int k = 1; k <= 6; ++k) EXPECT_EQ(count_of("brickwork:2x" + std::to_string(2 * k + 1)), k + 1);
  EXPECT_EQ(count_of("brickwork:2x3:weights=2,3,5"), 2 * (2 * 3 * 5));
}

// The parallelogram of R x C hexagons as a brick wall: a row of it is a zigzag line, 2 (C + 1) vertices long,
// that begins one further to the right in each row below.
TEST(Brickwork, HoldsParallelogramsOfHexagons) {
  for (int rows = 1; rows <= 3; ++rows) {
    for (int columns = 1; columns <= 3; ++columns) {
      const int width = 2 * columns + 1 + rows + (rows + columns) % 2;
      std::string removed;
      int left = 0;
      for (int r = 0; r <= rows; ++r) {
        // The line's first edge down is at an even r + c of row 0, and the first line lacks its first
        // vertex's left.
        const int first = r == 0 ? 0 : r - 1;
        const int last = r == rows ? r + 2 * columns - 1 : r + 2 * columns;
        for (int c = 0; c < width; ++c) {
          if (c >= first && c <= last) {
            ++left;
          } else {
            removed += (removed.empty() ? "" : "+") + ("r" + std::to_string(r) + "c" + std::to_string(c));
          }
        }
      }
      std::string spec = "brickwork:" + times({rows + 1, width});
      if (!removed.empty()) spec += ":remove=" + removed;
      const std::string hexagons = "honeycomb:" + times({rows, columns});
      ASSERT_EQ(left, static_cast<int>(lattice_graph(hexagons).left_labels.size())) << spec;
      EXPECT_EQ(lattice_graph(spec).edges.size(), lattice_graph(hexagons).edges.size()) << spec;
      EXPECT_EQ(count_of(spec), count_of(hexagons)) << spec;
    }
  }
}

TEST(Brickwork, OnATorusIsAHoneycombTorus) {
  for (const char* const size : {"2x4", "4x4", "4x6", "6x4"}) {
    const Graph graph = lattice_graph("brickwork-torus:" + std::string(size));
    const std::vector<int> degree = degrees_of(graph);
    EXPECT_EQ(std::count(degree.begin(), degree.end(), 3), std::ssize(degree)) << size;
    EXPECT_EQ(edges_of("brickwork-torus:" + std::string(size)).size(), graph.edges.size());
  }
  EXPECT_EQ(count_of("brickwork-torus:2x4"), 9);  // the cube
  EXPECT_EQ(count_of("brickwork-torus:2x6"), count_of("prism:6"));
}

// From the labels, with the directions.
TEST(Brickwork, HasTheEdgesOfItsDefinition) {
  for (const bool closed : {false, true}) {
    const int rows = closed ? 4 : 3;
    const int columns = closed ? 6 : 5;
    const auto label = [](int r, int c) { return "r" + std::to_string(r) + "c" + std::to_string(c); };
    std::map<std::pair<std::string, std::string>, int> expected;
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c) {
        const bool even = (r + c) % 2 == 0;
        if (closed || c + 1 < columns)
          expected[std::minmax(label(r, c), label(r, (c + 1) % columns))] = even ? 0 : 1;
        if (even && (closed || r + 1 < rows))
          expected[std::minmax(label(r, c), label((r + 1) % rows, c))] = 2;
      }
    }
    std::vector<std::uint8_t> direction;
    const Graph graph =
        lattice_graph((closed ? "brickwork-torus:" : "brickwork:") + times({rows, columns}), &direction);
    std::map<std::pair<std::string, std::string>, int> found;
    for (std::size_t e = 0; e < graph.edges.size(); ++e)
      found[std::minmax(graph.left_labels.label(graph.edges[e].from),
                        graph.left_labels.label(graph.edges[e].to))] = direction[e];
    EXPECT_EQ(found, expected);
    EXPECT_EQ(graph.edges.size(), expected.size());
  }
}

// L(N) + 1 + (-1)^N with Lucas numbers L: all rungs, or what is left between two rungs is even (OEIS
// A068397).
TEST(Prism, LucasNumbers) {
  mpz_class before = 1;  // L(1)
  mpz_class lucas = 3;   // L(2)
  for (int n = 3; n <= 16; ++n) {
    const mpz_class next = before + lucas;
    before = lucas;
    lucas = next;
    const std::string spec = "prism:" + std::to_string(n);
    EXPECT_EQ(count_of(spec), lucas + (n % 2 == 0 ? 2 : 0)) << spec;
    EXPECT_EQ(edges_of(spec), edges_of("cylinder:2x" + std::to_string(n)));
  }
  EXPECT_EQ(count_of("prism:4:weights=2,3"), count_of("cylinder:2x4:weights=2,3"));
}

TEST(CubicTorus, IsTheGridOfThreeDimensions) {
  const Graph graph = lattice_graph("cubic-torus:3x4x5");
  const std::vector<int> degree = degrees_of(graph);
  EXPECT_EQ(std::count(degree.begin(), degree.end(), 6), 60);
  EXPECT_EQ(graph.edges.size(), 180U);
  // Under other labels.
  std::vector<std::uint8_t> direction;
  std::vector<std::uint8_t> other;
  const Graph grid = lattice_graph("hypercubic-torus:3x4x5", &other);
  EXPECT_EQ(lattice_graph("cubic-torus:3x4x5", &direction).edges, grid.edges);
  EXPECT_EQ(direction, other);
  EXPECT_EQ(graph.left_labels.label(59), "x2y3z4");
  EXPECT_EQ(grid.left_labels.label(59), "a2b3c4");
  // One direction alone: 2 for each cycle of 4.
  EXPECT_EQ(count_of("cubic-torus:4x3x3:weights=1,0,0"), 512);
}

// By geometry: a at the points of the face-centred cubic lattice, b at (1, 1, 1) from them, bonds of length
// sqrt(3), in quarters of the cubic cell.
NamedEdges diamond_bonds(const std::array<int, 3>& size, bool closed) {
  using Place = std::array<int, 3>;
  const std::array<Place, 3> period{Place{0, 2 * size[0], 2 * size[0]}, Place{2 * size[1], 0, 2 * size[1]},
                                    Place{2 * size[2], 2 * size[2], 0}};
  std::vector<std::pair<std::string, Place>> sites[2];
  for (int x = 0; x < size[0]; ++x) {
    for (int y = 0; y < size[1]; ++y) {
      for (int z = 0; z < size[2]; ++z) {
        for (const int b : {0, 1}) {
          const std::string label =
              "x" + std::to_string(x) + "y" + std::to_string(y) + "z" + std::to_string(z);
          sites[b].push_back(
              {label + (b == 0 ? "a" : "b"), {2 * (y + z) + b, 2 * (x + z) + b, 2 * (x + y) + b}});
        }
      }
    }
  }
  NamedEdges bonds;
  for (const auto& [a, at] : sites[0]) {
    for (const auto& [b, other] : sites[1]) {
      for (int images = 0; images < (closed ? 27 : 1); ++images) {
        const std::array<int, 3> shift =
            closed ? std::array{images % 3 - 1, images / 3 % 3 - 1, images / 9 - 1} : std::array{0, 0, 0};
        int square = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          int step = other[axis] - at[axis];
          for (std::size_t p = 0; p < 3; ++p) step += shift[p] * period[p][axis];
          square += step * step;
        }
        if (square != 3) continue;
        EXPECT_TRUE(bonds.insert(std::minmax(a, b)).second) << a << ' ' << b;
      }
    }
  }
  return bonds;
}

TEST(Diamond, HasTheBondsOfTheCrystal) {
  for (const std::array<int, 3>& size :
       {std::array{1, 1, 1}, std::array{2, 2, 2}, std::array{3, 2, 4}, std::array{3, 3, 3}}) {
    const std::string sizes = times({size[0], size[1], size[2]});
    EXPECT_EQ(edges_of("diamond:" + sizes), diamond_bonds(size, false)) << sizes;
    if (size[0] == 1) continue;
    EXPECT_EQ(edges_of("diamond-torus:" + sizes), diamond_bonds(size, true)) << sizes;
  }
}

// An open lattice has one perfect matching, since its first a has one neighbour, and so on. Without the first
// a and the last b a matching is a path from one to the other: a multinomial coefficient, as Gordon and
// Davison have it for parallelograms of hexagons.
TEST(Diamond, OpenOnesAreFrozenOrPaths) {
  EXPECT_EQ(count_of("diamond:3x3x2"), 1);
  EXPECT_EQ(count_of("diamond:2x2x2:remove=x0y0z0a+x1y1z1b"), 6);
  EXPECT_EQ(count_of("diamond:3x2x2:remove=x0y0z0a+x2y1z1b"), 12);
  EXPECT_EQ(count_of("diamond:3x3x2:remove=x0y0z0a+x2y2z1b"), 30);
  // A path takes each direction as often as its cells differ, the others stay at home.
  EXPECT_EQ(count_of("diamond:2x2x2:remove=x0y0z0a+x1y1z1b:weights=2,3,5,7"), 6 * 16 * 3 * 5 * 7);
  // One layer is a honeycomb.
  EXPECT_EQ(count_of("diamond-torus:2x2x2:weights=1,1,1,0"), 81);
}

TEST(Hypercubic, IsWhatOtherShapesAreInFewDimensions) {
  EXPECT_EQ(count_of("hypercubic:6"), 1);
  EXPECT_EQ(count_of("hypercubic:4x4"), 36);
  EXPECT_EQ(count_of("hypercubic:3x4:weights=2,3"), count_of("square:3x4:weights=3,2"));
  EXPECT_EQ(count_of("hypercubic:2x3x4:weights=2,3,5"), count_of("cubic:2x3x4:weights=2,3,5"));
  EXPECT_EQ(count_of("hypercubic-torus:4x4"), 272);
  EXPECT_EQ(count_of("hypercubic-torus:4x3:weights=2,3"), count_of("torus:4x3:weights=3,2"));
  // The cube of four dimensions: OEIS A005271.
  EXPECT_EQ(count_of("hypercubic:2x2x2x2"), 272);
  EXPECT_EQ(count_of("hypercubic:2x1x2x2x1x2"), 272);
  EXPECT_EQ(count_of("hypercubic:2x2x2x2:weights=2,3,5,7"), count_of("hypercube:4:weights=2,3,5,7"));
  EXPECT_EQ(lattice_info("hypercubic:2x3x4x5").size, (std::vector<std::uint64_t>{2, 3, 4, 5}));
  EXPECT_EQ(lattice_info("hypercubic:2x3x4x5").directions, 4U);
}

// From the labels: two vertices are joined if one coordinate differs, by one.
TEST(Hypercubic, HasTheEdgesOfItsDefinition) {
  const std::vector<int> sizes{2, 3, 1, 4, 3};
  for (const bool closed : {false, true}) {
    const std::vector<int> used = closed ? std::vector{3, 4, 3, 5} : sizes;
    const std::string spec = (closed ? "hypercubic-torus:" : "hypercubic:") + times(used);
    const Graph graph = lattice_graph(spec);
    std::vector<std::vector<int>> places{{}};
    for (const int size : used) {
      std::vector<std::vector<int>> longer;
      for (const std::vector<int>& place : places) {
        for (int k = 0; k < size; ++k) {
          longer.push_back(place);
          longer.back().push_back(k);
        }
      }
      places = longer;
    }
    const auto label = [](const std::vector<int>& place) {
      std::string text;
      for (std::size_t k = 0; k < place.size(); ++k)
        text += static_cast<char>('a' + k) + std::to_string(place[k]);
      return text;
    };
    NamedEdges expected;
    ASSERT_EQ(graph.left_labels.size(), places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      EXPECT_EQ(graph.left_labels.label(static_cast<Index>(i)), label(places[i]));
      for (std::size_t j = 0; j < i; ++j) {
        int differ = 0;
        bool near = true;
        for (std::size_t k = 0; k < used.size(); ++k) {
          const int apart = std::abs(places[i][k] - places[j][k]);
          differ += apart != 0 ? 1 : 0;
          near = near && (apart <= 1 || (closed && apart == used[k] - 1));
        }
        if (differ == 1 && near) expected.insert(std::minmax(label(places[i]), label(places[j])));
      }
    }
    EXPECT_EQ(edges_of(spec), expected) << spec;
  }
}

TEST(Kneser, HasTheEdgesOfItsDefinition) {
  for (int n = 2; n <= 9; ++n) {
    for (int k = 1; k <= n / 2; ++k) {
      std::vector<std::string> words;
      for (unsigned word = 0; word < 1U << n; ++word) {
        if (std::popcount(word) != k) continue;
        std::string text;
        for (int place = n; place-- > 0;) text += (word >> place & 1U) != 0 ? '1' : '0';
        words.push_back(text);
      }
      const std::string spec = "kneser:" + std::to_string(n) + ":" + std::to_string(k);
      const Graph graph = lattice_graph(spec);
      ASSERT_EQ(graph.left_labels.size(), words.size());
      NamedEdges expected;
      for (std::size_t i = 0; i < words.size(); ++i) {
        EXPECT_EQ(graph.left_labels.label(static_cast<Index>(i)), words[i]);
        for (std::size_t j = 0; j < i; ++j) {
          bool disjoint = true;
          for (std::size_t p = 0; p < words[i].size(); ++p)
            disjoint = disjoint && (words[i][p] == '0' || words[j][p] == '0');
          if (disjoint) expected.insert(std::minmax(words[i], words[j]));
        }
      }
      EXPECT_EQ(edges_of(spec), expected) << spec;
    }
  }
}

TEST(Kneser, KnownCounts) {
  EXPECT_EQ(count_of("kneser:5:2"), 6);    // the Petersen graph
  EXPECT_EQ(count_of("kneser:8:1"), 105);  // complete
  EXPECT_EQ(count_of("kneser:6:3"), 1);    // complements
  EXPECT_EQ(count_of("kneser:6:2"), 0);    // fifteen vertices
  EXPECT_EQ(count_of("kneser:5:2:weights=1/2"), mpq_class(3, 16));
  // Each edge of the Petersen graph is in two of its six perfect matchings.
  EXPECT_EQ(count_of("kneser:5:2:remove=00011+01100"), 2);
}

TEST(SubsetWords, CountInAscendingOrder) {
  for (std::size_t ones = 1; ones <= 6; ++ones) {
    std::uint64_t word = (std::uint64_t{1} << ones) - 1;
    for (std::uint64_t number = 0; number < std::min<std::uint64_t>(200, binomial(62, ones));
         ++number, word = next_word(word)) {
      ASSERT_EQ(number_of_word(word), number);
      ASSERT_EQ(word_of_number(number, ones), word);
      ASSERT_EQ(static_cast<std::size_t>(std::popcount(word)), ones);
    }
  }
  EXPECT_EQ(binomial(62, 31), 465428353255261088U);
  EXPECT_EQ(number_of_word(~(~std::uint64_t{0} << 31) << 31), binomial(62, 31) - 1);
  EXPECT_EQ(word_of_number(binomial(62, 31) - 1, 31), ~(~std::uint64_t{0} << 31) << 31);
}

TEST(MoreLattices, FirstLabelsAreAsDocumented) {
  const std::map<std::string, std::string> first{
      {"brickwork:2x3", "r0c0"},    {"brickwork-torus:2x4", "r0c0"},
      {"prism:5", "r0c0"},          {"cubic-torus:3x3x3", "x0y0z0"},
      {"diamond:1x2x3", "x0y0z0a"}, {"diamond-torus:2x2x3", "x0y0z0a"},
      {"hypercubic:2x3", "a0b0"},   {"hypercubic-torus:3x3x3", "a0b0c0"},
      {"kneser:5:2", "00011"}};
  for (const auto& [spec, label] : first) EXPECT_EQ(lattice_graph(spec).left_labels.label(0), label) << spec;
}

TEST(MoreLattices, Mistakes) {
  for (const std::string spec : {"brickwork:3",
                                 "brickwork-torus:3x4",
                                 "brickwork-torus:4x5",
                                 "brickwork-torus:2x2",
                                 "brickwork:2x2:weights=1,2",
                                 "prism:2",
                                 "prism:3x2",
                                 "prism:4:weights=1",
                                 "cubic-torus:2x3x3",
                                 "diamond:2x2",
                                 "diamond-torus:1x2x2",
                                 "diamond:2x2x2:remove=x0y0z0",
                                 "hypercubic",
                                 "hypercubic:",
                                 "hypercubic:2x",
                                 "hypercubic:2x0x2",
                                 "hypercubic:2x2x2:weights=1,2",
                                 "hypercubic:2x2:remove=a0",
                                 "hypercubic:2x2:remove=a0b2",
                                 "hypercubic:2x2:remove=a0b00",
                                 "hypercubic:2x2:remove=b0a0",
                                 "hypercubic:2x2:remove=a0b0c0",
                                 "hypercubic:2x2:remove=a-1b0",
                                 "hypercubic-torus:3x2",
                                 "kneser:5",
                                 "kneser:5:",
                                 "kneser:5:0",
                                 "kneser:5:3",
                                 "kneser:5:2x",
                                 "kneser:5:weights=1",
                                 "kneser:1:1",
                                 "kneser:63:1",
                                 "kneser:5:2:weights=1,2",
                                 "kneser:5:2:remove=00111",
                                 "kneser:5:2:remove=000011",
                                 "kneser:5:2:remove=11"})
    EXPECT_THROW(lattice_graph(spec), UsageError) << spec;
  EXPECT_THROW(lattice_graph("kneser:5:2:remove=" + std::string(64, '1')), UsageError);
  std::string dimensions = "hypercubic:1";
  for (int k = 1; k < 26; ++k) dimensions += "x1";
  EXPECT_EQ(lattice_graph(dimensions).left_labels.size(), 1U);
  EXPECT_THROW(lattice_graph(dimensions + "x1"), UsageError);
}

TEST(MoreLattices, TooManyVerticesOrEdgesAreRefused) {
  for (const std::string spec :
       {"brickwork:65536x65536", "brickwork-torus:4294967296x4", "prism:2147483647", "prism:1073741824",
        "cubic-torus:1291x1291x1291", "diamond:1024x1024x1024", "diamond-torus:2147483647x2147483647x2",
        "hypercubic:65536x32768", "hypercubic:2147483647x2147483647x2147483647x2147483647",
        "hypercubic:18446744073709551615x2", "hypercubic-torus:32768x32768", "kneser:62:31", "kneser:40:20",
        "kneser:33:7", "kneser:20:10000000000", "kneser:99999999999:2"}) {
    try {
      lattice_graph(spec);
      ADD_FAILURE() << "\"" << spec << "\" was accepted";
    } catch (const UsageError& error) {
      const std::string said = error.what();
      EXPECT_TRUE(said.find("2^31") != std::string::npos || spec == "kneser:20:10000000000") << said;
    }
  }
}

TEST(MoreLattices, DirectionsAreThoseOfWeights) {
  for (const char* const spec :
       {"brickwork:3x5", "brickwork-torus:4x4", "prism:5", "cubic-torus:3x3x4", "diamond:2x2x3",
        "diamond-torus:2x3x2", "hypercubic:2x3x2x2", "hypercubic-torus:3x3x3", "kneser:6:2"}) {
    std::vector<std::uint8_t> direction;
    const Graph graph = lattice_graph(spec, &direction);
    ASSERT_EQ(direction.size(), graph.edges.size()) << spec;
    const std::size_t directions = lattice_info(spec).directions;
    std::string weights = ":weights=";
    for (std::size_t d = 0; d < directions; ++d) weights += (d == 0 ? "" : ",") + std::to_string(10 + d);
    const Graph weighted = lattice_graph(spec + weights);
    const auto& values = std::get<std::vector<std::int64_t>>(weighted.values);
    ASSERT_EQ(values.size(), direction.size());
    for (std::size_t e = 0; e < values.size(); ++e) ASSERT_EQ(values[e], 10 + direction[e]) << spec;
    // Each direction has edges.
    EXPECT_EQ(std::set(direction.begin(), direction.end()).size(), directions) << spec;
  }
}

TEST(MoreLattices, NoTwoVerticesAreDrawnInOnePlace) {
  for (const char* const spec :
       {"brickwork:3x4", "prism:7", "cubic-torus:3x3x4", "diamond:3x3x3", "diamond-torus:2x3x4",
        "hypercubic:3x3x2x2", "hypercubic-torus:3x4", "kneser:6:2"}) {
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
  EXPECT_EQ(lattice_position(lattice_info("hypercubic:2x2"), "q"), std::nullopt);
  EXPECT_EQ(lattice_position(lattice_info("kneser:5:2"), "q"), std::nullopt);
  // A prism's two rings have edges of length 1 around the inner one, and between them.
  const LatticeInfo prism = lattice_info("prism:6");
  const auto apart = [&](const char* a, const char* b) {
    const Point p = lattice_position(prism, a).value();
    const Point q = lattice_position(prism, b).value();
    return std::hypot(p.x - q.x, p.y - q.y);
  };
  EXPECT_NEAR(apart("r0c4", "r1c4"), 1, 1e-12);
  EXPECT_NEAR(apart("r1c5", "r1c0"), 1, 1e-12);
}

}  // namespace
}  // namespace countpm::more_lattices_test
