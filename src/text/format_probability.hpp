#pragma once
// Exact fractions as people read them.
#include <gmpxx.h>

#include <string>

namespace countpm {

/// numerator / denominator rounded to that many significant digits, half to even, from the exact value;
/// zeros at the end are left out: "0.44", "0.333333333333", "1", "0", "-1.5". Below 1e-5 and from 10^digits
/// on with an exponent: "1.25e-07". The denominator is not 0; 1 <= digits.
std::string format_fraction(const mpz_class& numerator, const mpz_class& denominator, unsigned digits);

}  // namespace countpm
