#pragma once
// Graphs as points and lines: matchings, and edge probabilities.
#include <cstdint>
#include <string>
#include <vector>

#include "graph/graph.hpp"
#include "src/draw/layout.hpp"
#include "src/draw/page.hpp"
#include "src/matchings/pattern_views.hpp"

namespace countpm::draw {

/// The graph's edges in pale grey, those of a matching (`chosen`, beside graph.edges) on top of them in
/// colour. Lines that leave a closed lattice come back on its other side. Precondition: at least one vertex.
Picture draw_matching(const Graph& graph, const Layout& layout, const std::vector<bool>& chosen,
                      const std::string& title, const std::string& caption, const PageStyle& style = {});

/// The graph's edges in the colours of what they are to its perfect matchings (`kinds`, beside graph.edges),
/// those in some of them on top. Precondition: at least one edge.
Picture draw_edge_kinds(const Graph& graph, const Layout& layout, const std::vector<EntryKind>& kinds,
                        const std::string& title, const std::string& caption);

struct EdgeValue {
  double value = 0;
  std::string text;  // as a label beside the edge
};

/// How values become colours: evenly, evenly between their 2nd and their 98th percentile, or by their
/// logarithms (those that are not positive are as pale as the smallest that is).
enum class MapScale : std::uint8_t { linear, clip, log };

/// What the map's ends stand for: the smallest and the largest value (of `clip` the percentiles); 0 and 1
/// where all are the same.
struct ValueRange {
  double least = 0;
  double most = 1;
  std::string lowest = "0";  // as texts
  std::string highest = "1";
  MapScale scale = MapScale::linear;
  /// 0 to 1.
  double share(double value) const;
};
ValueRange range_of(const std::vector<EdgeValue>& values, MapScale scale = MapScale::linear);

/// What the scale on the page says that its colours are.
std::string quantity_of(const ValueRange& range);

/// Every edge in the map's colour of its probability, those with a larger one on top. Small graphs
/// (bond orders): wider lines for larger ones, every edge labelled, the scale from 0 to 1; large ones: the
/// scale from the smallest to the largest, so that small differences are seen. Precondition: at least one
/// edge; `values` beside graph.edges. Another scale than `linear` is that of large graphs, whatever the size.
Picture draw_probabilities(const Graph& graph, const Layout& layout, const std::vector<EdgeValue>& values,
                           const std::string& title, const std::string& caption,
                           MapScale scale = MapScale::linear, const PageStyle& style = {});

/// Up to so many edges are labelled.
inline constexpr std::size_t most_labelled_edges = 200;

}  // namespace countpm::draw
