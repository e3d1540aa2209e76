#pragma once
// Products of any number of doubles.
#include <cmath>
#include <cstdint>
#include <numbers>

namespace countpm::planar {

/// A product whose exponent never overflows.
class LongProduct {
 public:
  void multiply(double factor) {
    int shift = 0;
    mantissa_ = std::frexp(mantissa_ * factor, &shift);
    exponent_ += shift;
  }
  void scale(std::int64_t exponent) { exponent_ += exponent; }
  double ln() const { return std::log(mantissa_) + static_cast<double>(exponent_) * std::numbers::ln2; }

 private:
  double mantissa_ = 1;
  std::int64_t exponent_ = 0;
};

}  // namespace countpm::planar
