#pragma once
// All perfect matchings of a general graph, one after another, in lexicographic order.
//
// Vertices are decided in order: the first undecided one, u, takes each partner in turn. With a perfect
// matching of what is undecided at hand, the partners that leave a perfect matching are the outer vertices of
// the alternating tree that grows, without u, from u's mate: no branch is entered in vain, and the path in
// the tree turns the matching into one that holds the new edge. A vertex with one undecided neighbour needs
// no search. So the time to the next matching is O(vertices entries) at most.
#include <cstdint>
#include <functional>
#include <vector>

#include "graph/sparse_matrix.hpp"
#include "matching/alternating_forest.hpp"

namespace countpm {

/// Memory O(vertices), no recursion. The graph must outlive the search.
class GeneralMatchingSearch {
 public:
  /// Precondition: `mate` is a perfect matching. Perfect matchings that differ beyond the first `decided`
  /// vertices alone are one.
  GeneralMatchingSearch(const SparsePattern& graph, std::vector<Index> mate,
                        std::function<bool()> interrupted, Index decided = no_index);

  /// The next `number` matchings are left out, one by one.
  void skip(std::uint64_t number) { to_skip_ = number; }
  /// Moves to the next matching; false after the last. Throws InterruptedError.
  bool next();
  /// The partner of every vertex, in the matching that next() moved to.
  const std::vector<Index>& mate() const { return mate_; }

 private:
  // A decision: the partner of `vertex`, which stands before entry `at`.
  struct Decision {
    Index vertex;
    std::uint64_t at;
  };

  bool step();
  bool descend();
  bool advance(Decision& decision);

  const SparsePattern& graph_;
  std::function<bool()> interrupted_;
  Index decided_;
  AlternatingForest forest_;  // decided vertices are removed
  std::vector<Index> mate_;
  std::vector<Decision> decisions_;
  std::uint64_t to_skip_ = 0;
  bool started_ = false;
};

}  // namespace countpm
