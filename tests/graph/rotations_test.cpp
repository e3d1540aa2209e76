// Graphs drawn on surfaces: faces and genus, files of rotations, what does not fit the graph.
#include "graph/rotations.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/graph.hpp"
#include "graph/validate.hpp"
#include "tests/graph/read_support.hpp"
#include "tests/graph/temporary_folder.hpp"

namespace countpm::rotations_test {
namespace {

using testing::read_text;
using testing::TemporaryFolder;

/// Lists of neighbours; a negative number -1 - w: w, along a twisted edge.
Rotations rotations_of(const std::vector<std::vector<int>>& lists) {
  Rotations result;
  for (const std::vector<int>& list : lists) {
    for (const int w : list) {
      result.neighbour.push_back(static_cast<Index>(w < 0 ? -1 - w : w));
      result.twisted.push_back(static_cast<std::uint8_t>(w < 0 ? 1 : 0));
    }
    result.start.push_back(result.neighbour.size());
  }
  return result;
}

/// Around vertex v of Z_n: v plus each of these.
Rotations cyclic(int n, const std::vector<int>& steps) {
  std::vector<std::vector<int>> lists;
  for (int v = 0; v < n; ++v) {
    lists.emplace_back();
    for (const int step : steps) lists.back().push_back((v + step) % n);
  }
  return rotations_of(lists);
}

void expect_surface(const Rotations& rotations, std::uint64_t faces, bool orientable, std::uint64_t genus) {
  EXPECT_TRUE(is_sound(rotations, rotations.vertices()));
  const RotationSurface surface = surface_of(rotations);
  EXPECT_EQ(surface.faces, faces);
  EXPECT_EQ(surface.orientable, orientable);
  EXPECT_EQ(surface.genus(), genus);
}

TEST(Rotations, Surfaces) {
  expect_surface(rotations_of({{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}), 4, true, 0);  // tetrahedron
  expect_surface(rotations_of({{}, {2}, {1}}), 2, true, 0);
  expect_surface(cyclic(7, {1, 3, 2, 6, 4, 5}), 14, true, 1);  // Heawood's seven countries
  expect_surface(cyclic(5, {1, 2, 4, 3}), 5, true, 1);
  expect_surface(rotations_of({{-2, 2}, {-1, 2}, {1, 0}}), 1, false, 1);
  // Two edges through the crosscap of a square.
  expect_surface(rotations_of({{1, -3, 3}, {2, -4, 0}, {3, -1, 1}, {0, -2, 2}}), 3, false, 1);
  // Twisted around a vertex: turned over it is plane.
  expect_surface(rotations_of({{-2, -3, -4}, {-1, 2, 3}, {-1, 3, 1}, {-1, 1, 2}}), 4, true, 0);
}

TEST(Rotations, Soundness) {
  const Rotations sound = rotations_of({{1, 2}, {0, 2}, {0, -2}});
  EXPECT_FALSE(is_sound(sound, 3));  // twisted at one end
  EXPECT_TRUE(is_sound(rotations_of({{1, 2}, {0, -3}, {0, -2}}), 3));
  EXPECT_FALSE(is_sound(rotations_of({{1, 2}, {0, 2}, {0, 1}}), 4));
  EXPECT_FALSE(is_sound(rotations_of({{1, 2}, {0}, {}}), 3));
  EXPECT_FALSE(is_sound(rotations_of({{1, 1}, {0, 0}}), 2));
  EXPECT_FALSE(is_sound(rotations_of({{0}}), 1));
  EXPECT_FALSE(is_sound(rotations_of({{3}}), 1));
}

/// Any file and any drawing of it; where the vertices are removed, theirs.
class RotationFiles : public ::testing::Test {
 protected:
  ReadResult read(const std::string& graph, const std::string& rotations, ReadOptions options = {}) const {
    options.embedding = folder_.write("graph.rotations", rotations);
    return read_text(graph, options);
  }
  std::string refusal(const std::string& graph, const std::string& rotations,
                      const ReadOptions& options = {}) const {
    try {
      read(graph, rotations, options);
    } catch (const InputError& error) {
      return fmt::format("{}: {}, found {}", error.line(), error.expected(), error.found());
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder_;
};

const std::string square = "a b\nb c\nc d\nd a\na c\nb d\n";

TEST_F(RotationFiles, ByLabels) {
  const ReadResult drawn = read(square, "# K4\na: b ~c d\nb c ~d a\n\nd: a ~b c  # the last\nc: d ~a b\n");
  ASSERT_NE(drawn.graph.rotations, nullptr);
  EXPECT_EQ(*drawn.graph.rotations, rotations_of({{1, -3, 3}, {2, -4, 0}, {3, -1, 1}, {0, -2, 2}}));
  ASSERT_TRUE(drawn.info.drawn_on);
  EXPECT_FALSE(drawn.info.drawn_on->orientable);
  EXPECT_EQ(drawn.info.drawn_on->genus, 1U);
  EXPECT_EQ(drawn.info.drawn_on->faces, 3U);
  // A label that ends in a colon comes first.
  EXPECT_EQ(read("a: b\n", "a: b\nb a:\n").graph.rotations->neighbour, (std::vector<Index>{1, 0}));
}

TEST_F(RotationFiles, OfBipartiteGraphs) {
  ReadOptions options;
  options.kind = GraphKind::bipartite;
  const std::string graph = "1 1\n1 2\n2 1\n2 2\n";
  const Rotations expected = rotations_of({{2, 3}, {2, 3}, {0, 1}, {0, 1}});
  EXPECT_EQ(*read(graph, "left:1 1 2\nleft:2 1 2\nright:1 1 2\nright:2 left:1 2\n", options).graph.rotations,
            expected);
  EXPECT_EQ(refusal(graph, "1 1 2\n", options), "1: left:1 or right:1, found a label of both sides");
}

TEST_F(RotationFiles, WithoutRemovedVertices) {
  ReadOptions options;
  options.remove = {"c"};
  const ReadResult drawn = read(square, "a: b ~c d\nb c ~d a\nd: a ~b c\nc: d ~a b\n", options);
  EXPECT_EQ(*drawn.graph.rotations, rotations_of({{1, 2}, {-3, 0}, {0, -2}}));
  EXPECT_EQ(drawn.info.drawn_on->faces, 3U);  // of the file
  validate(drawn.graph, "test");
}

TEST_F(RotationFiles, ThatDoNotFitTheGraph) {
  const std::string rest = "b: a c d\nc: a b d\nd: a b c\n";
  EXPECT_EQ(refusal(square, rest), "0: a line for every vertex that has edges, found none for 'a'");
  EXPECT_EQ(refusal(square, "a: b c\n" + rest), "1: all 3 neighbours of 'a', found 2 without 'd'");
  EXPECT_EQ(refusal(square, "a: b c d b\n" + rest), "1: each neighbour of 'a' once, found 'b' twice");
  EXPECT_EQ(refusal(square, "a: b c e\n" + rest), "1: neighbours of 'a' in test, found 'e'");
  EXPECT_EQ(refusal("a b\nc d\n", "a: c\n"), "1: neighbours of 'a' in test, found 'c'");
  EXPECT_EQ(refusal(square, rest + "b: a c d\n"), "4: each vertex once, found 'b', as in line 1");
  EXPECT_EQ(refusal(square, rest + "x: a\n"), "4: a vertex of test, then its neighbours, found 'x'");
  EXPECT_EQ(refusal(square, "a: b ~c d\n" + rest),
            "3: ~ before 'a', as line 1 has it before 'c', found none");
  ReadOptions directed;
  directed.kind = GraphKind::directed;
  EXPECT_NE(refusal("a b\nb a\n", "a: b\nb: a\n", directed).find("this graph is directed"),
            std::string::npos);
  ReadOptions monomers;
  monomers.monomers = "2";
  EXPECT_NE(refusal(square, "a: b c d\n" + rest, monomers).find("perfect matchings of the graph as it is"),
            std::string::npos);
}

TEST_F(RotationFiles, ThatAreNotThere) {
  ReadOptions options;
  options.embedding = folder_.path("none");
  EXPECT_THROW(read_text(square, options), InputError);
}

/// A planar_code of these lists, from 1.
std::string code_of(const Rotations& rotations) {
  std::string text = ">>planar_code<<";
  text += static_cast<char>(rotations.vertices());
  for (Index v = 0; v < rotations.vertices(); ++v) {
    for (std::uint64_t k = rotations.start[v]; k < rotations.start[v + std::size_t{1}]; ++k)
      text += static_cast<char>(rotations.neighbour[k] + 1);
    text += '\0';
  }
  return text;
}

TEST_F(RotationFiles, InPlanarCode) {
  const Rotations torus = cyclic(5, {1, 2, 4, 3});
  const std::string complete = "1 2\n1 3\n1 4\n1 5\n2 3\n2 4\n2 5\n3 4\n3 5\n4 5\n";
  EXPECT_EQ(*read(complete, code_of(torus)).graph.rotations, torus);
  EXPECT_EQ(refusal(complete + "5 6\n", code_of(torus)), "0: all 5 neighbours of '5', found 4 without '6'");
  EXPECT_EQ(refusal("1 2\n", code_of(torus)), "0: neighbours of '1' in test, found '3'");
  // The graph's own file says it, too; a plane graph needs no drawing.
  const ReadResult own = read_text(code_of(torus), testing::in_format(Format::planar_code));
  ASSERT_NE(own.graph.rotations, nullptr);
  EXPECT_EQ(*own.graph.rotations, torus);
  EXPECT_EQ(own.info.drawn_on->genus, 1U);
  const Rotations plane = rotations_of({{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}});
  EXPECT_EQ(read_text(code_of(plane), testing::in_format(Format::planar_code)).graph.rotations, nullptr);
  ReadOptions monomers = testing::in_format(Format::planar_code);
  monomers.monomers = "1";
  const ReadResult alone = read_text(code_of(torus), monomers);
  EXPECT_EQ(alone.graph.rotations, nullptr);
  EXPECT_FALSE(alone.info.drawn_on);
}

TEST(Rotations, OfGraphsInMemoryAreChecked) {
  Graph graph = read_text(square).graph;
  graph.rotations = std::make_shared<const Rotations>(cyclic(4, {1, 2, 3}));
  EXPECT_NO_THROW(validate(graph, "test"));
  graph.rotations = std::make_shared<const Rotations>(cyclic(4, {1, 3}));
  EXPECT_THROW(validate(graph, "test"), InputError);  // not all edges
  graph.rotations = std::make_shared<const Rotations>(cyclic(5, {1, 2, 3, 4}));
  EXPECT_THROW(validate(graph, "test"), InputError);
}

}  // namespace
}  // namespace countpm::rotations_test
