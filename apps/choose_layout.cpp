#include "apps/choose_layout.hpp"

#include "graph/errors.hpp"

namespace countpm::app {

std::optional<std::string> lattice_spec(const Request& request) {
  const Source source = Source::from_argument(request.arguments.front());
  const bool undirected = request.read.kind.value_or(GraphKind::undirected) == GraphKind::undirected;
  if (source.kind != Source::Kind::lattice || request.read.format || !undirected) return std::nullopt;
  return source.name;
}

std::optional<draw::Layout> choose_layout(const Graph& graph, const std::optional<std::string>& lattice,
                                          DrawKind kind) {
  if (kind == DrawKind::matrix) return std::nullopt;
  if (lattice || kind == DrawKind::automatic) return draw::automatic_layout(graph, lattice);
  if (graph.kind == GraphKind::directed)
    throw UnableError("directed graphs are drawn as matrices only", "--draw matrix");
  if (!graph.positions.empty()) return draw::automatic_layout(graph, lattice);
  std::optional<draw::Layout> layout = draw::planar_layout(graph);
  if (!layout)
    throw UnableError("the graph is not planar, and a drawing with crossings shows little", "--draw matrix");
  return layout;
}

}  // namespace countpm::app
