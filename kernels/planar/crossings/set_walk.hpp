#pragma once
// All sets of disjoint crossing edges, one decision after another: what two sets begin with is gone through
// once.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/planar/orientation/block_graph.hpp"

namespace countpm::planar {

/// For each of the first crossing edges, in the order of deciding: whether it is taken.
using Decisions = std::vector<std::uint8_t>;

/// After a decision: go on with the next one, leave out all sets that begin so, or end the walk.
enum class Way : std::uint8_t { on, out, end };

class SetWalk {
 public:
  /// edges: in the order of deciding; both outlive it. first: what the first decisions are.
  SetWalk(const BlockGraph& graph, const std::vector<Index>& edges, const Decisions& first)
      : graph_(graph), edges_(edges), first_(first), taken_(edges.size(), 0), used_(graph.vertices, 0) {}

  std::size_t decisions() const { return edges_.size(); }
  Index edge(std::size_t decision) const { return edges_[decision]; }
  bool is_taken(std::size_t decision) const { return taken_[decision] != 0; }
  bool is_used(Index vertex) const { return used_[vertex] != 0; }

  /// decide(k): decision k has been made, a Way is wanted; undo(k): it was to take the edge, and is taken
  /// back; all(): of a set all decisions have been made, a Way is wanted. False where the walk was ended.
  template <class Decide, class Undo, class All>
  bool run(const Decide& decide, const Undo& undo, const All& all) {
    std::vector<std::uint8_t> tried(edges_.size(), 0);
    for (std::size_t depth = 0;;) {
      if (depth == edges_.size() || tried[depth] == 2) {
        if (depth == edges_.size() && all() == Way::end) return false;
        if (depth == 0) return true;
        --depth;
        take_back(depth, undo);
        continue;
      }
      const std::uint8_t taken = tried[depth]++;
      if (depth < first_.size() && taken != first_[depth]) continue;
      const BlockGraph::Edge& ends = graph_.edges[edges_[depth]];
      if (taken != 0 && (used_[ends.a] != 0 || used_[ends.b] != 0)) continue;
      if (taken != 0) taken_[depth] = used_[ends.a] = used_[ends.b] = 1;
      const Way way = decide(depth);
      if (way == Way::end) return false;
      if (way == Way::out) {
        take_back(depth, undo);
      } else if (++depth < edges_.size()) {
        tried[depth] = 0;
      }
    }
  }

 private:
  template <class Undo>
  void take_back(std::size_t depth, const Undo& undo) {
    if (taken_[depth] == 0) return;
    undo(depth);
    const BlockGraph::Edge& ends = graph_.edges[edges_[depth]];
    taken_[depth] = used_[ends.a] = used_[ends.b] = 0;
  }

  const BlockGraph& graph_;
  const std::vector<Index>& edges_;
  const Decisions& first_;
  std::vector<std::uint8_t> taken_;
  std::vector<std::uint8_t> used_;
};

}  // namespace countpm::planar
