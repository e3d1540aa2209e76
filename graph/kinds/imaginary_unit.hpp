#pragma once
// Complex weights counted exactly: i is replaced by a power of two so large that the sum over all matchings,
// then a polynomial in it, shows its coefficients as digits (L. Kronecker's substitution).
//
// With weights a + b i, rational parts, the sum is P(i), P(T) = sum_k c_k T^k the same sum of a + b T. L_v
// the least common multiple of the denominators at line v (a left vertex; undirected: any vertex), r_v its
// sum of |a| + |b|: prod L_v P has integer coefficients, each at most prod L_v max(1, r_v) in magnitude
// (sides of different sizes: 1 + r_v). T is a power of two more than twice that. i^k is 1, i, -1, -i in turn.
// A loop, by which a vertex stays alone, is in L_v and r_v once: vertex by vertex, one that is still free
// takes an edge or stays alone, so that the magnitudes of all matchings add up to at most prod max(1, r_v).
#include <gmpxx.h>

#include <vector>

#include "graph/graph.hpp"

namespace countpm {

/// What takes a sum of such weights back to a complex number.
struct ImaginaryUnit {
  unsigned bits = 0;    // of T
  mpz_class scale = 1;  // prod L_v
};

/// Makes rational numbers of a graph's complex weights. Throws UsageError where sets of other sizes than two
/// are covered (Graph::covers, tiles); UnableError where the sum may have more than 16 million bits. O(edges)
/// operations on numbers of so many bits.
ImaginaryUnit replace_imaginary_unit(Graph& graph);

/// The weights of a graph of any kind, as complex numbers.
std::vector<ComplexRational> complex_weights(const Graph& graph);

/// The sum that was counted with those. Throws CheckError where it can be none.
ComplexRational with_imaginary_unit(const mpq_class& packed, const ImaginaryUnit& unit);

}  // namespace countpm
