#include "kernels/estimate/annealed/chain.hpp"

#include <cmath>

namespace countpm {

MatchingChain::MatchingChain(const SampleGraph& graph)
    : graph_(graph),
      list_(graph.vertices()),
      neighbour_(graph.neighbours.size()),
      log_weight_(graph.neighbours.size()),
      until_(graph.neighbours.size()),
      share_(graph.vertices()),
      sum_(graph.vertices()),
      partner_(graph.vertices()),
      place_(graph.vertices()) {
  std::transform(graph.neighbours.begin(), graph.neighbours.end(), log_weight_.begin(),
                 [](const SampleGraph::Neighbour& edge) { return std::log(edge.weight); });
  std::transform(graph.neighbours.begin(), graph.neighbours.end(), neighbour_.begin(),
                 [](const SampleGraph::Neighbour& edge) { return edge.vertex; });
  for (std::uint32_t v = 0; v < graph.vertices(); ++v)
    list_[v] = {static_cast<std::uint32_t>(graph.first[v]), graph.degree(v)};
  clear();
}

void MatchingChain::clear() {
  holes_.clear();
  for (std::uint32_t v = 0; v < partner_.size(); ++v) open(v);
}

void MatchingChain::match(std::uint32_t u, std::uint32_t v) {
  join(u, v);
}

void MatchingChain::settle(const std::vector<double>& log_activity, double share) {
  // About as often as a hole's neighbour is one, but at least now and then.
  separating_bits_ = share > 0.5 ? 1 : share > 0.2 ? 2 : 3;
  const double p = std::ldexp(1.0, -static_cast<int>(separating_bits_));
  without_holes_ = (1 - p) * static_cast<double>(partner_.size()) / 2;
  with_holes_ = without_holes_ / p;
  for (std::uint32_t v = 0; v < partner_.size(); ++v) {
    double sum = 0;
    for (std::uint64_t k = graph_.first[v]; k < graph_.first[v + std::size_t{1}]; ++k) {
      sum += std::exp(log_weight_[k] + log_activity[v] + log_activity[graph_.neighbours[k].vertex]);
      until_[k] = sum;
    }
    sum_[v] = sum;
    share_[v] = 1 / sum;
    for (std::uint64_t k = graph_.first[v]; k < graph_.first[v + std::size_t{1}]; ++k) until_[k] *= share_[v];
  }
}

}  // namespace countpm
