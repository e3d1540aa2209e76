#pragma once
// The entries of K^-1 that belong to a front, from its factors and those of its parent ("selected
// inversion").
//
//   front = (A B; C D),  A = L U the pivots;  of K^-1, columns of the front by its rows:
//   G_bb = the parent's,  G_ba = -G_bb C A^-1,  G_ab = -A^-1 B G_bb,  G_aa = A^-1 - A^-1 B G_ba.
// K. Takahashi, J. Fagan, M.-S. Chen, Formation of a sparse bus impedance matrix (1973); L. Lin et al.,
// SelInv, ACM Trans. Math. Software 37 (2011) 40. About twice the multiplications of the elimination.
#include <vector>

#include "kernels/planar/elimination/front_matrix.hpp"
#include "kernels/planar/elimination/lane_words.hpp"
#include "kernels/planar/orientation/block_graph.hpp"

namespace countpm::planar {

/// A front after its elimination, kept for the way back: L U with ones on the diagonal of L.
struct FactoredFront {
  FrontMatrix matrix;  // its data are `words`
  LaneWords words;
  std::size_t done = 0;  // pivots
  /// The first pivot whose inverse counts, where that of a mended matrix is wanted without the part that the
  /// ones of the mended rows do not bring: G(x) = G + N M / x for ones that are x, of which N M.
  std::size_t counted_from = 0;

  FactoredFront() = default;
  /// Of a bipartite graph.
  FactoredFront(const FrontMatrix& front, std::size_t pivots);
};

/// A skew front as eliminate_skew_front() leaves it, written as the front of a bipartite graph that has every
/// vertex v twice: as row v and as column `vertices` + v. With the rows (0 a x) and (-a 0 y) of a pair i, j
/// swapped, the pairs' rows are upper triangular, and the rows k below are x_k / a times the first of them
/// (-a 0 y) less y_k / a times the second (0 a x).
FactoredFront factored_skew_front(const FrontMatrix& front, std::size_t pivots, Index vertices,
                                  const LaneArithmetic& lanes);

/// Either of the two, as the graph is. O(pivots size) for a skew front.
FactoredFront factored_front(const BlockGraph& graph, const FrontMatrix& front, std::size_t pivots,
                             const LaneArithmetic& lanes);

/// Element (c, r): the entry of K^-1 at column vertex c and row vertex r.
struct InverseFront {
  std::vector<Index> column_vertex;
  std::vector<Index> row_vertex;
  std::size_t stride = 0;  // elements
  std::size_t width = 1;   // words an element
  LaneWords words;

  std::uint64_t* at(std::size_t column, std::size_t row) const {
    return words.data() + (column * stride + row) * width;
  }
};

/// `parent` holds every row and column that the front passed on, at place[vertex]; null where it passed on
/// none. `front` is used up.
InverseFront inverse_front(FactoredFront& front, const InverseFront* parent, const std::vector<Index>& place,
                           const LaneArithmetic& lanes);

/// target -= left right, of any depth.
void subtract_any_product(ProductTask task, const LaneArithmetic& lanes);

}  // namespace countpm::planar
