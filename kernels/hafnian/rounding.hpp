#pragma once
// What a hafnian in floating point loses.
#include "kernels/hafnian/pair_walk.hpp"

namespace countpm::pair_sets {

/// How often a term of a set's result may have been rounded on its way, at most: a conversion an edge, a
/// multiplication where two ways are joined, and the additions of the sums that it is part of (two of complex
/// products, one of them for each part, count once). If each errs by e relatively to the magnitudes summed,
/// the result errs by at most (1 + e)^roundings - 1 of what it would be of the entries' magnitudes.
/// O(pairs^3).
double roundings_of(const PairShape& shape);

/// e in the numbers of simd.hpp: of complex doubles, and of pairs of doubles, whose sums of products lose
/// more the longer they are.
double complex_rounding();
double real_pair_rounding(const PairShape& shape);
double complex_pair_rounding(const PairShape& shape);

}  // namespace countpm::pair_sets
