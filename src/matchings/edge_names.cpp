#include "src/matchings/edge_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "graph/errors.hpp"
#include "graph/text.hpp"

namespace countpm {

EdgeNames::EdgeNames(const Graph& graph) : graph_(graph) {
  const bool sides = graph.kind == GraphKind::bipartite;
  for (Index v = 0; v < graph.left_labels.size(); ++v) {
    const std::string label = graph.left_labels.label(v);
    const auto [at, fresh] = left_.emplace(label, v);
    if (!sides) right_.insert_or_assign(label, v);
    if (fresh || !graph.monomers) continue;
    alone_.emplace(at->second, "left:" + label);
    alone_.emplace(v, "right:" + label);
  }
  for (Index v = 0; sides && v < graph.right_labels.size(); ++v)
    right_.emplace(graph.right_labels.label(v), v);
  for (const auto& [v, name] : alone_) {
    left_.emplace(name, v);
    right_.emplace(name, v);
  }
  for (std::uint64_t k = 0; k < graph.edges.size(); ++k)
    place_.emplace(std::pair(graph.edges[k].from, graph.edges[k].to), k);
}

std::uint64_t EdgeNames::find(const EdgeName& name) const {
  if (const auto at = place_of(name.from, name.to)) return *at;
  if (graph_.kind == GraphKind::undirected) {
    if (const auto at = place_of(name.to, name.from)) return *at;
  }
  if (!name.file.empty())
    throw InputError(name.file, name.line, "edges of the input",
                     fmt::format("none from \"{}\" to \"{}\"", quoted(name.from, 80), quoted(name.to, 80)));
  throw UsageError(
      fmt::format("the input has no edge from \"{}\" to \"{}\"", quoted(name.from, 80), quoted(name.to, 80)));
}

EdgeProbability EdgeNames::reported(std::uint64_t edge, std::string probability) const {
  const Edge& ends = graph_.edges[edge];
  if (graph_.monomers && ends.from == ends.to) {
    const auto named = alone_.find(ends.from);
    const std::string name =
        named == alone_.end() ? std::string(graph_.left_labels.label(ends.from)) : named->second;
    return {name, name, std::move(probability)};
  }
  const bool sides = graph_.kind == GraphKind::bipartite;
  return {graph_.left_labels.label(ends.from),
          (sides ? graph_.right_labels : graph_.left_labels).label(ends.to), std::move(probability)};
}

std::optional<std::uint64_t> EdgeNames::place_of(const std::string& tail, const std::string& head) const {
  const auto from = left_.find(tail);
  const auto to = right_.find(head);
  if (from == left_.end() || to == right_.end()) return std::nullopt;
  const auto at = place_.find({from->second, to->second});
  if (at == place_.end()) return std::nullopt;
  return at->second;
}

PlacePairs places_of(const PairRequest& request, const Graph& graph, const EdgeNames& names) {
  PlacePairs pairs;
  if (request.given) {
    const std::uint64_t given = names.find(*request.given);
    for (std::uint64_t k = 0; k < graph.edges.size(); ++k) pairs.emplace_back(given, k);
  }
  for (const auto& [first, second] : request.pairs) pairs.emplace_back(names.find(first), names.find(second));
  return pairs;
}

void require_places(const PlacePairs& pairs, std::size_t edges) {
  for (const auto& [first, second] : pairs) {
    if (first >= edges || second >= edges)
      throw UsageError(fmt::format("edge number {}: the graph has {}", std::max(first, second), edges));
  }
}

}  // namespace countpm
