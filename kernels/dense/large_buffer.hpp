#pragma once
// Memory for large tables, allocated once and left as it comes: huge pages where the system has them.
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace countpm {

/// Two tables of a gigabyte on 4 KiB pages cost 23 s of page faults in a count of 8 s when they came and went
/// with each step (2-core AMD EPYC, Zen 4, virtual, 2026-11-21); kept and on 2 MiB pages 0.3 s.
class LargeBuffer {
 public:
  explicit LargeBuffer(std::uint64_t bytes) {
    const std::uint64_t alignment = bytes < page ? vector : page;
    const std::uint64_t rounded = (bytes + alignment - 1) / alignment * alignment;
    memory_ = std::aligned_alloc(alignment, rounded);
    if (memory_ == nullptr) throw std::bad_alloc();
    if (bytes >= page) madvise(memory_, rounded, MADV_HUGEPAGE);  // advice: it may be ignored
  }
  ~LargeBuffer() { std::free(memory_); }
  LargeBuffer(const LargeBuffer&) = delete;
  LargeBuffer& operator=(const LargeBuffer&) = delete;

  /// Element: a plain number.
  template <class Element>
  Element* as() const {
    return static_cast<Element*>(memory_);
  }

 private:
  static constexpr std::uint64_t vector = 64;
  static constexpr std::uint64_t page = std::uint64_t{1} << 21;
  void* memory_ = nullptr;
};

}  // namespace countpm
