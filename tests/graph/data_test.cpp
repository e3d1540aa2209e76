// data/: every file parses, has the size and the count that its .expect claims, and says where the count
// comes from.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "graph/lattices/lattice.hpp"
#include "graph/read.hpp"
#include "test_paths.hpp"
#include "tests/graph/frontier_count.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

namespace fs = std::filesystem;

const fs::path data_folder = fs::path(COUNTPM_SOURCE_DIR) / "data";

std::vector<fs::path> inputs() {
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(data_folder)) {
    if (entry.path().extension() == ".edgelist") found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

// Key -> the rest of the line.
std::map<std::string, std::string> expectations(fs::path path) {
  std::ifstream file(path.replace_extension(".expect"));
  std::map<std::string, std::string> facts;
  for (std::string line; std::getline(file, line);) {
    const std::size_t blank = line.find(' ');
    EXPECT_NE(blank, std::string::npos) << path << ": " << line;
    EXPECT_TRUE(facts.emplace(line.substr(0, blank), line.substr(blank + 1)).second) << path << ": " << line;
  }
  return facts;
}

Graph read(const fs::path& path, const std::map<std::string, std::string>& facts) {
  ReadOptions options;
  if (facts.count("options") > 0) {
    EXPECT_EQ(facts.at("options"), "--kind directed") << path;
    options.kind = GraphKind::directed;
  }
  return read_graph(Source::from_argument(path.string()), options).graph;
}

Graph read(const std::string& name) {
  return read_graph(Source::from_argument((data_folder / name).string())).graph;
}

TEST(Data, EveryInputHasItsExpectations) {
  const std::set<std::string> keys{"count", "problem", "source",       "vertices",
                                   "edges", "options", "cycle-covers", "hall-violator"};
  const std::set<std::string> problems{"perfect matchings", "cycle covers",
                                       "perfect matchings of a general graph"};
  EXPECT_GE(inputs().size(), 30U);
  for (const fs::path& path : inputs()) {
    const auto facts = expectations(path);
    for (const auto& [key, value] : facts) EXPECT_EQ(keys.count(key), 1U) << path << ": " << key;
    for (const std::string key : {"count", "problem", "source", "vertices", "edges"})
      EXPECT_EQ(facts.count(key), 1U) << path << ": " << key;
    EXPECT_EQ(problems.count(facts.at("problem")), 1U) << path;
    EXPECT_GT(facts.at("source").size(), 10U) << path;
  }
}

TEST(Data, EveryInputParsesWithItsSizes) {
  for (const fs::path& path : inputs()) {
    const auto facts = expectations(path);
    const Graph graph = read(path, facts);
    EXPECT_EQ(std::to_string(graph.left_labels.size() + graph.right_labels.size()), facts.at("vertices"))
        << path;
    EXPECT_EQ(std::to_string(graph.edges.size()), facts.at("edges")) << path;
    EXPECT_EQ(graph.kind == GraphKind::directed, facts.at("problem") == "cycle covers") << path;
  }
}

TEST(Data, CountsAreAsExpected) {
  for (const fs::path& path : inputs()) {
    if (path.parent_path().filename() == "traps" && testing::multiplier() < 1) continue;  // most of the time
    const auto facts = expectations(path);
    EXPECT_EQ(count_matchings(read(path, facts)).get_str(), facts.at("count")) << path;
  }
}

TEST(LongData, CycleCoversOfTheFullerenes) {
  for (const std::string name :
       {"molecules/C20.edgelist", "molecules/C60.edgelist", "molecules/C70.edgelist"}) {
    if (name == "molecules/C70.edgelist" && testing::multiplier() < 3) continue;  // most of the time
    const auto facts = expectations(data_folder / name);
    Graph graph = read(name);
    graph.kind = GraphKind::directed;
    const std::size_t edges = graph.edges.size();
    for (std::size_t e = 0; e < edges; ++e) graph.edges.push_back({graph.edges[e].to, graph.edges[e].from});
    EXPECT_EQ(count_matchings(graph).get_str(), facts.at("cycle-covers")) << name;
  }
}

std::vector<std::vector<Index>> neighbours_of(const Graph& graph) {
  std::vector<std::vector<Index>> neighbours(graph.left_labels.size());
  for (const Edge& edge : graph.edges) {
    neighbours[edge.from].push_back(edge.to);
    neighbours[edge.to].push_back(edge.from);
  }
  return neighbours;
}

// Closed walks without a repeated vertex, each cycle found once from each vertex and in both directions.
std::uint64_t cycles_of_length(const Graph& graph, std::size_t length) {
  const auto neighbours = neighbours_of(graph);
  std::uint64_t closed = 0;
  for (Index start = 0; start < neighbours.size(); ++start) {
    std::vector<std::vector<Index>> paths{{start}};
    for (std::size_t step = 1; step < length; ++step) {
      std::vector<std::vector<Index>> longer;
      for (const auto& path : paths) {
        for (const Index w : neighbours[path.back()]) {
          if (std::find(path.begin(), path.end(), w) != path.end()) continue;
          longer.push_back(path);
          longer.back().push_back(w);
        }
      }
      paths = std::move(longer);
    }
    for (const auto& path : paths) {
      closed += static_cast<std::uint64_t>(
          std::count(neighbours[path.back()].begin(), neighbours[path.back()].end(), start));
    }
  }
  return closed / (2 * length);
}

TEST(Data, FullerenesAreCubicWithTwelvePentagons) {
  for (const auto& [name, atoms] : std::map<std::string, Index>{{"C20", 20}, {"C60", 60}, {"C70", 70}}) {
    const Graph graph = read("molecules/" + name + ".edgelist");
    EXPECT_EQ(graph.left_labels.size(), atoms) << name;
    EXPECT_EQ(graph.edges.size(), 3 * atoms / 2) << name;
    for (const auto& around : neighbours_of(graph)) EXPECT_EQ(around.size(), 3U) << name;
    EXPECT_EQ(cycles_of_length(graph, 3) + cycles_of_length(graph, 4), 0U) << name;
    EXPECT_EQ(cycles_of_length(graph, 5), 12U) << name;
    // In C60 and C70 no two pentagons meet, and every hexagonal cycle is a face.
    if (atoms >= 60) {
      EXPECT_EQ(cycles_of_length(graph, 6), atoms / 2 - 10) << name;
    }
  }
}

TEST(Data, BenzenoidsHaveTheirHexagons) {
  const std::map<std::string, std::uint64_t> hexagons{
      {"benzene", 1},  {"naphthalene", 2}, {"anthracene", 3}, {"phenanthrene", 3},   {"pyrene", 4},
      {"coronene", 7}, {"ovalene", 10},    {"kekulene", 12},  {"circumcoronene", 19}};
  const std::map<std::string, Index> carbons{
      {"benzene", 6},   {"naphthalene", 10}, {"anthracene", 14}, {"phenanthrene", 14},  {"pyrene", 16},
      {"coronene", 24}, {"ovalene", 32},     {"kekulene", 48},   {"circumcoronene", 54}};
  for (const auto& [name, count] : hexagons) {
    const Graph graph = read("molecules/" + name + ".edgelist");
    EXPECT_EQ(graph.left_labels.size(), carbons.at(name)) << name;
    EXPECT_EQ(cycles_of_length(graph, 6), count) << name;
    EXPECT_EQ(cycles_of_length(graph, 5) + cycles_of_length(graph, 4) + cycles_of_length(graph, 3), 0U)
        << name;
  }
}

std::set<std::pair<std::string, std::string>> labelled_edges(const Graph& graph) {
  std::set<std::pair<std::string, std::string>> edges;
  for (const Edge& edge : graph.edges)
    edges.insert(std::minmax(graph.left_labels.label(edge.from), graph.left_labels.label(edge.to)));
  return edges;
}

// Written by a Python script, and by graph/lattices/lattice.cpp: the same boards.
TEST(Data, BoardsAreTheLattices) {
  const std::map<std::string, std::string> specs{
      {"2x10", "square:2x10"},
      {"3x8", "square:3x8"},
      {"4x4", "square:4x4"},
      {"6x6", "square:6x6"},
      {"8x8", "square:8x8"},
      {"7x7-less-centre", "square:7x7:remove=r3c3"},
      {"mutilated-8x8", "square:8x8:remove=r0c0+r7c7"},
      {"walled-corner-8x8", "square:8x8:remove=r0c2+r1c1+r2c0+r7c2+r7c4+r7c6"},
      {"aztec-4", "aztec:4"},
      {"torus-4x4", "torus:4x4"}};
  for (const auto& [name, spec] : specs) {
    EXPECT_EQ(labelled_edges(read("boards/" + name + ".edgelist")), labelled_edges(lattice_graph(spec)))
        << name;
  }
}

}  // namespace
}  // namespace countpm
