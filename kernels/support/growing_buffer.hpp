#pragma once
// Memory for tables: uninitialised, of exactly the size asked for; large ones on huge pages where the system
// has them.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "kernels/support/growing_pages.hpp"
#include "kernels/support/huge_pages.hpp"

namespace countpm {

/// An array whose contents are lost when it grows. Tables come and go with every step, and each new page is
/// touched for the first time: what huge pages save there is told in huge_pages.hpp, what keeping pages saves
/// in growing_pages.hpp.
template <class T>
class Buffer {
 public:
  T* data() { return place(); }
  const T* data() const { return place(); }
  T& operator[](std::uint64_t k) { return place()[k]; }
  const T& operator[](std::uint64_t k) const { return place()[k]; }
  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t bytes() const { return capacity_ * sizeof(T); }

  /// At least `count` elements, unset (default-constructed where T is a class with a constructor).
  void ensure(std::uint64_t count) {
    if (count <= capacity_) return;
    if constexpr (std::is_trivially_destructible_v<T> && std::is_trivially_copyable_v<T>) {
      if (count >= huge_page_bytes / sizeof(T)) {
        small_.reset();
        capacity_ = 0;
        large_.grow(count * sizeof(T));
        capacity_ = count;
        return;
      }
    }
    release();
    small_.reset(new T[count]);
    capacity_ = count;
  }
  /// The same, and the first `kept` elements stay.
  void grow(std::uint64_t count, std::uint64_t kept) {
    if (count <= capacity_) return;
    if (large_.data() != nullptr) {  // pages take along what they hold
      capacity_ = 0;
      large_.grow(count * sizeof(T));
      capacity_ = count;
      return;
    }
    if (kept == 0) return ensure(count);
    const std::unique_ptr<T[]> before = std::move(small_);
    capacity_ = 0;
    ensure(count);
    std::move(before.get(), before.get() + kept, data());
  }
  /// Gives back memory beyond `count` elements, where it is worth it.
  void trim(std::uint64_t count) {
    if (large_.data() == nullptr || count >= capacity_) return;
    if (count == 0) return release();
    large_.shrink(count * sizeof(T));
    capacity_ = count;
  }
  void release() {
    large_.release();
    small_.reset();
    capacity_ = 0;
  }

 private:
  T* place() const { return large_.data() != nullptr ? static_cast<T*>(large_.data()) : small_.get(); }

  std::unique_ptr<T[]> small_;
  GrowingPages large_;
  std::uint64_t capacity_ = 0;
};

}  // namespace countpm
