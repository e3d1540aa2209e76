#pragma once
// The symbolic side of multifrontal elimination: which vertices are eliminated together, in which dense
// front, and what each front passes on to its parent. One analysis serves every prime.
//
// A front F owns vertices that are eliminated in it, and has a border: the later vertices that its subtree
// touches. Its matrix is the sum of what its children pass on (their borders, and whatever vertices they
// could not eliminate: "delayed") and of the edges that it owns. The border of a child lies within its
// parent's vertices. O(sum of border sizes) time and memory: O(n log n) for nested dissection of a planar
// graph. I. S. Duff, J. K. Reid, The multifrontal solution of indefinite sparse symmetric linear equations,
// ACM Trans. Math. Software 9 (1983) 302; J. W. H. Liu, SIAM Review 34 (1992) 82.
#include <cstdint>
#include <vector>

#include "kernels/planar/orientation/block_graph.hpp"

namespace countpm::planar {

struct Front {
  std::vector<Index> own;     // in the order of elimination
  std::vector<Index> border;  // in the order of elimination, all later than own
  std::vector<Index> edges;   // those whose earlier end is owned
  Index children = 0;         // they are the last subtrees before this front that no front between has taken
};

/// What the elimination costs where no pivot is zero by accident.
struct FrontWork {
  double multiplications = 0;     // modulo one prime, other work converted at its cost
  std::uint64_t front_words = 0;  // of the largest front, one word an entry
  std::uint64_t stack_words = 0;  // of the passed-on blocks at their peak
};

/// Of one front: rows x columns, of which so many pivots are eliminated (vertices where not bipartite).
double front_multiplications(double rows, double columns, double pivots, bool bipartite);

struct FrontTree {
  std::vector<Front> fronts;    // in postorder
  std::vector<FrontWork> work;  // of each front: its own multiplications and front words
  FrontWork total;
};

/// `order` as dissection_order() gives it. The last `together` vertices of the order, if any, are one root
/// front, the last one, whatever their edges. On so many threads; the same for any number of them.
FrontTree front_tree(const BlockGraph& graph, const std::vector<Index>& order, Index together = 0,
                     int threads = 1);

}  // namespace countpm::planar
