#pragma once
// Row sums packed into the registers of a GPU thread, and the subsets of a warp whose product counts: what
// the kernels of sparyser and skipper share. Compiles without nvcc, for the CPU executor.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/arithmetic/bit_operations.hpp"
#include "kernels/arithmetic/host_device.hpp"
#include "kernels/arithmetic/wide_integer.hpp"

namespace countpm::gray {

/// `words` words of row sums of `bits` bits each, every one kept as sum + 2^(bits - 2), so that its top bit
/// stays 0: a column's words are added to all rows of a word by one addition, and no carry crosses rows.
template <unsigned bits_given, unsigned words_given>
struct PackedSums {
  static constexpr unsigned bits = bits_given;
  static constexpr unsigned words = words_given;
  static constexpr unsigned rows_in_word = 32 / bits;
  static constexpr unsigned rows = words * rows_in_word;
  static constexpr std::int32_t offset = 1 << (bits - 2);
  static constexpr std::int64_t largest_sum = offset - 1;
  /// A column's words are 16 bytes a load, and neighbouring columns lie in different banks of shared memory.
  static constexpr unsigned stride = (words + 7) / 8 * 8 + 4 - (words % 8 <= 4 && words % 8 != 0 ? 8 : 0);
  /// Masks of zero rows: 32 rows each, row bit k of a mask is place k / bits of word k % bits.
  static constexpr unsigned masks = (words + bits - 1) / bits;
  static_assert((bits == 8 || bits == 16) && stride % 8 == 4 && stride >= words);

  std::uint32_t word[words];

  COUNTPM_HD void load(const std::uint32_t* from) {
    COUNTPM_UNROLL
    for (unsigned w = 0; w < words; ++w) word[w] = from[w];
  }
  /// += column, or -= where out.
  COUNTPM_HD void flip(const std::uint32_t* column, bool out) {
    const std::uint32_t factor = out ? ~std::uint32_t{0} : 1;
    for_each_word(column, [&](unsigned w, std::uint32_t entry) { word[w] += factor * entry; });
  }
  COUNTPM_HD void add(const std::uint32_t* column) {
    for_each_word(column, [&](unsigned w, std::uint32_t entry) { word[w] += entry; });
  }
  COUNTPM_HD void subtract(const std::uint32_t* column) {
    for_each_word(column, [&](unsigned w, std::uint32_t entry) { word[w] -= entry; });
  }

  /// Whether no row is zero.
  COUNTPM_HD bool product_counts() const {
    std::uint32_t all = tops;
    COUNTPM_UNROLL
    for (unsigned w = 0; w < words; ++w) all &= tops_of_nonzero(word[w]);
    return all == tops;
  }
  /// Whether one of the rows that `among` marks by their top bits is zero.
  COUNTPM_HD bool any_zero(const std::uint32_t* among) const {
    std::uint32_t zero = 0;
    COUNTPM_UNROLL
    for (unsigned w = 0; w < words; ++w) zero |= among[w] & ~tops_of_nonzero(word[w]);
    return (zero & tops) != 0;
  }
  /// Which rows are zero, by their places in the masks.
  COUNTPM_HD void zero_rows(std::uint32_t (&mask)[masks]) const {
    COUNTPM_UNROLL
    for (unsigned m = 0; m < masks; ++m) mask[m] = 0;
    COUNTPM_UNROLL
    for (unsigned w = 0; w < words; ++w)
      mask[w / bits] |= (~tops_of_nonzero(word[w]) & tops) >> (bits - 1 - w % bits);
  }

  /// The product of the rows of one word: below 2^product_bits in magnitude.
  static constexpr unsigned product_bits = rows_in_word * (bits - 2);
  COUNTPM_HD static std::int32_t product_of(std::uint32_t packed) {
    constexpr std::uint32_t mask = (1U << (bits - 1)) - 1;
    std::int32_t product = static_cast<std::int32_t>(packed & mask) - offset;
    COUNTPM_UNROLL
    for (unsigned k = 1; k < rows_in_word; ++k)
      product *= static_cast<std::int32_t>(packed >> (bits * k) & mask) - offset;
    return product;
  }

 private:
  static constexpr std::uint32_t each_row = bits == 8 ? 0x01010101U : 0x00010001U;
  static constexpr std::uint32_t tops = each_row << (bits - 1);

  /// The top bit of each row that is not zero, and anything below.
  COUNTPM_HD static std::uint32_t tops_of_nonzero(std::uint32_t packed) {
    return (packed ^ each_row * static_cast<std::uint32_t>(offset)) + ~tops;
  }
  template <class F>
  COUNTPM_HD static void for_each_word(const std::uint32_t* column, const F& f) {
    COUNTPM_UNROLL
    for (unsigned w = 0; w < words; w += 4) {
      std::uint32_t four[4];
      memcpy(four, __builtin_assume_aligned(column + w, 16), sizeof(four));
      COUNTPM_UNROLL
      for (unsigned k = 0; k < 4; ++k) {
        if (w + k < words) f(w + k, four[k]);
      }
    }
  }
};

/// The subsets of a warp without a zero row wait here until there are 32 of them: then each lane multiplies
/// the rows of one. Products are exact modulo 2^(64 W).
template <class Warp, class Packed, unsigned W>
class ProductQueue {
 public:
  template <class T>
  using PerLane = typename Warp::template PerLane<T>;
  static constexpr unsigned places = 64;
  static constexpr std::size_t bytes = std::size_t{places} * Packed::words * sizeof(std::uint32_t);

  /// memory: `bytes` of shared memory, the warp's own.
  COUNTPM_HD ProductQueue(Warp& warp, std::uint32_t* memory) : warp_(warp), word_(memory) {}

  /// The lanes of `counting` hand over their sums; minus(lane): whether the product is subtracted.
  template <class Minus>
  COUNTPM_HD void push(std::uint32_t counting, const PerLane<Packed>& sums, const Minus& minus) {
    if (counting == 0) return;
    warp_.each([&](unsigned l) {
      if ((counting >> l & 1) == 0) return;
      const unsigned before = bit_count(counting & ((std::uint32_t{1} << l) - 1));
      const unsigned at = (oldest_ + waiting_ + before) % places;
      COUNTPM_UNROLL
      for (unsigned w = 0; w < Packed::words; ++w) word_[w * places + at] = sums[l].word[w];
      // The top bit of the first row is free.
      if (minus(l)) word_[at] |= std::uint32_t{1} << (Packed::bits - 1);
    });
    // At most 31 waited before.
    waiting_ += bit_count(counting);
    if (waiting_ >= lanes) multiply(lanes);
  }
  /// Multiplies those that still wait.
  COUNTPM_HD void flush() {
    if (waiting_ != 0) multiply(waiting_);
  }
  /// Of all lanes.
  COUNTPM_HD WideInteger<W> total() const {
    return warp_.reduce(total_, [](WideInteger<W> a, const WideInteger<W>& b) {
      a.add(b, false);
      return a;
    });
  }

 private:
  static constexpr unsigned lanes = 32;

  /// Limbs that the product of the first `count` words of rows may fill.
  COUNTPM_HD static constexpr unsigned limbs(unsigned count) {
    const unsigned needed = (count * Packed::product_bits + 31) / 32;
    return needed < 2 * W ? needed : 2 * W;
  }

  COUNTPM_HD void multiply(unsigned count) {
    warp_.sync();
    warp_.each([&](unsigned l) {
      if (l >= count) return;
      const std::uint32_t* const own = word_ + (oldest_ + l) % places;
      const bool minus = (own[0] >> (Packed::bits - 1) & 1) != 0;
      // Limbs of 32 bits times a factor below 2^28 and a carry below that fit into 64 bits.
      std::uint32_t limb[2 * W] = {};
      std::int32_t signs = 0;
      COUNTPM_UNROLL
      for (unsigned w = 0; w < Packed::words; ++w) {
        const std::int32_t factor = Packed::product_of(own[w * places]);
        signs ^= factor;
        const auto magnitude = static_cast<std::uint32_t>(factor < 0 ? -factor : factor);
        if (w == 0) {
          limb[0] = magnitude;
          continue;
        }
        const std::uint32_t carry = multiply_limbs(limb, limbs(w), magnitude);
        if (limbs(w) < limbs(w + 1)) limb[limbs(w)] = carry;
      }
      total_[l].add(WideInteger<W>::of(limb), (signs < 0) != minus);
    });
    warp_.sync();
    oldest_ = (oldest_ + count) % places;
    waiting_ -= count;
  }

  Warp& warp_;
  std::uint32_t* word_;  // [word][place], a ring of places
  unsigned oldest_ = 0;
  unsigned waiting_ = 0;
  PerLane<WideInteger<W>> total_;
};

}  // namespace countpm::gray
