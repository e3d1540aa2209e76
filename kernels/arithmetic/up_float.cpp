#include "kernels/arithmetic/up_float.hpp"

#include "kernels/arithmetic/big_float.hpp"

namespace countpm {

double log2_up(const UpFloat& value) {
  if (value.mantissa == 0) return 0;
  if (value.mantissa == 0.5) return static_cast<double>(value.exponent - 1);
  BigFloat mantissa(value.mantissa, 64);
  mpfr_log2(mantissa.get(), mantissa.get(), MPFR_RNDU);
  return UpFloat::up(mantissa.to_double(MPFR_RNDU) + static_cast<double>(value.exponent));
}

}  // namespace countpm
