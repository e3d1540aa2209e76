#pragma once
// Sums without rounding: the order of the terms, and who added them, cannot matter.
#include <gmpxx.h>

#include <cstdint>

namespace countpm {

/// A sum of non-negative binary numbers of any size, exact. Memory: the bits between the largest and the
/// smallest term.
class ExactSum {
 public:
  /// Adds integer * 2^exponent. Precondition: integer >= 0.
  void add(const mpz_class& integer, std::int64_t exponent);
  void add(const ExactSum& other) { add(other.integer_, other.exponent_); }

  bool is_zero() const { return integer_ == 0; }
  /// The sum is integer() * 2^exponent().
  const mpz_class& integer() const { return integer_; }
  std::int64_t exponent() const { return exponent_; }
  /// -infinity for zero.
  double log2() const;

  /// The same number, however it came about.
  friend bool operator==(const ExactSum& a, const ExactSum& b);

 private:
  mpz_class integer_;
  std::int64_t exponent_ = 0;
};

}  // namespace countpm
