#pragma once
// How large the determinant (Pfaffian) of an oriented planar graph's matrix can be: fewer primes than any
// bound on the permanent of its magnitudes asks for.
//
// With rows a_1, ..., a_n in any order, |det K|^2 = det(K K^T) is the product of the squared distances of
// each row from the span of those before it (Gram and Schmidt). A distance is at most that from any one
// vector of the span:
//   |det K| <= prod over k of | a_k - sum over j < k of x_kj a_j |
// for every choice of the numbers x,
// J. Hadamard's inequality where all x are 0 (Bull. Sci. Math. 17 (1893) 240), and at least as good as E.
// Fischer's for blocks (Arch. Math. Phys. 13 (1908) 32) where the x are those of a least-squares fit. Here
// each row is fitted by a few rows near it: L. Yu. Kolotilina, A. Yu. Yeremin, Factorized sparse approximate
// inverse preconditionings I, SIAM J. Matrix Anal. Appl. 14 (1993) 45. The fit is computed in doubles and
// need not be good: what is proved is the norm of what is left, evaluated with everything rounding may have
// lost added to it. A Pfaffian is the square root of a determinant. O(rows near^3) time, O(entries) memory.
#include "kernels/planar/orientation/signed_matrix.hpp"

namespace countpm::planar {

/// An upper bound on log2 |det| (rows x columns) or log2 |Pf|, rounded upwards. Rows come in the order of
/// their numbers: row by row, as lattices have it, was the best order on them of four tried, and any other
/// serves. near: how many rows each is fitted by at most. open[v], if given: vertices whose rows fit none
/// and are fitted by none, so that the bound is one for every matrix in which entries between open vertices
/// have other signs or are zero, and whole columns of open vertices are zero. On so many threads, and the
/// same for any number of them.
double log2_determinant_bound(const SignedMatrix& matrix, unsigned near, int threads = 1,
                              const std::vector<std::uint8_t>& open = {});

}  // namespace countpm::planar
