#pragma once
// Exact sums of signed products, one product after the other: what the scalar walks add up.
#include <gmpxx.h>

#include <cstdint>
#include <vector>

#include "kernels/arithmetic/to_mpz.hpp"

namespace countpm {

/// A sum of numbers of several words and their signs: the positive ones and the others apart.
class SignedLimbSum {
 public:
  /// No number of more than `words` words will come, and no more than 2^64 of them.
  explicit SignedLimbSum(std::size_t words) : positive_(words + 2), negative_(words + 2) {}

  void add(const mp_limb_t* magnitude, std::size_t size, bool minus) {
    std::vector<mp_limb_t>& sum = minus ? negative_ : positive_;
    mp_limb_t carry = mpn_add_n(sum.data(), sum.data(), magnitude, static_cast<mp_size_t>(size));
    for (std::size_t i = size; carry != 0; ++i) carry = ++sum[i] == 0 ? 1 : 0;
  }
  mpz_class total() const {
    return to_mpz(positive_.data(), positive_.size(), false) -
           to_mpz(negative_.data(), negative_.size(), false);
  }

 private:
  static_assert(GMP_NUMB_BITS == 64);

  std::vector<mp_limb_t> positive_;
  std::vector<mp_limb_t> negative_;
};

/// sum of +- prod of factors. Words are multiplied together as long as they fit into 64 bits, then onto a
/// multi-word magnitude: about n / k word products for factors of 64 / k bits, and n^2 / 2k^2 more for the
/// words of the magnitude.
template <class Int>
class ProductSum;

template <>
class ProductSum<std::int64_t> {
 public:
  /// No product of more than `factors` factors will come.
  explicit ProductSum(std::size_t factors) : magnitude_(factors + 1), sum_(factors + 1) {}

  void add(const std::int64_t* factors, std::size_t count, bool minus) {
    std::size_t size = 1;
    magnitude_[0] = 1;
    std::uint64_t word = 1;
    for (std::size_t k = 0; k < count; ++k) {
      const std::int64_t factor = factors[k];
      if (factor == 0) return;
      minus ^= factor < 0;
      const std::uint64_t absolute =
          factor < 0 ? 0 - static_cast<std::uint64_t>(factor) : static_cast<std::uint64_t>(factor);
      std::uint64_t product = 0;
      if (__builtin_mul_overflow(word, absolute, &product)) {
        multiply(size, word);
        word = absolute;
      } else {
        word = product;
      }
    }
    multiply(size, word);
    sum_.add(magnitude_.data(), size, minus);
  }

  mpz_class total() const { return sum_.total(); }

 private:
  void multiply(std::size_t& size, mp_limb_t word) {
    const mp_limb_t carry =
        mpn_mul_1(magnitude_.data(), magnitude_.data(), static_cast<mp_size_t>(size), word);
    if (carry != 0) magnitude_[size++] = carry;
  }

  std::vector<mp_limb_t> magnitude_;
  SignedLimbSum sum_;
};

template <>
class ProductSum<mpz_class> {
 public:
  explicit ProductSum(std::size_t) {}

  void add(const mpz_class* factors, std::size_t count, bool minus) {
    product_ = 1;
    for (std::size_t k = 0; k < count; ++k) {
      product_ *= factors[k];
      if (product_ == 0) return;
    }
    if (minus) {
      total_ -= product_;
    } else {
      total_ += product_;
    }
  }
  mpz_class total() const { return total_; }

 private:
  mpz_class product_;
  mpz_class total_;
};

}  // namespace countpm
