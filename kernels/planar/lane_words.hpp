#pragma once
// Memory for the elements of lanes.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace countpm::planar {

/// Words on a cache line's boundary that only grow.
class LaneWords {
 public:
  std::uint64_t* data() const { return words_.get(); }
  /// Keeps the first `kept` words.
  void reserve(std::size_t words, std::size_t kept) {
    if (words <= capacity_) return;
    capacity_ = (std::max(words, capacity_ + capacity_ / 2) + 7) / 8 * 8;
    std::unique_ptr<std::uint64_t, Free> larger(
        static_cast<std::uint64_t*>(std::aligned_alloc(64, capacity_ * sizeof(std::uint64_t))));
    if (larger == nullptr) throw std::bad_alloc();
    if (kept != 0) std::memcpy(larger.get(), words_.get(), kept * sizeof(std::uint64_t));
    words_ = std::move(larger);
  }

 private:
  struct Free {
    void operator()(std::uint64_t* words) const { std::free(words); }
  };
  std::unique_ptr<std::uint64_t, Free> words_;
  std::size_t capacity_ = 0;
};

}  // namespace countpm::planar
