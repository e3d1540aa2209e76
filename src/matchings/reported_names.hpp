#pragma once
// What the ends of edges, and vertices that stay alone, are called where probabilities are reported.
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "src/matchings/passes.hpp"

namespace countpm {

/// With monomers both sides of a bipartite graph are in one list, left first: what both have is called
/// "left:LABEL" and "right:LABEL", as in --remove, where it is alone.
class ReportedNames {
 public:
  /// `input` outlives it. O(vertices) with monomers.
  explicit ReportedNames(const PassInput& input);

  std::pair<std::string, std::string> of(const Edge& edge) const;

 private:
  std::string alone(Index v) const;

  const PassInput& input_;
  const LabelTable& left_;
  const LabelTable& right_;
  std::unordered_map<std::string, Index> first_;
  std::unordered_set<std::string> shared_;
};

}  // namespace countpm
