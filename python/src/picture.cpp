#include "python/src/picture.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "python/src/graph.hpp"
#include "python/src/long_call.hpp"
#include "src/draw/layout.hpp"
#include "src/draw/matrix.hpp"
#include "src/draw/network.hpp"
#include "src/watch/monitor.hpp"

namespace countpm::python {

namespace nb = nanobind;

namespace {

/// Which edges are in the matching, given as sample() gives it.
std::vector<bool> chosen_edges(const Graph& graph, const std::optional<nb::bytes>& matching) {
  std::vector<bool> chosen(graph.edges.size(), false);
  if (!matching) return chosen;
  std::vector<Index> ids(matching->size() / sizeof(Index));
  std::memcpy(ids.data(), matching->c_str(), ids.size() * sizeof(Index));
  std::vector<std::pair<Index, Index>> pairs;
  if (graph.kind == GraphKind::undirected) {
    for (std::size_t k = 0; k + 1 < ids.size(); k += 2) pairs.push_back(std::minmax(ids[k], ids[k + 1]));
  } else {
    for (std::size_t k = 0; k < ids.size(); ++k) pairs.emplace_back(static_cast<Index>(k), ids[k]);
  }
  std::sort(pairs.begin(), pairs.end());
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    const Edge& edge = graph.edges[k];
    const std::pair<Index, Index> ends = graph.kind == GraphKind::undirected
                                             ? std::pair<Index, Index>(std::minmax(edge.from, edge.to))
                                             : std::pair(edge.from, edge.to);
    chosen[k] = std::binary_search(pairs.begin(), pairs.end(), ends);
  }
  return chosen;
}

std::vector<draw::EdgeValue> edge_values(const std::vector<double>& probabilities) {
  std::vector<draw::EdgeValue> values;
  values.reserve(probabilities.size());
  for (const double probability : probabilities)
    values.push_back({probability, fmt::format("{:.2f}", probability)});
  return values;
}

std::string picture(const PyGraph& graph, const std::optional<nb::bytes>& matching,
                    const std::optional<std::vector<double>>& probabilities, const std::string& title,
                    const std::string& caption) {
  const Graph& drawn = graph.graph();
  if (drawn.edges.empty()) throw UnableError("a graph without edges has no picture", "");
  if (matching && probabilities)
    throw UsageError("a picture is of a matching or of probabilities, not of both");
  if (probabilities && probabilities->size() != drawn.edges.size())
    throw UsageError(fmt::format("{} probabilities of {} edges", probabilities->size(), drawn.edges.size()));
  const std::vector<bool> chosen = chosen_edges(drawn, matching);
  CountOptions options;
  LongCall call((nb::none()));
  call.watch(options);
  return call.run([&] {
    Monitor monitor(options);
    return monitor.explained([&] {
      monitor.enter("drawing the graph");
      // As the command line chooses it: on the lattice, planar, or as a matrix.
      const std::optional<draw::Layout> layout = draw::automatic_layout(drawn, lattice_of(graph.read()));
      if (!probabilities) {
        return layout ? draw::draw_matching(drawn, *layout, chosen, title, caption).svg
                      : draw::draw_matching_matrix(drawn, chosen, title, caption).svg;
      }
      const std::vector<draw::EdgeValue> values = edge_values(*probabilities);
      return layout ? draw::draw_probabilities(drawn, *layout, values, title, caption).svg
                    : draw::draw_probability_matrix(drawn, values, title, caption).svg;
    });
  });
}

}  // namespace

void bind_picture(nb::module_& module) {
  module.def("picture", picture, nb::arg("graph"), nb::arg("matching") = nb::none(),
             nb::arg("probabilities") = nb::none(), nb::arg("title") = "", nb::arg("caption") = "",
             "SVG of a graph, of a matching in it (bytes of sample()), or of its edges' probabilities.");
}

}  // namespace countpm::python
