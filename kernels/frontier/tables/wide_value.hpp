#pragma once
// Path sums as integers modulo 2^(64 words), a run-time number of words, least significant first; negative
// ones in two's complement. One and two words, the common cases, take the machine's own arithmetic.
#include <gmpxx.h>

#include <cstdint>
#include <vector>

#include "kernels/arithmetic/arithmetic.hpp"

namespace countpm {

/// What a step multiplies a value by: sign and magnitude, of which `words` words matter.
class WideFactor {
 public:
  WideFactor() = default;  // 1
  WideFactor(const mpz_class& value, unsigned words) : negative_(value < 0) {
    magnitude_.assign(mpz_size(value.get_mpz_t()), 0);
    for (std::size_t i = 0; i < magnitude_.size(); ++i)
      magnitude_[i] = mpz_getlimbn(value.get_mpz_t(), static_cast<mp_size_t>(i));
    if (magnitude_.size() > words) magnitude_.resize(words);
    if (magnitude_.empty()) magnitude_.push_back(0);
  }
  bool negative() const { return negative_; }
  const std::vector<std::uint64_t>& magnitude() const { return magnitude_; }

 private:
  bool negative_ = false;
  std::vector<std::uint64_t> magnitude_{1};
};

static_assert(sizeof(mp_limb_t) == sizeof(std::uint64_t) && GMP_NAIL_BITS == 0);

namespace wide {

inline uint128 load(const std::uint64_t* value) {
  return uint128{value[1]} << 64U | value[0];
}
inline void store(std::uint64_t* value, uint128 number) {
  value[0] = static_cast<std::uint64_t>(number);
  value[1] = static_cast<std::uint64_t>(number >> 64U);
}

/// sum += value.
inline void add(std::uint64_t* sum, const std::uint64_t* value, unsigned words) {
  if (words == 1) {
    sum[0] += value[0];
  } else {
    mpn_add_n(sum, sum, value, words);
  }
}

/// sum += value * factor.
inline void add_product(std::uint64_t* sum, const std::uint64_t* value, const WideFactor& factor,
                        unsigned words) {
  const std::vector<std::uint64_t>& magnitude = factor.magnitude();
  if (words == 1) {
    const std::uint64_t product = value[0] * magnitude[0];
    sum[0] += factor.negative() ? 0 - product : product;
  } else if (words == 2) {
    const uint128 times = magnitude.size() == 1 ? uint128{magnitude[0]} : load(magnitude.data());
    const uint128 product = load(value) * times;
    store(sum, load(sum) + (factor.negative() ? 0 - product : product));
  } else {
    for (std::size_t i = 0; i < magnitude.size(); ++i) {
      const auto rest = static_cast<mp_size_t>(words - i);
      if (factor.negative()) {
        mpn_submul_1(sum + i, value, rest, magnitude[i]);
      } else {
        mpn_addmul_1(sum + i, value, rest, magnitude[i]);
      }
    }
  }
}

/// sum += a * b. Long ones by GMP's fast multiplication, through `scratch` of 2 words each.
inline void add_product(std::uint64_t* sum, const std::uint64_t* a, const std::uint64_t* b, unsigned words,
                        std::uint64_t* scratch) {
  constexpr unsigned long_words = 24;
  if (words == 1) {
    sum[0] += a[0] * b[0];
  } else if (words == 2) {
    store(sum, load(sum) + load(a) * load(b));
  } else if (words < long_words) {
    for (unsigned i = 0; i < words; ++i) mpn_addmul_1(sum + i, b, words - i, a[i]);
  } else {
    mpn_mul_n(scratch, a, b, words);
    mpn_add_n(sum, sum, scratch, words);
  }
}

}  // namespace wide
}  // namespace countpm
