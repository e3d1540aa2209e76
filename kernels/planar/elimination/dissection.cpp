#include "kernels/planar/elimination/dissection.hpp"

#include <cmath>
#include <stdexcept>

#include "kernels/planar/elimination/level_dissection.hpp"
#include "kernels/support/nested_dissection.hpp"

namespace countpm::planar {
namespace {

constexpr double as_good = 1.05;
constexpr Index few = 1024;  // METIS takes 2 ms

}  // namespace

double lattice_work(const BlockGraph& graph) {
  const double n = graph.vertices;
  const auto edges = static_cast<double>(graph.edges.size());
  return graph.bipartite ? (2.8 * n * std::sqrt(n) + 520 * n) * edges / (2 * n)
                         : (11.3 * n * std::sqrt(n) + 980 * n) * edges / (3 * n);
}

std::vector<Index> dissection_order(const BlockGraph& graph, std::uint64_t seed) {
  const Adjacency adjacent = adjacency(graph);
  std::vector<Index> order = nested_dissection(adjacent.start, adjacent.neighbour, seed);
  if (order.size() != graph.vertices) throw std::runtime_error("planar: METIS found no nested dissection");
  return order;
}

FrontTree dissection_tree(const BlockGraph& graph, int threads) {
  const std::vector<Index> levels = level_dissection(graph, adjacency(graph), LevelTies::first, threads);
  FrontTree tree;
  if (!levels.empty()) {
    tree = front_tree(graph, levels, 0, threads);
    if (graph.vertices > few && tree.total.multiplications <= as_good * lattice_work(graph)) return tree;
  }
  FrontTree other = front_tree(graph, dissection_order(graph), 0, threads);
  return levels.empty() || other.total.multiplications < tree.total.multiplications ? other : tree;
}

FrontTree other_dissection_tree(const BlockGraph& graph, int threads) {
  constexpr double almost_as_good = 1.2;
  constexpr std::uint64_t other_seed = 2;
  if (graph.vertices > few) {
    const std::vector<Index> levels = level_dissection(graph, adjacency(graph), LevelTies::last, threads);
    if (!levels.empty()) {
      FrontTree tree = front_tree(graph, levels, 0, threads);
      if (tree.total.multiplications <= almost_as_good * lattice_work(graph)) return tree;
    }
  }
  return front_tree(graph, dissection_order(graph, other_seed), 0, threads);
}

}  // namespace countpm::planar
