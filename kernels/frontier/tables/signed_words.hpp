#pragma once
// Integers of any number of words, least significant first, negative ones in two's complement: sums of
// multiples and of products, into numbers of other lengths. (wide_value.hpp has those of one length.)
#include <gmpxx.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace countpm {

static_assert(sizeof(mp_limb_t) == sizeof(std::uint64_t) && GMP_NAIL_BITS == 0);

/// A number of `words` words, at least one.
struct SignedWords {
  const std::uint64_t* word;
  unsigned words;

  bool negative() const { return word[words - 1] >> 63U != 0; }
};

/// What numbers are multiplied by.
class WordFactor {
 public:
  explicit WordFactor(const mpz_class& value) : negative_(value < 0), one_(value == 1) {
    for (std::size_t i = 0; i < mpz_size(value.get_mpz_t()); ++i)
      magnitude_.push_back(mpz_getlimbn(value.get_mpz_t(), static_cast<mp_size_t>(i)));
  }
  bool negative() const { return negative_; }
  bool is_one() const { return one_; }
  /// Of the magnitude; 0 has none.
  const std::vector<std::uint64_t>& words() const { return magnitude_; }

 private:
  bool negative_;
  bool one_;
  std::vector<std::uint64_t> magnitude_;
};

/// The bits of |value|, or one less where it is a negative power of two; `least` where they are no more.
inline std::size_t bits_of(SignedWords value, std::size_t least) {
  const std::uint64_t filling = value.negative() ? ~std::uint64_t{0} : 0;
  for (unsigned k = value.words; k-- > 0 && 64 * (std::size_t{k} + 1) > least;) {
    const std::uint64_t word = value.word[k] ^ filling;
    if (word != 0)
      return std::max<std::size_t>(least, 64 * std::size_t{k} + std::bit_width(word) + (filling & 1U));
  }
  return least;
}

namespace words {

/// sum[at ...] += value * factor, of which sum has `length` words.
inline void add_multiple(std::uint64_t* sum, unsigned length, SignedWords value, std::uint64_t factor,
                         unsigned at) {
  if (factor == 0 || at >= length) return;
  const unsigned used = std::min(value.words, length - at);
  std::uint64_t* const to = sum + at;
  const mp_limb_t carry =
      factor == 1 ? mpn_add_n(to, to, value.word, used) : mpn_addmul_1(to, value.word, used, factor);
  const mp_size_t above = length - at - used;
  if (above == 0) return;
  mpn_add_1(to + used, to + used, above, carry);
  // Two's complement of a negative number is 2^(64 words) too much.
  if (value.negative()) mpn_sub_1(to + used, to + used, above, factor);
}

/// The same, subtracted.
inline void subtract_multiple(std::uint64_t* sum, unsigned length, SignedWords value, std::uint64_t factor,
                              unsigned at) {
  if (factor == 0 || at >= length) return;
  const unsigned used = std::min(value.words, length - at);
  std::uint64_t* const to = sum + at;
  const mp_limb_t borrow = mpn_submul_1(to, value.word, used, factor);
  const mp_size_t above = length - at - used;
  if (above == 0) return;
  mpn_sub_1(to + used, to + used, above, borrow);
  if (value.negative()) mpn_add_1(to + used, to + used, above, factor);
}

}  // namespace words

/// sum += value * factor, modulo 2^(64 length).
inline void add_product(std::uint64_t* sum, unsigned length, SignedWords value, const WordFactor& factor) {
  unsigned at = 0;
  for (const std::uint64_t word : factor.words()) {
    if (factor.negative()) {
      words::subtract_multiple(sum, length, value, word, at);
    } else {
      words::add_multiple(sum, length, value, word, at);
    }
    ++at;
  }
}

/// sum = value * factor.
inline void write_product(std::uint64_t* sum, unsigned length, SignedWords value, const WordFactor& factor) {
  if (factor.negative() || factor.words().size() != 1) {
    std::fill(sum, sum + length, std::uint64_t{0});
    add_product(sum, length, value, factor);
    return;
  }
  const unsigned used = std::min(value.words, length);
  const std::uint64_t word = factor.words().front();
  mp_limb_t carry = 0;
  if (factor.is_one()) {
    std::copy(value.word, value.word + used, sum);
  } else {
    carry = mpn_mul_1(sum, value.word, used, word);
  }
  const mp_size_t above = length - used;
  if (above == 0) return;
  std::fill(sum + used, sum + length, std::uint64_t{0});
  sum[used] = carry;
  if (value.negative()) mpn_sub_1(sum + used, sum + used, above, word);
}

/// Room for the product of two numbers.
struct ProductRoom {
  std::vector<std::uint64_t> a;  // magnitudes
  std::vector<std::uint64_t> b;
  std::vector<std::uint64_t> product;
};

/// sum += a * b, modulo 2^(64 length).
inline void add_product(std::uint64_t* sum, unsigned length, SignedWords a, SignedWords b,
                        ProductRoom& room) {
  const auto magnitude = [](SignedWords value, std::vector<std::uint64_t>& to) {
    to.assign(value.word, value.word + value.words);
    if (value.negative()) mpn_neg(to.data(), to.data(), value.words);
    while (to.size() > 1 && to.back() == 0) to.pop_back();
  };
  magnitude(a, room.a);
  magnitude(b, room.b);
  if (room.a.size() < room.b.size()) std::swap(room.a, room.b);
  room.product.resize(std::max<std::size_t>(room.a.size() + room.b.size(), length));
  mpn_mul(room.product.data(), room.a.data(), static_cast<mp_size_t>(room.a.size()), room.b.data(),
          static_cast<mp_size_t>(room.b.size()));
  std::fill(room.product.begin() + static_cast<std::ptrdiff_t>(room.a.size() + room.b.size()),
            room.product.end(), std::uint64_t{0});
  if (a.negative() != b.negative()) {
    mpn_sub_n(sum, sum, room.product.data(), length);
  } else {
    mpn_add_n(sum, sum, room.product.data(), length);
  }
}

}  // namespace countpm
