#pragma once
// The dense matrix of one front, and the elimination of what is complete in it.
#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/method.hpp"
#include "kernels/planar/elimination/lane_arithmetic.hpp"

namespace countpm::planar {

/// Rows 0 .. summed_rows - 1 and columns 0 .. summed_columns - 1 are complete: nothing will be added to them
/// any more. Skew fronts: as many columns as rows, the same vertices, and only entries above the diagonal.
struct FrontMatrix {
  std::uint64_t* data = nullptr;
  std::size_t stride = 0;  // elements
  std::size_t width = 1;   // words an element
  std::vector<Index> row_vertex;
  std::vector<Index> column_vertex;  // bipartite
  std::size_t summed_rows = 0;
  std::size_t summed_columns = 0;

  std::uint64_t* at(std::size_t row, std::size_t column) const {
    return data + (row * stride + column) * width;
  }
};

/// What the elimination leaves behind: det (Pf) = sign of the pivots' order * product.
struct Pivots {
  std::vector<std::pair<Index, Index>> vertices;  // (row, column), or the two rows of a skew pair
  std::vector<std::uint64_t> product;             // an element
};

/// Eliminates pivots among the complete rows and columns until none is left but zeros there; returns how
/// many. Row and column k < result are pivot k's; rows and columns from there on hold the Schur complement.
/// P A Q = L U, by Crout's order within panels. O(pivots rows columns). Throws PivotsDiffer, Stopped.
std::size_t eliminate_front(FrontMatrix& front, const LaneArithmetic& lanes, Pivots& pivots,
                            const StopSignal& stop);

/// The same for skew-symmetric fronts, two rows at a time: with a = A_ij != 0,
///   A_kl := A_kl - (A_ik A_jl - A_jk A_il) / a,   Pf(A) = +-a Pf(rest).
/// Returns how many vertices are eliminated. Rows 2k and 2k + 1 < result hold pair k's rows above the
/// diagonal, as they were when it was eliminated. B. N. Parlett, J. K. Reid, BIT 10 (1970) 386; M. Wimmer,
/// ACM Trans. Math. Software 38 (2012) 30.
std::size_t eliminate_skew_front(FrontMatrix& front, const LaneArithmetic& lanes, Pivots& pivots,
                                 const StopSignal& stop);

}  // namespace countpm::planar
