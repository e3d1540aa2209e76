#pragma once
// Weights as a user writes them: every literal (7, -2/3, 0.25, 1e-3) is kept as the exact rational number
// that it spells; only the kind says whether the answer is to be exact or in floating point.
#include <gmpxx.h>

#include <array>
#include <cstdint>
#include <variant>
#include <vector>

namespace countpm {

/// From the narrowest to the widest: a graph's kind is the widest among its weights.
/// integer and rational weights give exact sums; real (a decimal point or an exponent) and complex ones give
/// sums with an error bound.
enum class WeightKind { none, integer, rational, real, complex };

/// A complex number with exact rational parts.
struct ComplexRational {
  mpq_class re;
  mpq_class im;
  bool operator==(const ComplexRational&) const = default;
};

/// A letter and its exponent in a weight such as 3*x*y^-1; letter 0: none.
struct LetterPower {
  char letter = 0;
  std::int32_t exponent = 0;
  bool operator==(const LetterPower&) const = default;
};
inline constexpr std::size_t most_letters = 3;
/// Ascending by letter, none twice and none to the power 0; what is not used stands at the end.
using LetterPowers = std::array<LetterPower, most_letters>;

/// The values of a list of entries, in the narrowest type that holds them all exactly:
/// monostate: all are 1 · int64: integers · mpq_class: rationals, larger integers, decimals ·
/// ComplexRational.
using Values = std::variant<std::monostate, std::vector<std::int64_t>, std::vector<mpq_class>,
                            std::vector<ComplexRational>>;

}  // namespace countpm
