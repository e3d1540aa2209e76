#pragma once
// An MPFR number that owns its memory.
#include <gmpxx.h>
#include <mpfr.h>

#include <string>

namespace countpm {

/// A multiprecision binary float; copying keeps the precision. The exponent range is MPFR's, so nothing here
/// overflows in practice.
class BigFloat {
 public:
  static constexpr mpfr_prec_t default_bits = 128;

  explicit BigFloat(mpfr_prec_t bits = default_bits) { mpfr_init2(value_, bits), mpfr_set_zero(value_, 1); }
  explicit BigFloat(double value, mpfr_prec_t bits = default_bits) {
    mpfr_init2(value_, bits), mpfr_set_d(value_, value, MPFR_RNDN);
  }
  BigFloat(const mpq_class& value, mpfr_prec_t bits, mpfr_rnd_t round = MPFR_RNDN) {
    mpfr_init2(value_, bits), mpfr_set_q(value_, value.get_mpq_t(), round);
  }
  BigFloat(const BigFloat& other) {
    mpfr_init2(value_, mpfr_get_prec(other.value_)), mpfr_set(value_, other.value_, MPFR_RNDN);
  }
  BigFloat(BigFloat&& other) noexcept { mpfr_init2(value_, MPFR_PREC_MIN), mpfr_swap(value_, other.value_); }
  BigFloat& operator=(const BigFloat& other) {
    if (this != &other)
      mpfr_set_prec(value_, mpfr_get_prec(other.value_)), mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  BigFloat& operator=(BigFloat&& other) noexcept {
    mpfr_swap(value_, other.value_);
    return *this;
  }
  ~BigFloat() { mpfr_clear(value_); }

  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }
  mpfr_prec_t bits() const { return mpfr_get_prec(value_); }
  bool is_zero() const { return mpfr_zero_p(value_) != 0; }
  double to_double(mpfr_rnd_t round = MPFR_RNDN) const { return mpfr_get_d(value_, round); }
  /// Decimal in scientific notation with `digits` significant digits, the same in every locale: "1.25e+03",
  /// "0".
  std::string to_string(int digits, mpfr_rnd_t round = MPFR_RNDN) const;

 private:
  mpfr_t value_;
};

}  // namespace countpm
