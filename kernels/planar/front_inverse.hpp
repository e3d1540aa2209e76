#pragma once
// The entries of K^-1 that belong to a front, from its factors and those of its parent ("selected
// inversion").
//
//   front = (A B; C D),  A = L U the pivots;  of K^-1, columns of the front by its rows:
//   G_bb = the parent's,  G_ba = -G_bb C A^-1,  G_ab = -A^-1 B G_bb,  G_aa = A^-1 - A^-1 B G_ba.
// K. Takahashi, J. Fagan, M.-S. Chen, Formation of a sparse bus impedance matrix (1973); L. Lin et al.,
// SelInv, ACM Trans. Math. Software 37 (2011) 40. About twice the multiplications of the elimination.
#include <vector>

#include "kernels/planar/front_matrix.hpp"
#include "kernels/planar/lane_words.hpp"

namespace countpm::planar {

/// A bipartite front after its elimination, kept for the way back.
struct FactoredFront {
  FrontMatrix matrix;  // its data are `words`
  LaneWords words;
  std::size_t done = 0;  // pivots

  FactoredFront() = default;
  FactoredFront(const FrontMatrix& front, std::size_t pivots);
};

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
