// countpm lattice SPEC: a lattice as an edge list.
#include "graph/lattice.hpp"

#include <sstream>

#include "apps/commands.hpp"
#include "apps/output.hpp"
#include "graph/write_edge_list.hpp"

namespace countpm::app {

int run_lattice(const Request& request) {
  std::ostringstream text;
  write_edge_list(lattice_graph(request.arguments.front()), text);
  write_output(text.view());
  flush_output();
  return 0;
}

}  // namespace countpm::app
