#pragma once
// Memory for tables: uninitialised, of exactly the size asked for; large ones on huge pages where the system
// has them.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <type_traits>

#include "kernels/support/huge_pages.hpp"

namespace countpm {

/// An array whose contents are lost when it grows. Tables come and go with every step, and each new one is
/// touched for the first time: what huge pages save there is told in huge_pages.hpp.
template <class T>
class Buffer {
 public:
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  T& operator[](std::uint64_t k) { return data_[k]; }
  const T& operator[](std::uint64_t k) const { return data_[k]; }
  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t bytes() const { return capacity_ * sizeof(T); }

  /// At least `count` elements, unset (default-constructed where T is a class with a constructor).
  void ensure(std::uint64_t count) {
    if (count <= capacity_) return;
    release();
    if constexpr (std::is_trivially_destructible_v<T> && std::is_trivially_copyable_v<T>) {
      if (count >= huge_page_bytes / sizeof(T)) {
        data_ = {static_cast<T*>(allocate_huge_pages(count * sizeof(T))), Free{true}};
        capacity_ = count;
        return;
      }
    }
    data_ = {new T[count], Free{false}};
    capacity_ = count;
  }
  void release() {
    data_.reset();
    capacity_ = 0;
  }

 private:
  struct Free {
    bool from_malloc = false;
    void operator()(T* memory) const {
      if (from_malloc) {
        std::free(memory);
      } else {
        delete[] memory;
      }
    }
  };

  std::unique_ptr<T[], Free> data_;
  std::uint64_t capacity_ = 0;
};

}  // namespace countpm
