#pragma once
// A rook polynomial as a sum over what some vertices do: each, in turn, shares a rook with a neighbour that
// is still there, or takes none,
//
//   R(G) = base_v R(G - v) + t sum over neighbours u of v of b_vu R(G - v - u)
//
// so that the graphs that are left have narrower frontiers.
#include <cstddef>
#include <optional>
#include <vector>

#include "kernels/rook/complement_graph.hpp"
#include "kernels/rook/order.hpp"

namespace countpm {

/// weight t^rooks R(graph) is the branch's share. Decided vertices have no edges; the base of a row that
/// holds a rook is 1.
struct RookBranch {
  ComplementGraph graph;
  mpz_class weight = 1;
  std::size_t rooks = 0;
};

class RookBranches {
 public:
  /// One branch, nothing decided.
  RookBranches() : partner_(1) {}

  /// The same with one vertex more; empty where that makes more than `most` branches. Precondition: v is none
  /// of those decided.
  std::optional<RookBranches> with(const ComplementGraph& graph, Index v, std::size_t most) const;

  std::size_t size() const { return partner_.size(); }
  const std::vector<Index>& decided() const { return decided_; }
  /// O(vertices + edges).
  RookBranch branch(const ComplementGraph& graph, std::size_t number) const;

 private:
  std::vector<Index> decided_;
  std::vector<std::vector<Index>> partner_;  // [branch][decided]: no_index where it takes no rook of its own
};

/// The vertex to decide next: the one that narrows the order's tables most for the branches that it makes.
/// Empty where no vertex with an edge is left. O(candidates edges).
std::optional<Index> vertex_to_decide(const ComplementGraph& graph, const RookOrder& order,
                                      const std::vector<Index>& decided);

}  // namespace countpm
