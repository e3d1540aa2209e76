#pragma once
// What a hafnian in floating point loses.
#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/hafnian/simd.hpp"

namespace countpm::pair_sets {

/// How often a term of a set's result may have been rounded on its way, at most: a conversion an edge, a
/// multiplication where two ways are joined, and the additions of the sums that it is part of (two of complex
/// products, one of them for each part, count once). If each errs by e relatively to the magnitudes summed,
/// the result errs by at most (1 + e)^roundings - 1 of what it would be of the entries' magnitudes.
/// O(pairs^3).
double roundings_of(const PairShape& shape);

/// How what is computed errs, relatively to the magnitudes summed: e, and a sum of results.
struct Errors {
  double rounding = 0;
  double summing = 0;
};
/// In the numbers of simd.hpp but residues, each sum one of at most so many sets' results.
Errors lane_errors(lanes::Kind kind, const PairShape& shape, double sets);

/// Makes the sum of what sets give of the entries' magnitudes one from above: positive numbers in doubles,
/// some thousand roundings each.
inline constexpr double of_magnitudes = 1 + 0x1p-20;
/// What products that vanish may lose in a unit; smallest: of the entries' sizes.
double lost_below(double smallest, const PairShape& shape);
/// The radius grows by the error of a sum of sets' results; of entries' magnitudes they would be
/// `magnitudes`.
void add_error(Ball& ball, const PairShape& shape, const Errors& errors, double magnitudes, double lost);

}  // namespace countpm::pair_sets
