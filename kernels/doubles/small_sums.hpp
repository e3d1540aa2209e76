#pragma once
// The permanent, hafnian or loop hafnian of a small dense matrix of doubles, with a proven bound on the
// error. Permanents by Ryser's formula over column signs, as Nijenhuis and Wilf halve it,
//
//   per(A) = 2^(1-n) sum over s, s_1 = 1, of (prod s_j) prod_i sum_j s_j a_ij,
//
// in the order of a Gray code. Each row is scaled by a power of two so that its magnitudes (|re| + |im|) add
// up to at most 1; an entry is split into a multiple of 2^-51 and one of 2^-99, whose sums are exact, and
// products are carried as pairs without their last term. With u = 2^-53, k the parts of a number (1 real, 2
// complex), r the roundings of a low part (2, 6) and |re| + |im| for magnitudes, which are submultiplicative:
//
//   |low of a sum| <= k n 2u =: l;   |low of a product of i sums| <= i (l + 2u);   a product then errs by
//   n k n 2^-100                        (entries that are cut at 2^-99)
//   + n (n + 1) / 2 (l + 2u) l          (low times low, which is left out)
//   + (n + 1) (n + 2) / 2 (l + 2u) r u  (roundings of the low parts; high parts lose nothing)
//
// and what a sum of N terms in blocks of B rounds in its low parts stands in permanent_bound(). Hafnians go
// from the last vertex to the first over sets of later vertices (walk.inc), in pairs of doubles whose
// operations err by 3.1 u^2 and 5 u^2 (arithmetic/double_double.hpp), relatively to the same sum of
// magnitudes.
#include <complex>
#include <optional>
#include <span>

#include "kernels/support/instruction_sets.hpp"

namespace countpm {

/// |truth - middle| <= radius; the imaginary part is 0 of real numbers. Beside the bound the radius has what
/// rounding to doubles leaves out of the pairs.
struct SmallSum {
  std::complex<double> middle;
  double radius = 0;
};

inline constexpr std::size_t most_small_rows = 20;
inline constexpr std::size_t most_small_vertices = 16;

/// Of rows x rows numbers, row by row: of doubles, or of pairs (re, im) where `complex`. Nothing where it has
/// no rows or more than most_small_rows, where the processor lacks AVX2, where a row is 0, an entry is no
/// finite number, or the result is near the ends of the doubles' range. 2^(rows - 1) rows steps on this
/// thread.
std::optional<SmallSum> small_permanent(std::span<const double> entries, std::size_t rows, bool complex,
                                        LaneChoice lanes = LaneChoice::automatic);

/// Of a symmetric matrix of which the upper triangle is looked at: of its perfect matchings, or with `loops`
/// of all matchings, where the diagonal weighs the vertices that are alone. Nothing likewise, for an odd
/// number of vertices without loops, and for numbers that differ by more than 2^500.
std::optional<SmallSum> small_hafnian(std::span<const double> entries, std::size_t vertices, bool complex,
                                      bool loops, LaneChoice lanes = LaneChoice::automatic);

}  // namespace countpm
