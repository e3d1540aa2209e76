#pragma once
// Memory of large tables that grow: the pages that a table has stay its own.
#include <cstdint>
#include <utility>

namespace countpm {

/// Pages straight from the system, whole huge ones where it has them. A page is cleared by the system when it
/// is first touched, and what grows by a new allocation has all its pages cleared again: the frontier tables
/// of bcsstk01 took 1,665 huge pages so, and take 631 with these (2 cores, 2026-11-25).
class GrowingPages {
 public:
  GrowingPages() = default;
  ~GrowingPages() { release(); }
  GrowingPages(GrowingPages&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  GrowingPages& operator=(GrowingPages&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  GrowingPages(const GrowingPages&) = delete;
  GrowingPages& operator=(const GrowingPages&) = delete;

  /// At least so many bytes, at a multiple of 2 MiB, nothing rounded up but to a page of 4 KiB; what was
  /// there stays, and what is new is unset. Throws std::bad_alloc, after which what there was may be gone:
  /// data() says it.
  void grow(std::uint64_t bytes);
  /// Gives back what is beyond so many bytes, which stay as they are; 0: all.
  void shrink(std::uint64_t bytes);
  void release();
  void* data() const { return memory_; }

 private:
  void* memory_ = nullptr;
  std::uint64_t bytes_ = 0;
};

}  // namespace countpm
