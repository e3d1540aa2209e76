#pragma once
// Residues modulo an odd prime p < 2^62 in Montgomery form: a is kept as a 2^64 mod p, so that a product
// costs three word multiplications and no division. P. L. Montgomery, Modular multiplication without trial
// division, Math. Comp. 44 (1985).
#include <gmpxx.h>

#include <cstdint>

#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/arithmetic/host_device.hpp"
#include "kernels/arithmetic/wide_product.hpp"

namespace countpm {

class PrimeRing {
 public:
  using Element = std::uint64_t;  // in [0, p)
  using Accumulator = Element;
  static constexpr bool exact = true;
  static constexpr bool complex = false;

  COUNTPM_HD explicit PrimeRing(std::uint64_t prime) : prime_(prime) {
    // Newton's iteration for 1/p modulo 2^64: p is its own inverse modulo 8, and each round doubles the 3
    // good bits.
    std::uint64_t inverse = prime;
    for (int round = 0; round < 5; ++round) inverse *= 2 - prime * inverse;
    minus_inverse_ = ~inverse + 1;
    one_ = static_cast<std::uint64_t>((uint128{1} << 64) % prime);
    square_ = static_cast<std::uint64_t>(static_cast<uint128>(one_) * one_ % prime);
  }

  COUNTPM_HD std::uint64_t prime() const { return prime_; }
  COUNTPM_HD Element zero() const { return 0; }
  COUNTPM_HD Element one() const { return one_; }
  COUNTPM_HD bool is_zero(Element a) const { return a == 0; }
  COUNTPM_HD Element add(Element a, Element b) const {
    const std::uint64_t sum = a + b;  // < 2^63
    return sum >= prime_ ? sum - prime_ : sum;
  }
  COUNTPM_HD Element sub(Element a, Element b) const { return a >= b ? a - b : a + prime_ - b; }
  COUNTPM_HD Element neg(Element a) const { return a == 0 ? 0 : prime_ - a; }
  COUNTPM_HD Element mul(Element a, Element b) const { return montgomery(wide_product(a, b)); }
  COUNTPM_HD void add_to(Element& a, Element b) const { a = add(a, b); }
  COUNTPM_HD void sub_to(Element& a, Element b) const { a = sub(a, b); }
  COUNTPM_HD void mul_to(Element& a, Element b) const { a = mul(a, b); }
  COUNTPM_HD Accumulator empty_sum() const { return 0; }
  COUNTPM_HD void accumulate(Accumulator& sum, Element a) const { sum = add(sum, a); }

  COUNTPM_HD Element from_residue(std::uint64_t residue) const { return mul(residue % prime_, square_); }
  COUNTPM_HD Element from_int64(std::int64_t value) const {
    // 0 - value in unsigned arithmetic is right for the least int64 too.
    const auto bits = static_cast<std::uint64_t>(value);
    return value >= 0 ? from_residue(bits) : neg(from_residue(0 - bits));
  }
  /// Precondition: p does not divide the denominator.
  Element from_mpq(const mpq_class& value) const {
    const Element numerator = from_residue(mpz_fdiv_ui(value.get_num_mpz_t(), prime_));
    if (value.get_den() == 1) return numerator;
    return mul(numerator, inverse(from_residue(mpz_fdiv_ui(value.get_den_mpz_t(), prime_))));
  }
  /// 1/a = a^(p - 2), a not 0.
  COUNTPM_HD Element inverse(Element a) const {
    Element result = one_;
    for (std::uint64_t exponent = prime_ - 2; exponent != 0; exponent >>= 1) {
      if (exponent & 1) result = mul(result, a);
      a = mul(a, a);
    }
    return result;
  }
  COUNTPM_HD uint128 to_residue(Element a) const { return montgomery(a); }

 private:
  // t < p 2^64  ->  t / 2^64 mod p. t + m p < p 2^65 < 2^127 does not wrap.
  COUNTPM_HD Element montgomery(uint128 t) const {
    const std::uint64_t m = static_cast<std::uint64_t>(t) * minus_inverse_;
    const auto reduced = static_cast<std::uint64_t>((t + wide_product(m, prime_)) >> 64);
    return reduced >= prime_ ? reduced - prime_ : reduced;
  }

  std::uint64_t prime_;
  std::uint64_t minus_inverse_ = 0;  // -1/p mod 2^64
  std::uint64_t one_ = 0;            // 2^64 mod p
  std::uint64_t square_ = 0;         // 2^128 mod p
};

}  // namespace countpm
