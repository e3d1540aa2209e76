#include "kernels/planar/crossings/exchange.hpp"

#include <algorithm>
#include <set>

#include "graph/stop_signal.hpp"
#include "kernels/planar/crossings/curves.hpp"

namespace countpm::planar {
namespace {

class Exchange {
 public:
  Exchange(const BlockGraph& graph, std::vector<Index> crossing, double work)
      : graph_(graph), crossing_(std::move(crossing)), work_left_(work) {}

  std::vector<Index> run() {
    constexpr unsigned most_failures = 8;  // in a row
    std::optional<PlanarPart> part = rest(crossing_);
    for (unsigned failures = 0; part && failures < most_failures && work_left_ > 0;) {
      const Curves curves = draw_curves(graph_, *part, 1);
      const Index barrier = most_crossed(curves);
      if (barrier == no_index) break;
      tried_.insert(barrier);
      std::vector<Index> other = without(*part, curves, barrier);
      ++failures;
      if (other.size() >= crossing_.size()) continue;
      std::optional<PlanarPart> other_part = rest(other);
      if (!other_part) continue;
      crossing_ = std::move(other);
      part = std::move(other_part);
      failures = 0;
    }
    return crossing_;
  }

 private:
  std::optional<PlanarPart> rest(const std::vector<Index>& crossing) {
    take_work(graph_.edges.size());
    return planar_rest(graph_, crossing);
  }
  void take_work(std::size_t edges) {
    check_stop();
    work_left_ -= static_cast<double>(graph_.vertices) + static_cast<double>(edges);
  }

  /// By two curves at least, and not tried before.
  Index most_crossed(const Curves& curves) const {
    std::vector<std::uint32_t> times(graph_.edges.size(), 0);
    for (const std::vector<Index>& crossed : curves.crossed) {
      for (const Index e : crossed) ++times[e];
    }
    for (const Index e : tried_) times[e] = 0;
    const auto most = std::max_element(times.begin(), times.end());
    return most == times.end() || *most < 2 ? no_index : static_cast<Index>(most - times.begin());
  }

  /// What crosses where the barrier does and, of those whose curves cross it, only those that do not fit
  /// then.
  std::vector<Index> without(const PlanarPart& part, const Curves& curves, Index barrier) {
    std::vector<Index> result{barrier};
    std::vector<std::pair<std::size_t, Index>> kept_out;
    for (std::size_t i = 0; i < part.crossing.size(); ++i) {
      const std::vector<Index>& crossed = curves.crossed[i];
      if (std::find(crossed.begin(), crossed.end(), barrier) == crossed.end()) {
        result.push_back(part.crossing[i]);
      } else {
        kept_out.emplace_back(crossed.size(), part.crossing[i]);
      }
    }
    std::sort(kept_out.begin(), kept_out.end());
    BlockGraph grown = part.graph;
    std::erase_if(grown.edges, [&](const BlockGraph::Edge& edge) {
      return edge.a == graph_.edges[barrier].a && edge.b == graph_.edges[barrier].b;
    });
    for (const auto& [length, e] : kept_out) {
      grown.edges.push_back(graph_.edges[e]);
      take_work(grown.edges.size());
      if (test_planarity(grown).planar) continue;
      grown.edges.pop_back();
      result.push_back(e);
      if (result.size() >= crossing_.size()) break;
    }
    return result;
  }

  const BlockGraph& graph_;
  std::vector<Index> crossing_;
  double work_left_;
  std::set<Index> tried_;
};

}  // namespace

std::vector<Index> exchanged(const BlockGraph& graph, std::vector<Index> crossing, double work) {
  return Exchange(graph, std::move(crossing), work).run();
}

}  // namespace countpm::planar
