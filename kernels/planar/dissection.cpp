#include "kernels/planar/dissection.hpp"

#include <metis.h>

#include <mutex>
#include <numeric>
#include <stdexcept>

namespace countpm::planar {

std::vector<Index> dissection_order(const BlockGraph& graph) {
  std::vector<Index> order(graph.vertices);
  std::iota(order.begin(), order.end(), Index{0});
  if (graph.edges.empty()) return order;
  const Adjacency adjacent = adjacency(graph);
  std::vector<idx_t> start(adjacent.start.begin(), adjacent.start.end());
  std::vector<idx_t> neighbour(adjacent.neighbour.begin(), adjacent.neighbour.end());
  std::vector<idx_t> permutation(graph.vertices);
  std::vector<idx_t> inverse(graph.vertices);
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  auto vertices = static_cast<idx_t>(graph.vertices);
  static std::mutex one_at_a_time;  // METIS draws from the C library's one random sequence
  const std::lock_guard lock(one_at_a_time);
  if (METIS_NodeND(&vertices, start.data(), neighbour.data(), nullptr, options, permutation.data(),
                   inverse.data()) != METIS_OK) {
    throw std::runtime_error("planar: METIS found no nested dissection");
  }
  for (Index k = 0; k < graph.vertices; ++k) order[k] = static_cast<Index>(permutation[k]);
  return order;
}

}  // namespace countpm::planar
