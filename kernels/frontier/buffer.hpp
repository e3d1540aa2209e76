#pragma once
// Memory for tables: uninitialised, of exactly the size asked for; large ones on huge pages where the system
// has them.
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace countpm {

/// Tables come and go with every step, and each new one is touched for the first time: on 4 KiB pages dwt_245
/// (8 GB at the peak) spent 34.7 of its 58.2 CPU seconds on page faults. On huge pages it
/// took 40.3 CPU seconds, 21.9 s instead of 31.5 s of wall time (2-core AMD EPYC, Zen 4, virtual,
/// 2026-11-21). An array whose contents are lost when it grows.
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
      if (count >= huge_page / sizeof(T)) {
        data_ = {allocate_huge(count), Free{true}};
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
  static constexpr std::uint64_t huge_page = std::uint64_t{1} << 21;

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

  static T* allocate_huge(std::uint64_t count) {
    const std::uint64_t bytes = (count * sizeof(T) + huge_page - 1) / huge_page * huge_page;
    void* memory = std::aligned_alloc(huge_page, bytes);
    if (memory == nullptr) throw std::bad_alloc();
    madvise(memory, bytes, MADV_HUGEPAGE);  // advice: it may be ignored
    return static_cast<T*>(memory);
  }

  std::unique_ptr<T[], Free> data_;
  std::uint64_t capacity_ = 0;
};

}  // namespace countpm
