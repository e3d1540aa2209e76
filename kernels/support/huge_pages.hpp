#pragma once
// Memory for large tables, left as it comes: on huge pages where the system has them.
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "kernels/support/aligned_memory.hpp"

namespace countpm {

/// From this size on memory is on huge pages.
inline constexpr std::uint64_t huge_page_bytes = std::uint64_t{1} << 21;

/// That many bytes on a cache line's boundary, for std::free; what lies within them of whole huge pages is on
/// such, and nothing is rounded up to them: a dozen tables of a few MiB took half as much again as was
/// planned. What tables gain: page faults on 4 KiB pages took 34.7 of dwt_245's 58.2 CPU seconds (8 GB of
/// frontier tables at the peak); on huge pages it took 40.3 CPU seconds in all, 21.9 s instead of 31.5 s of
/// wall time. Two tables of a gigabyte of rook numbers cost 23 s of page faults in a count of 8 s when they
/// came and went with each step; kept, and on huge pages, 0.3 s (2-core AMD EPYC, Zen 4, virtual,
/// 2026-11-21). Throws std::bad_alloc.
inline void* allocate_huge_pages(std::uint64_t bytes) {
  constexpr std::uintptr_t page = 4096;
  void* memory = allocate_aligned<void>(bytes).release();
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t before = (page - address % page) % page;
  if (before + page <= bytes) {  // advice: it may be ignored
    madvise(static_cast<char*>(memory) + before, (bytes - before) / page * page, MADV_HUGEPAGE);
  }
  return memory;
}

/// On a cache line's boundary; large ones on huge pages. For std::free.
inline void* allocate_table(std::uint64_t bytes) {
  return bytes < huge_page_bytes ? allocate_aligned<void>(bytes).release() : allocate_huge_pages(bytes);
}

/// For std::vector.
template <class T>
struct HugePageAllocator {
  static_assert(alignof(T) <= vector_alignment);
  using value_type = T;

  HugePageAllocator() = default;
  template <class Other>
  HugePageAllocator(const HugePageAllocator<Other>&) {}

  T* allocate(std::size_t count) { return static_cast<T*>(allocate_table(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t) { std::free(memory); }
  friend bool operator==(HugePageAllocator, HugePageAllocator) { return true; }
};

}  // namespace countpm
