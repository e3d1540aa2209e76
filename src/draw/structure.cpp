#include "src/draw/structure.hpp"

#include <fmt/format.h>

#include "graph/errors.hpp"
#include "graph/stop_poll.hpp"
#include "src/draw/layout.hpp"
#include "src/draw/matrix.hpp"
#include "src/draw/network.hpp"
#include "src/matchings/edge_entries.hpp"
#include "src/matchings/entry_kinds.hpp"
#include "src/matchings/pattern_stages.hpp"
#include "src/structure/analysis.hpp"

namespace countpm::draw {
namespace {

struct Structured {
  explicit Structured(const Graph& graph) : instance(to_instance(graph)) {
    if (graph.covers)
      throw UnableError("it is of perfect matchings, and here exact covers are counted", "without --rings");
    if (graph.monomers)
      throw UnableError("it is of perfect matchings, and here vertices may stay alone", "without monomers");
    if (graph.copies)
      throw UnableError("it is of perfect matchings, and here --degree counts other sets of edges",
                        "without --degree");
    std::vector<std::string> notes;
    analysis = analyse(
        instance, {}, [] { check_stop(); }, notes);
  }
  Picture matrix(std::optional<OrderKind> order, const std::string& title) const {
    constexpr std::uint64_t seed = 1;
    return draw_patterns(pattern_stages(instance, analysis, order, seed, stop_signal_here()), title);
  }
  std::vector<EntryKind> kinds_of(const std::vector<Edge>& edges) const {
    const std::vector<EntryKind> of_entries = entry_kinds(instance, analysis);
    std::vector<EntryKind> kinds;
    kinds.reserve(edges.size());
    for (const std::uint64_t entry : entries_of_edges(instance, edges)) kinds.push_back(of_entries[entry]);
    return kinds;
  }

  Instance instance;
  Analysis analysis;
};

}  // namespace

Picture draw_structure(const Graph& graph, const std::optional<std::string>& lattice,
                       const std::string& title) {
  const Structured structured(graph);
  const std::optional<Layout> layout = automatic_layout(graph, lattice);
  if (!layout) return structured.matrix(std::nullopt, title);
  const std::size_t vertices = graph.left_labels.size() + std::size_t{graph.right_labels.size()};
  return draw_edge_kinds(graph, *layout, structured.kinds_of(graph.edges), title,
                         fmt::format("{} vertices, {} edges", vertices, graph.edges.size()));
}

Picture draw_structure_matrix(const Graph& graph, OrderKind order, const std::string& title) {
  return Structured(graph).matrix(order, title);
}

}  // namespace countpm::draw
