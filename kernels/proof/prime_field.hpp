#pragma once
// Arithmetic modulo a prime of 127 bits, in two words of 64, by P. L. Montgomery's products (Modular
// multiplication without trial division, Math. Comp. 44 (1985) 519); and sums of products that are reduced
// once, at their end.
#include <gmpxx.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/arithmetic/arithmetic.hpp"

namespace countpm {

/// A residue x as x 2^128 modulo p, below p.
struct FieldElement {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  bool operator==(const FieldElement&) const = default;
};

/// A sum of products of elements, not yet reduced: fewer than 2^64 of them.
struct ProductSum {
  uint128 low = 0;
  uint128 high = 0;
  std::uint64_t top = 0;

  [[gnu::always_inline]] void add(const FieldElement& a, const FieldElement& b) {
    const uint128 p00 = static_cast<uint128>(a.low) * b.low;
    // Both are below 2^127, for the high words are below 2^63.
    const uint128 middle = static_cast<uint128>(a.low) * b.high + static_cast<uint128>(a.high) * b.low;
    const uint128 p11 = static_cast<uint128>(a.high) * b.high;
    const uint128 first = p00 + (middle << 64);
    const uint128 second = p11 + (middle >> 64) + (first < p00 ? 1 : 0);
    low += first;
    const uint128 carried = second + (low < first ? 1 : 0);  // second < 2^126
    high += carried;
    top += high < carried ? 1 : 0;
  }
  void add(const ProductSum& other) {
    low += other.low;
    const uint128 carry = low < other.low ? 1 : 0;
    high += other.high;
    top += other.top + (high < other.high ? 1 : 0);
    high += carry;
    top += high < carry ? 1 : 0;
  }
};

/// A sum of elements, not yet reduced: fewer than 2^40 of them.
struct ElementSum {
  uint128 low = 0, high = 0;  // of the words

  [[gnu::always_inline]] void add(const FieldElement& a) {
    low += a.low;
    high += a.high;
  }
};

class PrimeField {
 public:
  /// p is a prime, 2^126 <= p < 2^127.
  explicit PrimeField(const mpz_class& p);

  const mpz_class& prime() const { return prime_; }
  FieldElement zero() const { return {}; }
  const FieldElement& one() const { return one_; }

  [[gnu::always_inline]] FieldElement add(const FieldElement& a, const FieldElement& b) const {
    return reduced(wide(a) + wide(b));  // below 2^128
  }
  [[gnu::always_inline]] FieldElement subtract(const FieldElement& a, const FieldElement& b) const {
    return not_negative(wide(a) - wide(b));
  }
  FieldElement negate(const FieldElement& a) const { return subtract({}, a); }
  FieldElement twice(const FieldElement& a) const { return add(a, a); }

  [[gnu::always_inline]] FieldElement multiply(const FieldElement& a, const FieldElement& b) const {
    uint128 x = static_cast<uint128>(a.low) * b.low;
    std::uint64_t t0 = static_cast<std::uint64_t>(x);
    x = static_cast<uint128>(a.low) * b.high + static_cast<std::uint64_t>(x >> 64);
    std::uint64_t t1 = static_cast<std::uint64_t>(x);
    std::uint64_t t2 = static_cast<std::uint64_t>(x >> 64);
    step(t0, t1, t2);
    x = static_cast<uint128>(a.high) * b.low + t0;
    t0 = static_cast<std::uint64_t>(x);
    x = static_cast<uint128>(a.high) * b.high + t1 + static_cast<std::uint64_t>(x >> 64);
    t1 = static_cast<std::uint64_t>(x);
    t2 = static_cast<std::uint64_t>(x >> 64);
    step(t0, t1, t2);
    return reduced(static_cast<uint128>(t1) << 64 | t0);
  }

  FieldElement reduce(const ProductSum& sum) const;

  /// The quotient that is taken off is the right one, or one less, or two less by a hair: the high bits times
  /// 2^190 / p (P. Barrett, CRYPTO 1986).
  [[gnu::always_inline]] FieldElement reduce(const ElementSum& sum) const {
    const uint128 high = sum.high + (sum.low >> 64);
    const std::uint64_t top = static_cast<std::uint64_t>(high >> 62);
    const std::uint64_t quotient = static_cast<std::uint64_t>(static_cast<uint128>(top) * ratio_ >> 64);
    const uint128 all = (high << 64) + static_cast<std::uint64_t>(sum.low);
    const uint128 off =
        static_cast<uint128>(quotient) * low_ + (static_cast<uint128>(quotient * high_) << 64);
    return reduced(wide(reduced(all - off)));  // below 2^126 + p and some 2^105 before
  }

  /// Of what is not 0.
  FieldElement inverse(const FieldElement& a) const;
  /// In place of each its inverse, by one inversion and three products for each (P. L. Montgomery); none is
  /// 0.
  void invert_all(std::vector<FieldElement>& elements) const;

  FieldElement element(const mpz_class& number) const;
  /// The denominator is no multiple of p.
  FieldElement element(const mpq_class& number) const;
  FieldElement element(std::uint64_t number) const;
  mpz_class number(const FieldElement& a) const;
  /// The residue itself, most significant byte first.
  std::array<std::uint8_t, 16> bytes(const FieldElement& a) const;

 private:
  static uint128 wide(const FieldElement& a) { return static_cast<uint128>(a.high) << 64 | a.low; }
  static FieldElement narrow(uint128 x) {
    return {static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(x >> 64)};
  }
  /// Of x below 2 p.
  FieldElement reduced(uint128 x) const { return not_negative(x - modulus_); }
  /// Of x between -p and p. Without a branch, which would be taken by chance: additions took three times as
  /// long with one (2-core AMD EPYC, Zen 4, 2026-11-29).
  FieldElement not_negative(uint128 x) const {
    const std::uint64_t negative = std::uint64_t{0} - static_cast<std::uint64_t>(x >> 127);
    return narrow(x + (static_cast<uint128>(high_ & negative) << 64 | (low_ & negative)));
  }
  /// (t2 t1 t0) becomes (t1 t0), a 64th power of 2 less; t2 is no longer used.
  void step(std::uint64_t& t0, std::uint64_t& t1, std::uint64_t t2) const {
    const std::uint64_t m = t0 * inverse_;
    uint128 x = static_cast<uint128>(m) * low_ + t0;
    x = static_cast<uint128>(m) * high_ + t1 + static_cast<std::uint64_t>(x >> 64);
    t0 = static_cast<std::uint64_t>(x);
    t1 = t2 + static_cast<std::uint64_t>(x >> 64);
  }

  uint128 modulus_ = 0;
  std::uint64_t low_ = 0, high_ = 0;
  std::uint64_t inverse_ = 0;  // -1/p modulo 2^64
  std::uint64_t ratio_ = 0;    // 2^190 / p, rounded down
  FieldElement one_;           // 2^128 modulo p
  FieldElement square_;        // 2^256 modulo p
  mpz_class prime_;
};

}  // namespace countpm
