#pragma once
// A graph of up to 64 vertices as bit masks, with whole numbers for weights, and the sum over its perfect
// matchings by elimination: for small graphs, where looking at the machine, planning and threads would take a
// hundred times as long as counting.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "graph/graph.hpp"
#include "kernels/arithmetic/arithmetic.hpp"

namespace countpm {

/// Vertices of both sides one after the other; of a directed graph tails, then heads: its cycle covers are
/// the perfect matchings between them. A vertex that may stay alone (Graph::monomers) is its own neighbour.
struct SmallGraph {
  static constexpr std::size_t most_vertices = 64;
  std::size_t vertices = 0;
  std::size_t left = 0;  // of two sides, how many on the left; of an undirected graph 0
  bool two_sides = false;
  std::array<std::uint64_t, most_vertices> neighbours{};
  std::vector<std::int64_t> weight;  // [vertices * vertices], symmetric; empty: every edge counts 1

  std::int64_t weight_of(std::size_t from, std::size_t to) const {
    return weight.empty() ? 1 : weight[from * vertices + to];
  }
};
/// Nothing where the graph has more vertices, or weights that are no integers of 64 bits. Precondition: it is
/// sound (graph/validate.hpp).
std::optional<SmallGraph> small_graph(const Graph& graph);

/// A graph without two sides that can be two-coloured, each component with as many vertices of one colour as
/// of the other: the same on two sides, its vertices renumbered. Nothing of others.
std::optional<SmallGraph> on_two_sides(const SmallGraph& graph);

/// An order of elimination: the next vertex is one that leaves the fewest neighbours of what is eliminated.
/// O(n^2) operations on masks.
std::vector<std::uint8_t> greedy_order(const SmallGraph& graph);

/// The sum over the perfect matchings of the products of their weights. Vertices are matched in this order; a
/// state is the set of later vertices that are matched already. Nothing where that takes more than
/// `most_steps` transitions, or numbers may exceed 126 bits. O(transitions) time. With vertices that may stay
/// alone: over all matchings, those vertices' weights among the factors.
std::optional<int128> eliminate(const SmallGraph& graph, const std::vector<std::uint8_t>& order,
                                std::uint64_t most_steps);

/// The largest matchings: how many edges each has, and the sum over them of the products of their weights.
struct LargestMatchings {
  std::size_t edges = 0;
  int128 sum = 0;
};
/// As eliminate(): a state has the largest matchings that lead to it. Precondition: no vertex is its own
/// neighbour.
std::optional<LargestMatchings> eliminate_largest(const SmallGraph& graph,
                                                  const std::vector<std::uint8_t>& order,
                                                  std::uint64_t most_steps);

/// The sum of eliminate() modulo 2: the determinant over the field of two elements, of the biadjacency
/// matrix, or of the adjacency matrix, which modulo 2 is the square of the Pfaffian. O(n^2) operations on
/// masks.
bool is_odd(const SmallGraph& graph);

}  // namespace countpm
