#pragma once
// Keys of 256 bits, for tables over more vertices than two words have bits: the operators that tables need.
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace countpm {

class FourWordKey {
 public:
  constexpr FourWordKey() = default;
  constexpr FourWordKey(std::uint64_t low)
      : word_{low, 0, 0, 0} {}  // as of the other keys, which are integers

  explicit constexpr operator std::uint64_t() const { return word_[0]; }

  constexpr FourWordKey& operator|=(const FourWordKey& other) {
    for (std::size_t k = 0; k < words; ++k) word_[k] |= other.word_[k];
    return *this;
  }
  constexpr FourWordKey& operator>>=(unsigned bits) { return *this = *this >> bits; }

  friend constexpr FourWordKey operator|(FourWordKey a, const FourWordKey& b) { return a |= b; }
  friend constexpr FourWordKey operator&(FourWordKey a, const FourWordKey& b) {
    for (std::size_t k = 0; k < words; ++k) a.word_[k] &= b.word_[k];
    return a;
  }
  friend constexpr FourWordKey operator^(FourWordKey a, const FourWordKey& b) {
    for (std::size_t k = 0; k < words; ++k) a.word_[k] ^= b.word_[k];
    return a;
  }
  friend constexpr FourWordKey operator~(FourWordKey a) {
    for (std::uint64_t& word : a.word_) word = ~word;
    return a;
  }
  friend constexpr FourWordKey operator<<(const FourWordKey& a, unsigned bits) {
    FourWordKey result;
    const std::size_t whole = bits / 64;
    const unsigned rest = bits % 64;
    for (std::size_t k = words; k-- > whole;) {
      result.word_[k] = a.word_[k - whole] << rest;
      if (rest != 0 && k > whole) result.word_[k] |= a.word_[k - whole - 1] >> (64 - rest);
    }
    return result;
  }
  friend constexpr FourWordKey operator>>(const FourWordKey& a, unsigned bits) {
    FourWordKey result;
    const std::size_t whole = bits / 64;
    const unsigned rest = bits % 64;
    for (std::size_t k = 0; k + whole < words; ++k) {
      result.word_[k] = a.word_[k + whole] >> rest;
      if (rest != 0 && k + whole + 1 < words) result.word_[k] |= a.word_[k + whole + 1] << (64 - rest);
    }
    return result;
  }

  friend constexpr bool operator==(const FourWordKey& a, const FourWordKey& b) = default;
  friend constexpr std::strong_ordering operator<=>(const FourWordKey& a, const FourWordKey& b) {
    for (std::size_t k = words; k-- > 0;)
      if (a.word_[k] != b.word_[k]) return a.word_[k] <=> b.word_[k];
    return std::strong_ordering::equal;
  }

 private:
  static constexpr std::size_t words = 4;
  std::array<std::uint64_t, words> word_{};  // the lowest first
};

}  // namespace countpm
