#pragma once
// low-rank: matrices of small rank, and such with a few rows and columns beside; graphs likewise.
//
// Let B = L R have rank r, with columns l_a of L and rows r_a of R. In
//
//   prod over i of (sum over a of L_ia x_a) = sum over k of P_k x^k,
//   prod over j of (sum over a of R_aj y_a) = sum over k of Q_k y^k,
//
// k runs over r exponents that add up to n, and per(B) = sum over k of k! P_k Q_k, with k! the product of the
// factorials: C(n + r - 1, r - 1) terms. A. I. Barvinok, Two algorithmic results for the traveling salesman
// problem, Math. Oper. Res. 21 (1996) 65. A symmetric matrix whose entries beside the diagonal are
// those of G D G^T, D diagonal, has
//
//   haf = sum over even k of prod over a of (k_a - 1)!! d_a^(k_a / 2) P_k,   P the product of G's rows:
//
// the expectation of a product of Gaussian variables (L. Isserlis, Biometrika 12 (1918)); the hafnian asks
// nothing of the diagonal, so that it is chosen for a small rank. Vertices that may stay alone add their
// weight to their row's sum, times a letter whose powers all count 1.
//
// Rows and columns beside: a row s that is no combination of the others gets a letter z_s with z_s^2 = 0 in
// the product over the columns, sum over a of R_aj y_a + sum over s of A_sj z_s, and so does a column in that
// over the rows. What both leave is a minor of the few entries where such a row meets such a column. Each
// doubles the terms, where its share in the rank would multiply them by some n / r.
//
// All that is done modulo each prime by itself, the decomposition too, which is exact there: whether the rank
// is as small over the rationals is not asked. O(C(n + r - 1, r) r) products and C(n + r - 1, r - 1) words a
// prime.
#include "kernels/method.hpp"

namespace countpm {

const Method& low_rank_method();

}  // namespace countpm
