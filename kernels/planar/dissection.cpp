#include "kernels/planar/dissection.hpp"

#include <stdexcept>

#include "kernels/nested_dissection.hpp"

namespace countpm::planar {

std::vector<Index> dissection_order(const BlockGraph& graph) {
  constexpr std::uint64_t seed = 1;
  const Adjacency adjacent = adjacency(graph);
  std::vector<Index> order = nested_dissection(adjacent.start, adjacent.neighbour, seed);
  if (order.size() != graph.vertices) throw std::runtime_error("planar: METIS found no nested dissection");
  return order;
}

}  // namespace countpm::planar
