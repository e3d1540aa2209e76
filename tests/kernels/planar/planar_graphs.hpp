#pragma once
// Planar graphs for the tests of planar: random ones of every kind, lattices, and the blocks made of them.
#include <algorithm>
#include <numeric>
#include <variant>

#include "graph/instance.hpp"
#include "graph/lattices/lattice.hpp"
#include "tests/matching/general_support.hpp"

namespace countpm::testing_support {

struct EdgeList {
  Index vertices = 0;
  Edges edges;
};

/// Vertices put into random triangles of a triangulation, or on the ends of a random edge's two triangles.
inline EdgeList random_triangulation(Index vertices, Random& random) {
  EdgeList graph{vertices, {}};
  if (vertices < 3) return graph;
  std::vector<std::array<Index, 3>> faces{{0, 1, 2}, {0, 1, 2}};
  graph.edges = {{0, 1}, {0, 2}, {1, 2}};
  for (Index v = 3; v < vertices; ++v) {
    const Index at = random.below(static_cast<Index>(faces.size()));
    const auto [a, b, c] = faces[at];
    for (const Index w : {a, b, c}) graph.edges.emplace_back(w, v);
    faces[at] = {a, b, v};
    faces.push_back({b, c, v});
    faces.push_back({a, c, v});
  }
  return graph;
}

/// A polygon with a random triangulation of its inside.
inline EdgeList random_outerplanar(Index vertices, Random& random) {
  EdgeList graph{vertices, {}};
  std::vector<Index> rim(vertices);
  std::iota(rim.begin(), rim.end(), Index{0});
  for (Index v = 0; v < vertices && vertices > 1; ++v) graph.edges.emplace_back(v, (v + 1) % vertices);
  while (rim.size() > 3) {
    const Index at = random.below(static_cast<Index>(rim.size()));
    const std::size_t before = (at + rim.size() - 1) % rim.size();
    const std::size_t after = (at + 1) % rim.size();
    graph.edges.emplace_back(rim[before], rim[after]);
    rim.erase(rim.begin() + at);
  }
  return graph;
}

/// Every vertex hung on an earlier one: bridges and cut vertices only.
inline EdgeList random_tree(Index vertices, Random& random) {
  EdgeList graph{vertices, {}};
  for (Index v = 1; v < vertices; ++v) graph.edges.emplace_back(random.below(v), v);
  return graph;
}

/// Side by side, without an edge between them.
inline EdgeList side_by_side(EdgeList a, const EdgeList& b) {
  for (const auto& [v, w] : b.edges) a.edges.emplace_back(v + a.vertices, w + a.vertices);
  a.vertices += b.vertices;
  return a;
}

/// Each edge kept with this probability, all vertices with new numbers.
inline EdgeList thinned_and_shuffled(const EdgeList& graph, double keep, Random& random) {
  std::vector<Index> number(graph.vertices);
  std::iota(number.begin(), number.end(), Index{0});
  std::shuffle(number.begin(), number.end(), random);
  std::bernoulli_distribution kept(keep);
  EdgeList result{graph.vertices, {}};
  for (const auto& [a, b] : graph.edges) {
    if (kept(random)) result.edges.emplace_back(number[a], number[b]);
  }
  return result;
}

/// One of the kinds above, or two of them side by side.
inline EdgeList random_planar(Index vertices, Random& random) {
  EdgeList graph;
  switch (random.below(5)) {
    case 0:
      graph = random_outerplanar(vertices, random);
      break;
    case 1:
      graph = random_tree(vertices, random);
      break;
    case 2: {
      const Index first = random.below(vertices + 1);
      graph = side_by_side(random_triangulation(first, random), random_outerplanar(vertices - first, random));
      break;
    }
    default:
      graph = random_triangulation(vertices, random);
  }
  return thinned_and_shuffled(graph, random.below(3) == 0 ? 1.0 : 0.5 + 0.1 * random.below(5), random);
}

/// The edges between the first half of the vertices and the second.
inline EdgeList between_halves(const EdgeList& graph) {
  EdgeList result{graph.vertices, {}};
  const Index half = graph.vertices / 2;
  for (const auto& [a, b] : graph.edges) {
    if ((a < half) != (b < half)) result.edges.emplace_back(std::min(a, b), std::max(a, b));
  }
  return result;
}

/// Rows: the first half of the vertices; columns: the second. Precondition: all edges join the two.
template <class Value>
Block<Value> bipartite_block_of(const SparseMatrix<Value>& symmetric) {
  const Index half = symmetric.rows / 2;
  Block<Value> block;
  block.matrix.rows = block.matrix.columns = half;
  for (Index v = 0; v < half; ++v) {
    for (std::uint64_t k = symmetric.row_start[v]; k < symmetric.row_start[v + 1]; ++k) {
      block.matrix.column.push_back(symmetric.column[k] - half);
      block.matrix.value.push_back(symmetric.value[k]);
    }
    block.matrix.row_start.push_back(block.matrix.column.size());
  }
  return block;
}

/// A lattice as it stands, without reductions.
inline AnyBlock lattice_block(const std::string& spec) {
  const Instance instance = to_instance(lattice_graph(spec));
  const bool general = instance.problem == Problem::general_perfect_matchings;
  const auto with = [&](const auto& values) -> AnyBlock {
    using Value = typename std::decay_t<decltype(values)>::value_type;
    Block<Value> block;
    static_cast<SparsePattern&>(block.matrix) = instance.pattern;
    block.matrix.value = values;
    block.general = general;
    return block;
  };
  if (const auto* values = std::get_if<std::vector<std::int64_t>>(&instance.values)) return with(*values);
  if (const auto* values = std::get_if<std::vector<mpq_class>>(&instance.values)) return with(*values);
  return with(std::vector<std::int64_t>(instance.pattern.entries(), 1));
}

}  // namespace countpm::testing_support
