#include "graph/lattice.hpp"

#include "graph/errors.hpp"

namespace countpm {

Graph lattice_graph(const std::string& spec) {
  throw UsageError("lattices are not built yet: " + spec);
}

}  // namespace countpm
