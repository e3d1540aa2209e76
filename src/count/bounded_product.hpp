#pragma once
// Between which numbers a product lies, as logarithms that are rounded away from each other.
#include <string>

#include "kernels/arithmetic/big_float.hpp"
#include "src/number/number.hpp"

namespace countpm {

/// log2 of a number above 0, or of one that is at least 0: lower is -infinity then.
class BoundedProduct {
 public:
  /// Of 1.
  BoundedProduct();

  /// Precondition: exact numbers are above 0; of a ball the real part counts.
  void multiply(const Number& factor);
  /// By a number between 2^log2_lower and 2^log2_upper.
  void multiply(double log2_lower, double log2_upper);

  double log2_lower() const { return lower_.to_double(MPFR_RNDD); }
  double log2_upper() const { return upper_.to_double(MPFR_RNDU); }
  double log10_lower() const;
  double log10_upper() const;
  /// Decimal, rounded away from each other: "1.23456e+25". whole: the number is an integer, and shown as one
  /// below 10^15.
  std::string lower_text(bool whole) const;
  std::string upper_text(bool whole) const;

 private:
  BigFloat lower_;
  BigFloat upper_;
};

}  // namespace countpm
