// Maximum matchings of general graphs, ours beside Boost's edmonds_maximum_cardinality_matching on the same
// graphs, and the whole structure (forbidden edges, pieces). Goal: the matching of 10^5 vertices in a second,
// of 10^6 in ten. Times are CPU seconds; Boost is left out beyond --boost-vertices (default 20,000).
// Usage: bench_general_matching [--largest VERTICES] [--boost-vertices VERTICES]
#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/max_cardinality_matching.hpp>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/lattices/lattice.hpp"
#include "matching/general_structure.hpp"

namespace {

using countpm::Index;
using countpm::SparsePattern;
using Edges = std::vector<std::pair<Index, Index>>;
using Random = std::mt19937_64;

SparsePattern graph_of(Index vertices, Edges edges, Random* shuffle = nullptr) {
  if (shuffle != nullptr) {
    std::vector<Index> label(vertices);
    std::iota(label.begin(), label.end(), Index{0});
    std::shuffle(label.begin(), label.end(), *shuffle);
    for (auto& [a, b] : edges) a = label[a], b = label[b];
  }
  const std::size_t one_way = edges.size();
  for (std::size_t k = 0; k < one_way; ++k) edges.emplace_back(edges[k].second, edges[k].first);
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  SparsePattern graph;
  graph.rows = graph.columns = vertices;
  std::size_t k = 0;
  for (Index v = 0; v < vertices; ++v) {
    for (; k < edges.size() && edges[k].first == v; ++k) graph.column.push_back(edges[k].second);
    graph.row_start.push_back(graph.column.size());
  }
  return graph;
}

SparsePattern random_graph(Index vertices, Index degree, Random& random) {
  Edges edges;
  for (std::uint64_t k = 0; k < std::uint64_t{vertices} * degree / 2; ++k) {
    const auto a = static_cast<Index>(random() % vertices);
    const auto b = static_cast<Index>(random() % vertices);
    if (a != b) edges.emplace_back(a, b);
  }
  return graph_of(vertices, std::move(edges));
}

SparsePattern random_cubic(Index vertices, Random& random) {
  std::vector<Index> stubs;
  for (Index v = 0; v < vertices; ++v) stubs.insert(stubs.end(), 3, v);
  std::shuffle(stubs.begin(), stubs.end(), random);
  Edges edges;
  for (std::size_t k = 0; k + 1 < stubs.size(); k += 2) {
    if (stubs[k] != stubs[k + 1]) edges.emplace_back(stubs[k], stubs[k + 1]);
  }
  return graph_of(vertices, std::move(edges));
}

SparsePattern triangular(Index rows, Index columns, Random* shuffle) {
  const countpm::Graph lattice = countpm::lattice_graph(fmt::format("triangular:{}x{}", rows, columns));
  Edges edges;
  edges.reserve(lattice.edges.size());
  for (const countpm::Edge& edge : lattice.edges) edges.emplace_back(edge.from, edge.to);
  return graph_of(rows * columns, std::move(edges), shuffle);
}

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

std::string boost_seconds(const SparsePattern& graph, Index expected) {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> other(graph.rows);
  for (Index v = 0; v < graph.rows; ++v) {
    for (std::uint64_t k = graph.row_start[v]; k < graph.row_start[v + std::uint64_t{1}]; ++k) {
      if (v < graph.column[k]) add_edge(v, graph.column[k], other);
    }
  }
  std::vector<std::size_t> mate(graph.rows);
  const double start = cpu_seconds();
  boost::edmonds_maximum_cardinality_matching(other, mate.data());
  const double seconds = cpu_seconds() - start;
  return fmt::format("{:.3f}{}", seconds,
                     boost::matching_size(other, mate.data()) == expected ? "" : " OTHER SIZE");
}

void measure(const std::string& name, const SparsePattern& graph, Index boost_vertices) {
  double start = cpu_seconds();
  const Index size = countpm::general_maximum_matching(graph).size;
  const double matching = cpu_seconds() - start;
  const std::string other = graph.rows <= boost_vertices ? boost_seconds(graph, size) : "left out";
  start = cpu_seconds();
  const countpm::GeneralStructure structure = countpm::analyse_general(graph);
  const double all = cpu_seconds() - start;
  fmt::print("| {}, {} | {} | {} | {:.3f} | {} | {:.3f}{} | {} |\n", name, graph.rows, graph.entries() / 2,
             size, matching, other, all, structure.complete ? "" : " (budget)", structure.edges_dropped);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  Index largest = 100'000;
  Index boost_vertices = 20'000;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view option = argv[i];
    const auto value = static_cast<Index>(std::strtoul(argv[i + 1], nullptr, 10));
    if (option == "--largest") largest = value;
    if (option == "--boost-vertices") boost_vertices = value;
  }
  fmt::print(
      "| graph, vertices | edges | matched | countpm (s) | Boost (s) | structure (s) | dropped |\n"
      "|---|---|---|---|---|---|---|\n");
  Random random(1);
  for (Index n = 1000; n <= largest; n *= 10) {
    measure("random, 10 a vertex", random_graph(n, 10, random), boost_vertices);
    measure("random, 3 a vertex", random_graph(n, 3, random), boost_vertices);
    measure("random cubic", random_cubic(n, random), boost_vertices);
    measure("triangular, 100 wide", triangular(n / 100, 100, nullptr), boost_vertices);
    measure("triangular, shuffled", triangular(n / 100, 100, &random), boost_vertices);
    measure("strip of triangles, shuffled", triangular(2, n / 2, &random), boost_vertices);
  }
  return 0;
}
