#pragma once
// Residues modulo an odd prime p < 2^31 in 32 bits, in Montgomery form: a is kept as a 2^32 mod p. Half of
// the memory of PrimeRing's, for twice as many primes: for tables that do not fit otherwise.
#include <gmpxx.h>

#include <cstdint>
#include <utility>

#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/arithmetic/host_device.hpp"

namespace countpm {

/// Primes below 2^narrow_prime_bits are narrow.
inline constexpr unsigned narrow_prime_bits = 31;

class NarrowPrimeRing {
 public:
  using Element = std::uint32_t;  // in [0, p)
  using Accumulator = Element;
  static constexpr bool exact = true;
  static constexpr bool complex = false;

  COUNTPM_HD explicit NarrowPrimeRing(std::uint32_t prime) : prime_(prime) {
    // Newton's iteration for 1/p modulo 2^32: p is its own inverse modulo 8, and each round doubles the 3
    // good bits.
    std::uint32_t inverse = prime;
    for (int round = 0; round < 4; ++round) inverse *= 2 - prime * inverse;
    minus_inverse_ = ~inverse + 1;
    one_ = static_cast<std::uint32_t>((std::uint64_t{1} << 32) % prime);
    square_ = static_cast<std::uint32_t>(std::uint64_t{one_} * one_ % prime);
  }

  COUNTPM_HD Element zero() const { return 0; }
  COUNTPM_HD Element one() const { return one_; }
  COUNTPM_HD bool is_zero(Element a) const { return a == 0; }
  COUNTPM_HD Element add(Element a, Element b) const {
    return reduced(a + b);  // < 2^32
  }
  COUNTPM_HD Element sub(Element a, Element b) const { return a >= b ? a - b : a + prime_ - b; }
  COUNTPM_HD Element neg(Element a) const { return a == 0 ? 0 : prime_ - a; }
  COUNTPM_HD Element mul(Element a, Element b) const { return montgomery(std::uint64_t{a} * b); }
  COUNTPM_HD void add_to(Element& a, Element b) const { a = add(a, b); }
  COUNTPM_HD void sub_to(Element& a, Element b) const { a = sub(a, b); }
  COUNTPM_HD void mul_to(Element& a, Element b) const { a = mul(a, b); }
  COUNTPM_HD Accumulator empty_sum() const { return 0; }
  COUNTPM_HD void accumulate(Accumulator& sum, Element a) const { sum = add(sum, a); }

  COUNTPM_HD Element from_residue(std::uint64_t residue) const {
    return mul(static_cast<std::uint32_t>(residue % prime_), square_);
  }
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
    for (std::uint32_t exponent = prime_ - 2; exponent != 0; exponent >>= 1) {
      if (exponent & 1) result = mul(result, a);
      a = mul(a, a);
    }
    return result;
  }
  COUNTPM_HD uint128 to_residue(Element a) const { return montgomery(a); }

 private:
  // t < p 2^32  ->  t / 2^32 mod p. t + m p < p 2^33 < 2^64 does not wrap.
  COUNTPM_HD Element montgomery(std::uint64_t t) const {
    const std::uint32_t m = static_cast<std::uint32_t>(t) * minus_inverse_;
    return reduced(static_cast<std::uint32_t>((t + std::uint64_t{m} * prime_) >> 32));
  }
  // a < 2 p  ->  a mod p, without a branch: none can tell which way it goes.
  COUNTPM_HD Element reduced(std::uint32_t a) const {
    const std::uint32_t less = a - prime_;
    return less + (prime_ & (0U - (less >> 31)));
  }

  std::uint32_t prime_;
  std::uint32_t minus_inverse_ = 0;  // -1/p mod 2^32
  std::uint32_t one_ = 0;            // 2^32 mod p
  std::uint32_t square_ = 0;         // 2^64 mod p
};

/// with_exact_ring(), with narrow primes in 32 bits: the ring of a table's values.
template <class F>
decltype(auto) with_table_ring(const Modulus& modulus, F&& f) {
  if (modulus.prime != 0 && modulus.prime >> narrow_prime_bits == 0)
    return std::forward<F>(f)(NarrowPrimeRing(static_cast<std::uint32_t>(modulus.prime)));
  return with_exact_ring(modulus, std::forward<F>(f));
}

}  // namespace countpm
