#pragma once
// Residues modulo 2^64 or 2^128: the machine's own wrap-around. For methods that never divide.
#include <gmpxx.h>

#include <cstdint>

#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/arithmetic/host_device.hpp"

namespace countpm {

/// Word: std::uint64_t or uint128.
template <class Word>
class WrapRing {
 public:
  using Element = Word;
  using Accumulator = Element;
  static constexpr bool exact = true;
  static constexpr bool complex = false;

  COUNTPM_HD Element zero() const { return 0; }
  COUNTPM_HD Element one() const { return 1; }
  COUNTPM_HD bool is_zero(Element a) const { return a == 0; }
  COUNTPM_HD Element add(Element a, Element b) const { return a + b; }
  COUNTPM_HD Element sub(Element a, Element b) const { return a - b; }
  COUNTPM_HD Element neg(Element a) const { return 0 - a; }
  COUNTPM_HD Element mul(Element a, Element b) const { return a * b; }
  COUNTPM_HD void add_to(Element& a, Element b) const { a += b; }
  COUNTPM_HD void sub_to(Element& a, Element b) const { a -= b; }
  COUNTPM_HD void mul_to(Element& a, Element b) const { a *= b; }
  COUNTPM_HD Accumulator empty_sum() const { return 0; }
  COUNTPM_HD void accumulate(Accumulator& sum, Element a) const { sum += a; }

  COUNTPM_HD Element from_int64(std::int64_t value) const {
    return static_cast<Word>(value);
  }  // sign-extends, then wraps
  /// Precondition: an odd denominator.
  Element from_mpq(const mpq_class& value) const {
    const Element numerator = from_mpz(value.get_num());
    if (value.get_den() == 1) return numerator;
    const Element denominator = from_mpz(value.get_den());
    // Newton's iteration for the inverse of an odd number: right modulo 8 to begin with, each round doubles
    // the good bits: 3, 6, ... 192.
    Element inverse = denominator;
    for (int round = 0; round < 6; ++round) inverse *= 2 - denominator * inverse;
    return numerator * inverse;
  }
  COUNTPM_HD uint128 to_residue(Element a) const { return a; }

 private:
  static Element from_mpz(const mpz_class& value) {
    mpz_class low;
    mpz_fdiv_r_2exp(low.get_mpz_t(), value.get_mpz_t(), 8 * sizeof(Word));
    Element result = 0;
    for (std::size_t limb = 0; limb < mpz_size(low.get_mpz_t()) && limb < sizeof(Word) / 8; ++limb) {
      result |= static_cast<Word>(mpz_getlimbn(low.get_mpz_t(), static_cast<mp_size_t>(limb))) << (64 * limb);
    }
    return result;
  }
};

}  // namespace countpm
