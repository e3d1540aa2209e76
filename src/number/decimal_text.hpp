#pragma once
// Exact sums of decimal weights as decimals: 0.5 is one half, but who writes 0.5 reads decimals.
#include <gmpxx.h>

#include <string>

namespace countpm {

/// What is shown of an exact number, and how much of it.
struct DecimalText {
  std::string digits;  // "4.39453125", "1.2345678901234567e+71"
  std::string error;   // what rounding took away, at most; empty where these are all digits
};

/// All digits where `most_digits` are enough, else so many of them. Plain where the point stands among them
/// or close by, else with an exponent.
DecimalText decimal_text(const mpq_class& value, int most_digits);

/// "1.2e-01" for "1.200e-01": what has an exponent without zeros at the end of its digits.
std::string without_end_zeros(std::string text);

/// As many digits as doubles have, or as so many bits of --arithmetic (0: none asked for) hold.
int decimal_digits(unsigned precision_bits);

}  // namespace countpm
