#include "matching/parity_cuts.hpp"

#include <algorithm>

#include "graph/stop_poll.hpp"

namespace countpm {
namespace {

class Search {
 public:
  explicit Search(const SparsePattern& graph)
      : graph_(graph),
        found_(graph.rows, no_index),
        low_(graph.rows, no_index),
        size_(graph.rows, 1),
        parent_(graph.rows, no_index),
        next_(graph.row_start.begin(), graph.row_start.end() - 1),
        by_order_(graph.rows),
        forbidden_(graph.entries(), false) {}

  std::vector<bool> run() {
    for (Index root = 0; root < graph_.rows; ++root) {
      if (found_[root] == no_index) explore(root);
    }
    return std::move(forbidden_);
  }

 private:
  void explore(Index root) {
    const Index first = order_;
    discover(root);
    for (Index v = root; v != no_index;) {
      poll_.step();
      if (next_[v] == graph_.row_start[v + std::uint64_t{1}]) {
        const Index up = parent_[v];
        if (up != no_index) {
          low_[up] = std::min(low_[up], low_[v]);
          size_[up] += size_[v];
        }
        v = up;
        continue;
      }
      const Index w = graph_.column[next_[v]++];
      if (found_[w] == no_index) {
        parent_[w] = v;
        discover(w);
        v = w;
      } else {
        low_[v] = std::min(low_[v], found_[w]);
      }
    }
    // A vertex's children stand behind it in the order: each gathers those that it alone holds to the rest.
    for (Index k = first; k < order_; ++k) decide(by_order_[k], parent_[by_order_[k]] == no_index);
  }

  void discover(Index v) {
    by_order_[order_] = v;
    found_[v] = low_[v] = order_++;
  }

  // The children of v whose subtrees hang on v alone, by order: the subtree of child w is what was found at
  // found_[w] .. found_[w] + size_[w] - 1.
  void decide(Index v, bool root) {
    poll_.steps(graph_.row_degree(v));
    children_.clear();
    Index below = 0;
    for (std::uint64_t k = graph_.row_start[v]; k < graph_.row_start[v + std::uint64_t{1}]; ++k) {
      const Index w = graph_.column[k];
      if (parent_[w] != v || low_[w] < found_[v]) continue;
      children_.push_back(w);
      below += size_[w];
    }
    if (children_.empty() || (root && children_.size() == 1)) return;
    std::sort(children_.begin(), children_.end(), [&](Index a, Index b) { return found_[a] < found_[b]; });
    // With a perfect matching the component is even: the rest and v, and what is below, add up to that.
    const bool rest_is_odd = below % 2 == 0;
    for (std::uint64_t k = graph_.row_start[v]; k < graph_.row_start[v + std::uint64_t{1}]; ++k) {
      const Index w = graph_.column[k];
      auto child = std::upper_bound(children_.begin(), children_.end(), found_[w],
                                    [&](Index order, Index at) { return order < found_[at]; });
      const bool hangs = child != children_.begin() && found_[w] - found_[child[-1]] < size_[child[-1]];
      if (hangs ? size_[child[-1]] % 2 != 0 : rest_is_odd) continue;
      forbidden_[k] = true;
      const auto row = graph_.column.begin();
      const auto mirror =
          std::lower_bound(row + static_cast<std::ptrdiff_t>(graph_.row_start[w]),
                           row + static_cast<std::ptrdiff_t>(graph_.row_start[w + std::uint64_t{1}]), v);
      forbidden_[static_cast<std::size_t>(mirror - row)] = true;
    }
  }

  const SparsePattern& graph_;
  std::vector<Index> found_;  // when the search came to the vertex
  std::vector<Index> low_;    // the earliest vertex next to its subtree
  std::vector<Index> size_;   // of its subtree
  std::vector<Index> parent_;
  std::vector<std::uint64_t> next_;
  std::vector<Index> by_order_;
  std::vector<Index> children_;
  std::vector<bool> forbidden_;
  Index order_ = 0;
  StopPoll poll_;
};

}  // namespace

std::vector<bool> parity_cuts(const SparsePattern& graph) {
  return Search(graph).run();
}

}  // namespace countpm
