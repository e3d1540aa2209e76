#pragma once
// Memory for tables: uninitialised, of exactly the size asked for.
#include <cstdint>
#include <memory>
#include <type_traits>

namespace countpm {

/// An array whose contents are lost when it grows.
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
    data_ = std::make_unique_for_overwrite<T[]>(count);
    capacity_ = count;
  }
  void release() {
    data_.reset();
    capacity_ = 0;
  }

 private:
  std::unique_ptr<T[]> data_;
  std::uint64_t capacity_ = 0;
};

}  // namespace countpm
