#pragma once
// Where in the keys of states each field has its bits.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/frontier/tables/program.hpp"

namespace countpm {

inline constexpr std::uint32_t low_bits = 6;

/// The bits of the keys: which are taken.
class KeySlots {
 public:
  Field take(std::uint32_t width) {
    for (std::size_t word = 0;; ++word) {
      if (word == taken_.size()) taken_.push_back(0);
      for (std::uint32_t shift = 0; shift + width <= 64; ++shift) {
        if (taken_[word] == ~std::uint64_t{0}) break;
        if ((taken_[word] & bits(shift, width)) != 0) continue;
        if (word == 0 && shift < low_bits && shift + width > low_bits) continue;
        taken_[word] |= bits(shift, width);
        const auto offset = static_cast<std::uint32_t>(64 * word + shift);
        highest_ = std::max(highest_, offset + width);
        return {offset, width};
      }
    }
  }
  void reserve(Field field) {
    while (taken_.size() <= field.offset / 64) taken_.push_back(0);
    taken_[field.offset / 64] |= bits(field.offset % 64, field.width);
    highest_ = std::max(highest_, field.offset + field.width);
  }
  void release(Field field) { taken_[field.offset / 64] &= ~bits(field.offset % 64, field.width); }
  std::uint32_t highest() const { return highest_; }

 private:
  static std::uint64_t bits(std::uint32_t shift, std::uint32_t width) {
    return ((std::uint64_t{1} << width) - 1) << shift;
  }
  std::vector<std::uint64_t> taken_;
  std::uint32_t highest_ = 0;
};

}  // namespace countpm
