#pragma once
// Edges by the labels of their ends, for pairs of them.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "src/matchings/edge_pairs.hpp"

namespace countpm {

/// With monomers a vertex that stays alone is an edge from it to itself. Both sides of a bipartite graph are
/// then in one list, left first: a label of both is "left:LABEL" and "right:LABEL" where it is alone, as in
/// ReportedNames.
class EdgeNames {
 public:
  /// `graph` outlives it.
  explicit EdgeNames(const Graph& graph);

  /// Its place in graph.edges. Throws UsageError (of a file InputError) for one that there is not.
  std::uint64_t find(const EdgeName& name) const;
  EdgeProbability reported(std::uint64_t edge, std::string probability) const;

 private:
  std::optional<std::uint64_t> place_of(const std::string& tail, const std::string& head) const;

  const Graph& graph_;
  std::unordered_map<std::string, Index> left_;   // of tails
  std::unordered_map<std::string, Index> right_;  // of heads
  std::map<Index, std::string> alone_;            // of vertices whose label is another's too
  std::map<std::pair<Index, Index>, std::uint64_t> place_;
};

using PlacePairs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// By the edges' places.
PlacePairs places_of(const PairRequest& request, const Graph& graph, const EdgeNames& names);

/// Throws UsageError for a place that there is not.
void require_places(const PlacePairs& pairs, std::size_t edges);

}  // namespace countpm
