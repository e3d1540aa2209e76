#include "kernels/estimate/guarantee/exact_sum.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

namespace countpm {

void ExactSum::add(const mpz_class& integer, std::int64_t exponent) {
  if (integer == 0) return;
  if (integer_ == 0) {
    integer_ = integer;
    exponent_ = exponent;
  } else if (exponent >= exponent_) {
    integer_ += integer << static_cast<mp_bitcnt_t>(exponent - exponent_);
  } else {
    integer_ <<= static_cast<mp_bitcnt_t>(exponent_ - exponent);
    integer_ += integer;
    exponent_ = exponent;
  }
}

double ExactSum::log2() const {
  if (integer_ == 0) return -std::numeric_limits<double>::infinity();
  std::int64_t bits = 0;
  const double mantissa = mpz_get_d_2exp(&bits, integer_.get_mpz_t());
  return std::log2(mantissa) + static_cast<double>(bits + exponent_);
}

bool operator==(const ExactSum& a, const ExactSum& b) {
  if (a.integer_ == 0 || b.integer_ == 0) return a.integer_ == b.integer_;
  if (a.exponent_ > b.exponent_) return b == a;
  return a.integer_ == b.integer_ << static_cast<mp_bitcnt_t>(b.exponent_ - a.exponent_);
}

}  // namespace countpm
