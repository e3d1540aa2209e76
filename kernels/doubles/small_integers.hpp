#pragma once
// The permanent of a small dense matrix of integers, and the sum over the injections of the rows of a
// rectangle, in SIMD lanes: modulo 2^64 and in doubles, which are off by less than half of the modulus, so
// that the two are one integer; where they are further from each other than the error's bound, one of them is
// wrong. Then once more modulo 2^64, of the columns, or of rows and columns backwards. With u = 2^-53 and P
// the product of the rows' sums of magnitudes:
//
//   permanents, by Ryser's formula over column signs as in small_sums.hpp. The sum is 2^(n-1) per(A), so that
//   per(A) is known modulo 2^(65-n). A product errs by n u P; a term passes at most steps_of_a_block +
//   steps / steps_of_a_block + 8 sums, each of at most so many terms.
//   injections, by dynamic programming over sets of rows. A product passes at most m + n (m + 1) roundings.
#include <cstdint>
#include <optional>
#include <span>

#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/support/instruction_sets.hpp"

namespace countpm {

/// Beyond these the planner's methods are faster.
inline constexpr std::size_t most_integer_rows = 13;
inline constexpr std::size_t most_injected_rows = 14;

/// Of rows x rows integers, row by row. Nothing where there are fewer than 4 rows or more than
/// most_integer_rows, where P is too large, and where the processor lacks AVX2. 2^rows rows steps on this
/// thread. Throws CheckError where two sums do not belong together.
std::optional<int128> small_integer_permanent(std::span<const std::int64_t> entries, std::size_t rows,
                                              LaneChoice lanes = LaneChoice::automatic);

/// Of rows x columns integers, row by row, with columns >= rows. Nothing likewise, for fewer than 3 rows and
/// more than most_injected_rows. 2^rows rows columns steps.
std::optional<int128> small_integer_injections(std::span<const std::int64_t> entries, std::size_t rows,
                                               std::size_t columns, LaneChoice lanes = LaneChoice::automatic);

}  // namespace countpm
