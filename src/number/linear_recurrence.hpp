#pragma once
// The shortest linear recurrence that numbers fulfil, and the largest root of its characteristic polynomial.
#include <gmpxx.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace countpm {

/// sum_k terms[k] x^k = numerator / denominator, as far as the terms go: denominator[0] = 1, the two have no
/// factor in common, and order = max(degree of the denominator, degree of the numerator + 1).
/// So terms[k] = - sum_{i >= 1} denominator[i] terms[k - i] from k = order on.
struct LinearRecurrence {
  std::size_t order = 0;
  std::vector<mpq_class> numerator;    // by degree; no zero at the end
  std::vector<mpq_class> denominator;  // likewise; 1 at the beginning
};

/// The shortest one of the terms, where 2 order + `checked` terms are there: what order it has is then
/// decided by 2 order of them, and the others are further terms that agree. Nothing where there is none of
/// such an order. By the algorithm of Berlekamp and Massey modulo primes of 61 bits, in O(terms order) each,
/// as many as coefficients need that are fractions of small integers (rational reconstruction, P. S. Wang
/// 1981); every term is then checked in rational numbers, so that what is returned is right for them all. J.
/// L. Massey, Shift-register synthesis and BCH decoding, IEEE Trans. Inf. Theory 15 (1969) 122.
std::optional<LinearRecurrence> linear_recurrence(const std::vector<mpq_class>& terms, std::size_t checked);

/// The order of the shortest recurrence modulo one prime: what terms have so far. Above half their number it
/// says nothing.
std::size_t order_modulo_a_prime(const std::vector<mpq_class>& terms);

/// lower < root <= upper, and the polynomial has no real root above `upper`.
struct RootInterval {
  mpq_class lower;
  mpq_class upper;
};

/// The largest real root above 0 of sum_k coefficients[k] x^k, with an interval narrower than 2^-bits of it:
/// proved by a change of sign and by Descartes' rule about the roots above. Nothing where there is none, or
/// the rule does not decide. O(bits degree^2) products.
std::optional<RootInterval> largest_positive_root(const std::vector<mpq_class>& coefficients, unsigned bits);

/// "1 - x - 5 x^2 + 2/3 x^3", by degree; "0".
std::string polynomial_text(const std::vector<mpq_class>& coefficients, const std::string& variable);

}  // namespace countpm
