#pragma once
// What a count is where weights have letters.
#include <gmpxx.h>

#include <cstdint>
#include <string>
#include <vector>

namespace countpm {

struct PolynomialTerm {
  std::vector<std::int64_t> exponents;  // beside Polynomial::variables
  mpq_class coefficient;                // not 0
};

/// The sum of the terms, each its coefficient times every variable to its exponent, which may be negative.
struct Polynomial {
  std::string variables;  // a letter each, ascending
  std::vector<PolynomialTerm>
      terms;  // ascending by their exponents, from the first variable's on; of 0: none
};

}  // namespace countpm
