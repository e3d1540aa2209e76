#pragma once
// From permanents to hafnians: bound and denominator of a general block.
//
// Bound: haf(|A|)^2 <= per(|A|) for symmetric A. The square is the sum over ordered pairs of perfect
// matchings; the union of a pair is a set of even cycles and doubled edges, so that each pair contributes the
// term of a permutation with even cycles only, and a permutation with c cycles longer than 2 is reached by
// 2^c pairs, as many as there are permutations with the same edges. So Bregman-Minc gives prod (d_i!)^(1 / (2
// d_i)). N. Alon, S. Friedland, The maximum number of perfect matchings in graphs with a given degree
// sequence, Electron. J. Combin. 15 (2008) N13.
//
// With monomers, of weight y_v where v stays alone: lhaf(|A|)^2 <= prod_v (y_v^2 + sum_u |a_uv|). The union
// of an ordered pair of matchings is a set of cycles and doubled edges as above, of vertices that both leave
// alone, and of paths, at each end of which one of the two leaves a vertex alone. Expand the product: every
// vertex chooses a neighbour or, by y_v^2, itself. The two pairs with a given path from u to v contribute 2
// y_u y_v times its edges, at most (y_u^2 + y_v^2) times them: the choices along the path towards v and
// towards u.
//
// Denominator: with L_v the least common multiple of the denominators at v, an edge uv of a perfect matching
// has a denominator that divides both L_u and L_v. So, for every prime p, it has at most (v_p(L_u) +
// v_p(L_v)) / 2 factors p, and the whole term at most half the factors p of P = prod L_v, since the matching
// uses every vertex once. (With monomers a vertex alone may have all of L_v: D = P.) Any D with 2 v_p(D) >=
// v_p(P) for all p therefore makes D haf(A) an integer.
#include <gmpxx.h>

#include <vector>

namespace countpm {

/// Such a D, close to sqrt(P): primes below 50 are counted one by one, what is left of the L_v is grouped by
/// value, of k equal ones (k + 1) / 2 are taken. `row_denominators`: the L_v that are not 1.
mpz_class hafnian_denominator(const std::vector<mpz_class>& row_denominators);

/// log2 of a bound on |haf(A)| D, rounded upwards, from log2 of one on per(|A|) P.
double hafnian_bound(double log2_permanent_bound, const std::vector<mpz_class>& row_denominators);

}  // namespace countpm
