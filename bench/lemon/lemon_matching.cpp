#include "bench/lemon/lemon_matching.hpp"

#ifdef COUNTPM_HAVE_LEMON
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#include <lemon/matching.h>
#include <lemon/smart_graph.h>
#pragma GCC diagnostic pop

#include <ctime>
#endif

namespace countpm::bench {

#ifdef COUNTPM_HAVE_LEMON

bool have_lemon() {
  return true;
}

double lemon_matching_seconds(std::uint32_t rows, std::uint32_t columns,
                              const std::vector<std::uint64_t>& row_start,
                              const std::vector<std::uint32_t>& column, std::uint64_t& size) {
  using Graph = lemon::SmartGraph;
  Graph graph;
  graph.reserveNode(static_cast<int>(rows + columns));
  graph.reserveEdge(static_cast<int>(column.size()));
  for (std::uint32_t i = 0; i < rows + columns; ++i) graph.addNode();
  for (std::uint32_t i = 0; i < rows; ++i) {
    for (std::uint64_t k = row_start[i]; k < row_start[i + std::size_t{1}]; ++k) {
      graph.addEdge(Graph::nodeFromId(static_cast<int>(i)),
                    Graph::nodeFromId(static_cast<int>(rows + column[k])));
    }
  }
  const std::clock_t start = std::clock();
  lemon::MaxMatching<Graph> matching(graph);
  matching.run();
  size = static_cast<std::uint64_t>(matching.matchingSize());
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

#else

bool have_lemon() {
  return false;
}
double lemon_matching_seconds(std::uint32_t, std::uint32_t, const std::vector<std::uint64_t>&,
                              const std::vector<std::uint32_t>&, std::uint64_t&) {
  return 0;
}

#endif

}  // namespace countpm::bench
