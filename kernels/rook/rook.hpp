#pragma once
// rook: rook numbers of what a dense matrix lacks. With a_ij = c_i - b_ij, B sparse,
//
//   per(A) = sum over k of (-1)^k (n - k)! r_k,   r_k = sum over placements of k rooks on B of the product of
//                                                 their b_ij and of the c_i of the rows without one
//
// (expand the product over rows: rows that take c_i share the free columns in any order). The r_k come from
// eliminating the vertices of B's bipartite graph one by one (rook/plan.hpp) along an order with a narrow
// frontier (rook/order.hpp): O(2^width degree length) additions a vertex and 2^(width + 1) length numbers of
// memory. Rows with c_i = 0 are ordinary sparse rows. J. Riordan, An Introduction to Combinatorial Analysis
// (1958), chapters 7, 8.
//
// Of a graph with odd cycles on n = 2 m vertices, a_uv = c - b_uv:
//
//   haf(A) = sum over k of (-1)^k c^(m - k) (2 (m - k) - 1)!! m_k,   m_k = sum over matchings of k edges of B
//
// since the vertices that k edges leave can be matched in (2 (m - k) - 1)!! ways. The same elimination, of a
// graph without rows. C. D. Godsil, Hermite polynomials and a duality relation for matchings polynomials,
// Combinatorica 1 (1981).
#include "kernels/method.hpp"

namespace countpm {

const Method& rook_method();

}  // namespace countpm
