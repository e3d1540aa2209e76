#pragma once
// planar: perfect matchings of planar graphs in polynomial time, by Kasteleyn's theorem.
//
//   count = sign * det K  (bipartite),   count = sign * Pf K  (any),   K = oriented weights,
//
// the sign that of one perfect matching's term, so that signed weights come out right, too. Per prime one
// sparse elimination in nested-dissection order; the primes of the arithmetic, eight to a unit, determine the
// count. O(n^1.5) multiplications a prime and O(n) bits of count, so O(n^2.5) in all; O(n log n) memory.
// A Pfaffian is eliminated as such, in pairs of rows, and needs half the primes of the square root of a
// determinant. H. N. V. Temperley, M. E. Fisher, Dimer problem in statistical mechanics, Phil. Mag. 6 (1961)
// 1061; P. W. Kasteleyn, Physica 27 (1961) 1209; R. J. Lipton, D. J. Rose, R. E. Tarjan (dissection.hpp).
#include "kernels/method.hpp"

namespace countpm {

const Method& planar_method();

}  // namespace countpm
