#include "graph/graph.hpp"

namespace countpm {

const char* name_of(GraphKind kind) {
  switch (kind) {
    case GraphKind::bipartite:
      return "bipartite";
    case GraphKind::directed:
      return "directed";
    case GraphKind::undirected:
      break;
  }
  return "undirected";
}

}  // namespace countpm
