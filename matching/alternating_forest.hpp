#pragma once
// Alternating trees with blossoms: what a matching of a general graph is grown, shown to be maximum, and
// changed with.
//
// A vertex is outer where a path of even length leads to it from the root of its tree, every other edge of
// it in the matching; inner where only odd ones do. An edge between two outer vertices of one tree closes
// an odd cycle: it shrinks into a blossom, all of whose vertices are outer and whose base stands for it. An
// edge between two trees joins two such paths to one that augments the matching.
// J. Edmonds, Paths, trees, and flowers, Canad. J. Math. 17 (1965). H. N. Gabow, An efficient implementation
// of Edmonds' algorithm for maximum matching on graphs, J. ACM 23 (1976).
#include <cstdint>
#include <utility>
#include <vector>

#include "graph/sparse_matrix.hpp"

namespace countpm {

/// The forest of one search at a time; a new search forgets the last. A search is O(entries log vertices) at
/// worst, in practice O(entries reached); no recursion; O(vertices) memory. `mate[v]` is no_index where v is
/// free. The graph (a symmetric pattern without a diagonal) must outlive the forest.
class AlternatingForest {
 public:
  explicit AlternatingForest(const SparsePattern& graph);

  /// As if the vertex were not there, until it is restored. Its mate, if any, must be removed or free.
  void remove(Index vertex) { removed_[vertex] = true; }
  void restore(Index vertex) { removed_[vertex] = false; }
  bool removed(Index vertex) const { return removed_[vertex]; }

  /// Grows trees from all roots at once and augments wherever two meet; the two trees are then left alone.
  /// The roots are all free vertices that are not removed. Returns by how many edges the matching has grown:
  /// 0 if and only if it is maximum.
  Index augment(const std::vector<Index>& roots, std::vector<Index>& mate);

  /// Grows the tree of one free vertex to its end, or until all of `wanted` (each listed once) are outer. No
  /// path from the root to another free vertex may exist (the matching is maximum, or it is the only one).
  void grow(Index root, const std::vector<Index>& mate, const std::vector<Index>& wanted = {});
  /// How many entries all calls of grow have looked at.
  std::uint64_t steps() const { return steps_; }
  /// Of the last search.
  bool is_outer(Index vertex) const { return label_[vertex] >= Label::outer; }
  bool is_inner(Index vertex) const { return label_[vertex] == Label::inner; }
  const std::vector<Index>& reached() const { return reached_; }
  /// Outer vertices of one blossom have one base.
  Index base(Index vertex);
  /// After grow(root): exchanges the matching along the even path from the root to `outer`, which is then the
  /// free one.
  void exchange(Index root, Index outer, std::vector<Index>& mate);

 private:
  enum class Label : std::uint8_t { none, inner, outer, blossom };  // blossom: was inner, became outer

  void forget();
  void plant(Index root);
  void make_outer(Index vertex, Label label);
  void look_at(Index from, Index to, const std::vector<Index>& mate);
  Index common_base(Index a, Index b, const std::vector<Index>& mate);
  void shrink(Index from, Index to, Index into, const std::vector<Index>& mate);
  void collect(Index from, Index to, const std::vector<Index>& mate);
  void apply(std::vector<Index>& mate);

  const SparsePattern& graph_;
  std::vector<bool> removed_;
  std::vector<Label> label_;
  std::vector<Index> tree_;  // its root
  std::vector<Index> from_;  // of a vertex that is or was inner: the outer one that it was reached from
  std::vector<Index> link_;  // towards the base of the blossom
  std::vector<std::pair<Index, Index>>
      bridge_;               // the edge that closed the blossom: this vertex's side, other
  std::vector<bool> spent_;  // of a root: its tree has been augmented
  std::vector<std::uint64_t> seen_;
  std::uint64_t now_ = 0;
  std::vector<bool> wanted_;
  std::size_t wanted_left_ = 0;
  std::uint64_t steps_ = 0;
  std::vector<Index> reached_;                  // labelled
  std::vector<Index> queue_;                    // outer, in the order of discovery
  std::vector<std::pair<Index, Index>> pairs_;  // collected: edges to be matched
  std::vector<std::pair<Index, Index>> paths_;  // to be collected: both ends
};

}  // namespace countpm
