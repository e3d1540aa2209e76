#pragma once
// States wider than a word: a fixed number of 64-bit words, compared and added as one unsigned integer.
#include <array>
#include <compare>
#include <cstdint>

namespace countpm {

template <unsigned Words>
struct LayerKey {
  std::array<std::uint64_t, Words> word{};  // least significant first

  bool operator==(const LayerKey&) const = default;
  std::strong_ordering operator<=>(const LayerKey& other) const {
    for (unsigned i = Words; i-- > 0;) {
      if (word[i] != other.word[i]) return word[i] <=> other.word[i];
    }
    return std::strong_ordering::equal;
  }
  LayerKey operator&(const LayerKey& other) const {
    LayerKey result;
    for (unsigned i = 0; i < Words; ++i) result.word[i] = word[i] & other.word[i];
    return result;
  }
  /// Modulo 2^(64 Words).
  LayerKey operator+(const LayerKey& other) const {
    LayerKey result;
    std::uint64_t carry = 0;
    for (unsigned i = 0; i < Words; ++i) {
      const std::uint64_t sum = word[i] + carry;
      result.word[i] = sum + other.word[i];
      carry = static_cast<std::uint64_t>(sum < carry) | static_cast<std::uint64_t>(result.word[i] < sum);
    }
    return result;
  }
  LayerKey operator-(const LayerKey& other) const {
    LayerKey result;
    std::uint64_t borrow = 0;
    for (unsigned i = 0; i < Words; ++i) {
      const std::uint64_t rest = word[i] - other.word[i];
      result.word[i] = rest - borrow;
      borrow =
          static_cast<std::uint64_t>(word[i] < other.word[i]) | static_cast<std::uint64_t>(rest < borrow);
    }
    return result;
  }
};

}  // namespace countpm
