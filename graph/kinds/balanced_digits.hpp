#pragma once
// Numbers that stand beside each other in one number, as its digits to the base of a power of 2 (L.
// Kronecker's substitution): the coefficients of a polynomial at that power.
#include <gmpxx.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace countpm {

/// `many` digits to the base 2^width, the lowest first, each in [-2^(width - 1), 2^(width - 1)). Empty where
/// the value has more. Time and memory of some many x width bits; stops when it is told to. width > 0.
std::optional<std::vector<mpz_class>> balanced_digits(const mpz_class& value, std::uint64_t width,
                                                      std::size_t many);

}  // namespace countpm
