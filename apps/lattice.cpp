// countpm lattice SPEC: a lattice as an edge list; without SPEC, the shapes.
#include "graph/lattice.hpp"

#include <sstream>

#include "apps/commands.hpp"
#include "apps/help.hpp"
#include "apps/output.hpp"
#include "graph/write_edge_list.hpp"

namespace countpm::app {

int run_lattice(const Request& request) {
  if (request.arguments.empty()) {
    write_output(lattice_help(output_width()));
    flush_output();
    return 0;
  }
  std::ostringstream text;
  write_edge_list(lattice_graph(request.arguments.front()), text);
  write_output(text.view());
  flush_output();
  return 0;
}

}  // namespace countpm::app
