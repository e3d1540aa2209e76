#include "kernels/frontier/nested_dissection.hpp"

#include <metis.h>

#include <limits>
#include <mutex>

namespace countpm {

std::vector<Index> nested_dissection_order(const ClassGraph& graph, std::uint64_t seed) {
  std::vector<Index> order(graph.classes());
  for (Index v = 0; v < graph.classes(); ++v) order[v] = v;
  if (graph.neighbour.empty()) return order;  // METIS wants edges
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<idx_t>::max());
  if (graph.neighbour.size() > most || graph.classes() > most) return {};

  idx_t classes = static_cast<idx_t>(graph.classes());
  std::vector<idx_t> start(graph.start.begin(), graph.start.end());
  std::vector<idx_t> neighbour(graph.neighbour.begin(), graph.neighbour.end());
  std::vector<idx_t> class_at(graph.classes());
  std::vector<idx_t> place_of(graph.classes());
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_NUMBERING] = 0;
  options[METIS_OPTION_DBGLVL] = 0;  // silent
  options[METIS_OPTION_SEED] = static_cast<idx_t>(seed % 0x7fffffff);

  static std::mutex one_at_a_time;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  const int status = METIS_NodeND(&classes, start.data(), neighbour.data(), nullptr, options, class_at.data(),
                                  place_of.data());
  if (status != METIS_OK) return {};
  for (Index place = 0; place < graph.classes(); ++place) order[place] = static_cast<Index>(class_at[place]);
  return order;
}

}  // namespace countpm
