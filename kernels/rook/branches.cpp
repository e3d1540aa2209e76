#include "kernels/rook/branches.hpp"

#include <algorithm>
#include <cmath>

namespace countpm {
namespace {

constexpr std::size_t most_candidates = 128;
// (vertices + edges) x candidates: some 50 ms.
constexpr double most_looks = 3e7;

}  // namespace

std::optional<RookBranches> RookBranches::with(const ComplementGraph& graph, Index v,
                                               std::size_t most) const {
  RookBranches result;
  result.decided_ = decided_;
  result.decided_.push_back(v);
  result.partner_.clear();
  const auto add = [&](const std::vector<Index>& before, Index partner) {
    result.partner_.push_back(before);
    result.partner_.back().push_back(partner);
  };
  for (const std::vector<Index>& before : partner_) {
    const auto gone = [&](Index u) {
      return std::find(before.begin(), before.end(), u) != before.end() ||
             std::find(decided_.begin(), decided_.end(), u) != decided_.end();
    };
    const bool taken = gone(v);  // it shares the rook of one decided before
    if (taken || !graph.is_row(v) || graph.row_base[v] != 0) add(before, no_index);
    for (std::uint64_t k = graph.start[v]; !taken && k < graph.start[v + std::uint64_t{1}]; ++k) {
      if (!gone(graph.neighbour[k])) add(before, graph.neighbour[k]);
    }
    if (result.partner_.size() > most) return std::nullopt;
  }
  return result;
}

RookBranch RookBranches::branch(const ComplementGraph& graph, std::size_t number) const {
  RookBranch result;
  std::vector<bool> gone(graph.vertices());
  result.graph.size = graph.size;
  result.graph.row_base = graph.row_base;
  result.graph.factor = graph.factor;
  result.graph.plain = graph.plain;
  result.graph.general = graph.general;
  result.graph.base = graph.base;
  for (std::size_t k = 0; k < decided_.size(); ++k) {
    const Index v = decided_[k];
    const Index u = partner_[number][k];
    gone[v] = true;
    if (u == no_index) continue;
    gone[u] = true;
    ++result.rooks;
    // of the two, the row has the lower number
    if (!graph.general) result.graph.row_base[std::min(u, v)] = 1;
    const auto first = graph.neighbour.begin() + static_cast<std::ptrdiff_t>(graph.start[v]);
    const auto last =
        graph.neighbour.begin() + static_cast<std::ptrdiff_t>(graph.start[v + std::uint64_t{1}]);
    result.weight *=
        graph.weight[static_cast<std::size_t>(std::find(first, last, u) - graph.neighbour.begin())];
  }
  for (Index v = 0; v < graph.vertices(); ++v) {
    for (std::uint64_t k = graph.start[v]; k < graph.start[v + std::uint64_t{1}]; ++k) {
      if (gone[v] || gone[graph.neighbour[k]]) continue;
      result.graph.neighbour.push_back(graph.neighbour[k]);
      result.graph.weight.push_back(graph.weight[k]);
    }
    result.graph.start.push_back(result.graph.neighbour.size());
  }
  return result;
}

std::optional<Index> vertex_to_decide(const ComplementGraph& graph, const RookOrder& order,
                                      const std::vector<Index>& decided) {
  std::vector<bool> removed(graph.vertices());
  for (const Index v : decided) removed[v] = true;
  std::vector<Index> candidates;
  for (const Index v : order.best()) {
    if (!removed[v]) candidates.push_back(v);
  }
  const double size = graph.vertices() + static_cast<double>(graph.neighbour.size());
  const auto affordable = static_cast<std::size_t>(std::max(most_looks / std::max(size, 1.0), 1.0));
  const std::size_t count = std::min({candidates.size(), most_candidates, affordable});
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](Index a, Index b) { return graph.degree(a) < graph.degree(b); });
  const double now = order.evaluate(order.best(), removed).log2_peak;
  std::optional<Index> best;
  double most = 0;
  for (std::size_t k = 0; k < count; ++k) {
    // the least connected ones cost the fewest branches, the most connected ones are in the way most
    const Index v = k % 2 == 0 ? candidates[k / 2] : candidates[candidates.size() - 1 - k / 2];
    std::uint64_t branches = 1;
    for (std::uint64_t e = graph.start[v]; e < graph.start[v + std::uint64_t{1}]; ++e)
      branches += removed[graph.neighbour[e]] ? 0 : 1;
    removed[v] = true;
    const double gain = (now - order.evaluate(order.best(), removed).log2_peak) /
                        std::log2(1 + static_cast<double>(branches));
    removed[v] = false;
    if (best && gain <= most) continue;
    most = gain;
    best = v;
  }
  return best;
}

}  // namespace countpm
