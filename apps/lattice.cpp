// countpm lattice SPEC: a lattice as an edge list.
#include "graph/lattice.hpp"

#include "apps/commands.hpp"
#include "apps/output.hpp"

namespace countpm::app {

int run_lattice(const Request& request) {
  const std::string& argument = request.arguments.front();
  const Graph graph = lattice_graph(argument.starts_with("lattice:") ? argument : "lattice:" + argument);
  for (const Edge& edge : graph.edges) {
    write_output(graph.left_labels.label(edge.from) + ' ' + graph.left_labels.label(edge.to) + '\n');
  }
  flush_output();
  return 0;
}

}  // namespace countpm::app
