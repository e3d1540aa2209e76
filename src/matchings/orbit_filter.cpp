#include "src/matchings/orbit_filter.hpp"

#include <utility>

#include "graph/stop_poll.hpp"

namespace countpm {

OrbitFilter::OrbitFilter(Graph& graph) : kind_(graph.kind), left_(graph.left_labels.size()) {
  Values weights = std::exchange(graph.values, Values());
  group_ = automorphisms(graph, most_symmetries);
  graph.values = std::move(weights);
  for (const Automorphism& g : group_) {
    check_stop();
    Automorphism& inverse = inverse_.emplace_back(g.size());
    for (Index v = 0; v < g.size(); ++v) inverse[g[v]] = v;
  }
  partner_.resize(group_.front().size());
}

bool OrbitFilter::is_first(const std::vector<Edge>& matching) {
  const Index offset = kind_ == GraphKind::bipartite ? left_ : 0;
  for (const Edge& edge : matching) {
    partner_[edge.from] = edge.to + offset;
    if (kind_ != GraphKind::directed) partner_[edge.to + offset] = edge.from;
  }
  StopPoll poll;
  for (std::size_t k = 0; k < group_.size(); ++k) {
    poll.step();
    for (Index v = 0; v < partner_.size(); ++v) {
      const Index image = group_[k][partner_[inverse_[k][v]]];
      if (image == partner_[v]) continue;
      if (image < partner_[v]) return false;
      break;
    }
  }
  return true;
}

}  // namespace countpm
