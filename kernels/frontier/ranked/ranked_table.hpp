#pragma once
// The values of a table without keys, and how large they turned out.
//
// Bounds (value_bits.hpp) say how many words the values of a table may need; what they have is less: of
// tumorAntiAngiogenesis_2 404 of the 563 bits that the bound of the count allows. So each table is looked at
// once it is made, and the next one gets the words that its values can have at most by that.
#include <algorithm>
#include <bit>
#include <cstdint>

#include "kernels/support/growing_buffer.hpp"

namespace countpm {

/// The lowest words of all, `stride` of them, then the next.
struct RankedTable {
  Buffer<std::uint64_t> values;
  std::uint64_t stride = 1;  // the number of values
  std::uint32_t words = 1;   // of each
  std::uint32_t bits = 1;    // values are below 2^bits; of either sign: from -2^bits on
  /// Place p is at p & mask, and its block from there on: of a trial's table (ranked_trial.hpp) there is a
  /// part alone.
  std::uint64_t mask = ~std::uint64_t{0};

  std::uint64_t size() const { return stride * words; }
  /// To more words with the same values.
  void widen(std::uint32_t to_words, bool is_signed) {
    for (; words < to_words; ++words) {
      const std::uint64_t* const top = values.data() + (words - std::uint64_t{1}) * stride;
      std::uint64_t* const next = values.data() + words * stride;
      for (std::uint64_t k = 0; k < stride; ++k) next[k] = is_signed ? 0 - (top[k] >> 63U) : 0;
    }
  }
};

/// Words for values below 2^bits, or of either sign up to that.
inline std::uint32_t words_for_bits(std::uint32_t bits, bool is_signed) {
  return std::max(1U, (bits + (is_signed ? 2 : 0) + 63) / 64);
}

/// The two highest words of values, all of them together: of negative ones the complement.
struct HighestWords {
  std::uint64_t top = 0;
  std::uint64_t next = 0;

  /// Values first .. last - 1 of a table.
  void look_at(const RankedTable& table, std::uint64_t first, std::uint64_t last, bool is_signed) {
    const std::uint64_t* const high = table.values.data() + (table.words - std::uint64_t{1}) * table.stride;
    const std::uint64_t* const low = table.words > 1 ? high - table.stride : high;
    for (std::uint64_t k = first; k < last; ++k) {
      const std::uint64_t sign = is_signed ? 0 - (high[k] >> 63U) : 0;
      top |= high[k] ^ sign;
      next |= low[k] ^ sign;
    }
  }
  std::uint32_t bits(std::uint32_t words) const {
    if (top != 0 || words == 1) return 64 * (words - 1) + static_cast<std::uint32_t>(std::bit_width(top));
    return 64 * (words - 2) + static_cast<std::uint32_t>(std::bit_width(next));
  }
};

}  // namespace countpm
