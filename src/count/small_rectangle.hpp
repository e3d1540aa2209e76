#pragma once
// The sum over the injections of the shorter side of a small dense matrix into the longer one.
#include <optional>
#include <variant>

#include "src/count/small_matrix.hpp"

namespace countpm {

inline constexpr std::size_t most_direct_columns = 64;

/// small_matrix_sum() of a matrix whose sides differ. Of integers, and of doubles as integers times powers of
/// two, by dynamic programming over sets of the m lines of the shorter side, n m 2^(m-1) steps for n lines of
/// the longer one; twice, forwards and backwards. Integers are words and doubles at once
/// (kernels/doubles/small_integers.hpp), or of 64 or 128 bits, where a bound on all sums allows that, else
/// GMP's. Doubles whose longer side is short are the permanent of a square, to which n - m
/// rows of ones are added, over (n - m)!, where that is predicted to be faster. Nothing likewise, beyond
/// fourteen lines of the shorter side (twelve of doubles), and where it would take milliseconds.
std::optional<std::variant<mpz_class, SmallSum>> small_rectangle_sum(const SmallMatrix& matrix);

}  // namespace countpm
