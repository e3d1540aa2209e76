#pragma once
// Memory for the elements of lanes.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "kernels/support/aligned_memory.hpp"

namespace countpm::planar {

/// Words on a cache line's boundary that only grow.
class LaneWords {
 public:
  std::uint64_t* data() const { return words_.get(); }
  /// Keeps the first `kept` words.
  void reserve(std::size_t words, std::size_t kept) {
    if (words <= capacity_) return;
    capacity_ = std::max(words, capacity_ + capacity_ / 2);
    auto larger = allocate_aligned<std::uint64_t>(capacity_ * sizeof(std::uint64_t));
    if (kept != 0) std::memcpy(larger.get(), words_.get(), kept * sizeof(std::uint64_t));
    words_ = std::move(larger);
  }

 private:
  AlignedPointer<std::uint64_t> words_;
  std::size_t capacity_ = 0;
};

}  // namespace countpm::planar
