// countpm lattice SPEC: a lattice as an edge list; without SPEC, the shapes.
#include "graph/lattices/lattice.hpp"

#include <sstream>

#include "apps/commands.hpp"
#include "apps/help.hpp"
#include "apps/json.hpp"
#include "apps/output.hpp"
#include "graph/formats/write_edge_list.hpp"

namespace countpm::app {

int run_lattice(const Request& request) {
  if (request.arguments.empty()) {
    write_output(request.json ? indented(json_of(LatticesObject{})) : lattice_help(output_width()));
    flush_output();
    return 0;
  }
  const std::string& spec = request.arguments.front();
  const Graph graph = lattice_graph(spec);
  if (request.json) {
    write_output(indented(json_of(LatticeObject{spec, graph})));
  } else {
    std::ostringstream text;
    write_edge_list(graph, text);
    write_output(text.view());
  }
  flush_output();
  return 0;
}

}  // namespace countpm::app
