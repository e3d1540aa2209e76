#pragma once
// enumerate: all n! permutations in lexicographic order, cut into ranges of ranks.
//
//   per(A) = sum over ranks r = 0 .. n! - 1 of prod_i a_{i, p_r(i)}
//
// A unit is a range of ranks: the first permutation comes from its rank in the factorial number system, the
// others from std::next_permutation; a step changes e = 2.718... positions on average, and only the products
// from there on are made again. O(n!) steps whatever the zeros, O(n^2) memory. D. H. Lehmer, Teaching
// combinatorial tricks to a computer, Proc. Symp. Appl. Math. 10 (1960).
#include <gmpxx.h>

#include <vector>

#include "kernels/method.hpp"

namespace countpm {

const Method& enumerate_method();

/// The permutation of 0 .. n - 1 with this rank, 0 <= rank < n!, in lexicographic order. O(n^2) and O(n)
/// divisions.
std::vector<Index> unrank_permutation(mpz_class rank, Index n);

}  // namespace countpm
