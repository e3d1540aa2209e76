#pragma once
// What the rules do with entries: products and sums that report, before anything is changed, that a result
// would not fit (int64: overflow; rationals: more than entry_bit_limit bits), and the product of all that is
// factored out.
#include <gmpxx.h>

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "graph/weight.hpp"

namespace countpm {

/// A merged rational entry may have this many bits (numerator and denominator together); a step that could
/// make a longer one is not taken.
inline constexpr std::size_t entry_bit_limit = std::size_t{1} << 20;
/// Common factors of longer numbers are left in: their gcd would cost more than the step itself.
inline constexpr std::size_t common_factor_bit_limit = 256;

inline std::size_t bits_of(const mpq_class& value) {
  return mpz_sizeinbase(value.get_num_mpz_t(), 2) + mpz_sizeinbase(value.get_den_mpz_t(), 2);
}
inline std::size_t bits_of(const ComplexRational& value) {
  return bits_of(value.re) + bits_of(value.im);
}

inline bool is_zero(std::int64_t value) {
  return value == 0;
}
inline bool is_zero(const mpq_class& value) {
  return value == 0;
}
inline bool is_zero(const ComplexRational& value) {
  return value.re == 0 && value.im == 0;
}

inline bool is_one(std::int64_t value) {
  return value == 1;
}
inline bool is_one(const mpq_class& value) {
  return value == 1;
}
inline bool is_one(const ComplexRational& value) {
  return value.re == 1 && value.im == 0;
}

inline ComplexRational operator*(const ComplexRational& a, const ComplexRational& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/// product = a * b, or false and nothing changed where it would not fit.
inline bool multiply_entries(std::int64_t a, std::int64_t b, std::int64_t& product) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) return false;
  product = result;
  return true;
}
inline bool multiply_entries(const mpq_class& a, const mpq_class& b, mpq_class& product) {
  if (bits_of(a) + bits_of(b) > entry_bit_limit) return false;
  product = a * b;
  return true;
}
inline bool multiply_entries(const ComplexRational& a, const ComplexRational& b, ComplexRational& product) {
  // |re|, |im| of the product are sums of two products: at most twice the bits of both, and one.
  if (2 * (bits_of(a) + bits_of(b)) + 2 > entry_bit_limit) return false;
  product = a * b;
  return true;
}

/// sum = a + b, or false and nothing changed where it would not fit.
inline bool add_entries(std::int64_t a, std::int64_t b, std::int64_t& sum) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) return false;
  sum = result;
  return true;
}
inline bool add_entries(const mpq_class& a, const mpq_class& b, mpq_class& sum) {
  if (2 * (bits_of(a) + bits_of(b)) > entry_bit_limit) return false;
  sum = a + b;
  return true;
}
inline bool add_entries(const ComplexRational& a, const ComplexRational& b, ComplexRational& sum) {
  if (2 * (bits_of(a) + bits_of(b)) > entry_bit_limit) return false;
  sum = {a.re + b.re, a.im + b.im};
  return true;
}

/// Divides a factor out of both and returns it: {a, b} = result * {a after, b after}. It keeps entries small,
/// and equal weights turn into 1.
inline std::int64_t take_common_factor(std::int64_t& a, std::int64_t& b) {
  if (a == 1 || b == 1) return 1;
  const auto magnitude = [](std::int64_t value) {
    return value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value)
                     : static_cast<std::uint64_t>(value);
  };
  const std::uint64_t common = std::gcd(magnitude(a), magnitude(b));
  if (common > static_cast<std::uint64_t>(INT64_MAX)) return 1;
  auto factor = static_cast<std::int64_t>(common);
  if (a < 0 && b < 0 && a != INT64_MIN && b != INT64_MIN) factor = -factor;
  a /= factor;
  b /= factor;
  return factor;
}

/// gcd of numerators / lcm of denominators over the values that are not zero; 1 where they are too long for
/// it to pay.
inline mpq_class content(const std::vector<const mpq_class*>& values) {
  mpz_class numerator = 0;
  mpz_class denominator = 1;
  for (const mpq_class* value : values) {
    if (bits_of(*value) > common_factor_bit_limit) return 1;
    mpz_gcd(numerator.get_mpz_t(), numerator.get_mpz_t(), value->get_num_mpz_t());
    mpz_lcm(denominator.get_mpz_t(), denominator.get_mpz_t(), value->get_den_mpz_t());
  }
  mpq_class result(numerator, denominator);
  result.canonicalize();
  return result;
}
inline mpq_class take_common_factor(mpq_class& a, mpq_class& b) {
  if (a == 1 && b == 1) return 1;
  mpq_class factor = content({&a, &b});
  a /= factor;
  b /= factor;
  return factor;
}
inline ComplexRational take_common_factor(ComplexRational& a, ComplexRational& b) {
  if (is_one(a) && is_one(b)) return {1, 0};
  const mpq_class factor = content({&a.re, &a.im, &b.re, &b.im});
  for (mpq_class* part : {&a.re, &a.im, &b.re, &b.im}) *part /= factor;
  return {factor, 0};
}

/// Where division is possible: makes `unit` 1 by dividing both by it, and multiplies it onto `factor`. The
/// ring of integers cannot: no change.
inline void make_unit(std::int64_t&, std::int64_t&, std::int64_t&) {}
inline void make_unit(mpq_class& unit, mpq_class& rest, mpq_class& factor) {
  rest /= unit;
  factor *= unit;
  unit = 1;
}
inline void make_unit(ComplexRational& unit, ComplexRational& rest, ComplexRational& factor) {
  const mpq_class norm = unit.re * unit.re + unit.im * unit.im;
  rest = rest * ComplexRational{unit.re / norm, -unit.im / norm};
  factor = factor * unit;
  unit = {1, 0};
}

/// A product of many numbers, balanced so that a million factors cost O(M(result) log) and not O(result^2).
template <class Number>
class ProductTree {
 public:
  void multiply(Number number) {
    unsigned level = 0;
    while (!part_.empty() && part_.back().second == level) {
      number = part_.back().first * number;
      part_.pop_back();
      ++level;
    }
    part_.emplace_back(std::move(number), level);
  }
  bool empty() const { return part_.empty(); }
  /// The product of all and of `first`.
  Number total(Number first) const {
    for (auto at = part_.rbegin(); at != part_.rend(); ++at) first = at->first * first;
    return first;
  }

 private:
  std::vector<std::pair<Number, unsigned>> part_;  // levels strictly descending
};

/// What the rules factor out, as Reduced::factor wants it.
template <class Value>
class FactorProduct;

template <>
class FactorProduct<std::int64_t> {
 public:
  void multiply(std::int64_t value) {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(small_, value, &product)) {
      large_.multiply(mpz_class(static_cast<std::int64_t>(small_)));
      product = value;
    }
    small_ = product;
  }
  bool is_small() const { return large_.empty(); }
  std::int64_t small() const { return small_; }
  mpq_class total() const {
    return large_.empty() ? mpq_class(static_cast<std::int64_t>(small_))
                          : mpq_class(large_.total(mpz_class(static_cast<std::int64_t>(small_))));
  }

 private:
  std::int64_t small_ = 1;
  ProductTree<mpz_class> large_;
};

template <>
class FactorProduct<mpq_class> {
 public:
  void multiply(const mpq_class& value) {
    if (value == 1) return;
    numerator_.multiply(value.get_num());
    denominator_.multiply(value.get_den());
  }
  mpq_class total() const {
    mpq_class result(numerator_.total(1), denominator_.total(1));
    result.canonicalize();
    return result;
  }

 private:
  ProductTree<mpz_class> numerator_;
  ProductTree<mpz_class> denominator_;
};

template <>
class FactorProduct<ComplexRational> {
 public:
  void multiply(const ComplexRational& value) {
    if (!is_one(value)) product_.multiply(value);
  }
  ComplexRational total() const { return product_.total({1, 0}); }

 private:
  ProductTree<ComplexRational> product_;
};

}  // namespace countpm
