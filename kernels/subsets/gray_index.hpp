#pragma once
// Positions in a Gray code of any length: g and its code word g xor (g >> 1), in one machine word or many.
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace countpm {

/// Words: std::array<uint64_t, w> or std::vector<uint64_t>, least significant first. 0 <= g <= 2^bits, bits <
/// 64 * words.
template <class Words>
class GrayIndex {
 public:
  GrayIndex(Words zero, unsigned bits) : words_(std::move(zero)), bits_(bits) {}

  bool at_end() const { return bit(bits_); }
  bool is_zero() const {
    for (const std::uint64_t word : words_) {
      if (word != 0) return false;
    }
    return true;
  }
  bool bit(unsigned position) const { return (words_[position / 64] >> (position % 64) & 1) != 0; }
  /// Word `at` of the code word.
  std::uint64_t code(std::size_t at) const {
    const std::uint64_t above = at + 1 < words_.size() ? words_[at + 1] << 63 : 0;
    return words_[at] ^ (words_[at] >> 1 | above);
  }
  std::size_t size() const { return words_.size(); }
  /// Whether the code word has an odd number of bits: that is g's last bit.
  bool odd() const { return (words_[0] & 1) != 0; }
  /// Of g > 0: the column that flips on the way from g - 1 to g.
  unsigned trailing_zeros() const {
    for (std::size_t at = 0;; ++at) {
      if (words_[at] != 0)
        return static_cast<unsigned>(64 * at) + static_cast<unsigned>(std::countr_zero(words_[at]));
    }
  }
  /// The least multiple of 2^position above g.
  void round_up(unsigned position) {
    const std::size_t word = position / 64;
    for (std::size_t at = 0; at < word; ++at) words_[at] = 0;
    words_[word] = (words_[word] >> (position % 64)) << (position % 64);
    add(position);
  }
  /// g + 2^position.
  void add(unsigned position) {
    std::uint64_t carry = std::uint64_t{1} << (position % 64);
    for (std::size_t at = position / 64; carry != 0 && at < words_.size(); ++at) {
      words_[at] += carry;
      carry = words_[at] < carry ? 1 : 0;
    }
  }
  bool operator<(const GrayIndex& other) const {
    for (std::size_t at = words_.size(); at-- > 0;) {
      if (words_[at] != other.words_[at]) return words_[at] < other.words_[at];
    }
    return false;
  }

 private:
  Words words_;
  unsigned bits_;
};

}  // namespace countpm
