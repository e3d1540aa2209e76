#pragma once
// Memory for tables that are read by vectors, on a cache line's boundary.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>

namespace countpm {

/// As wide as the widest vector and as a cache line.
inline constexpr std::size_t vector_alignment = 64;

struct FreeAligned {
  void operator()(void* memory) const { std::free(memory); }
};
/// T: a plain number, or void.
template <class T>
using AlignedPointer = std::unique_ptr<T, FreeAligned>;

/// At least so many bytes, unset, at a multiple of vector_alignment. Throws std::bad_alloc.
template <class T>
AlignedPointer<T> allocate_aligned(std::uint64_t bytes) {
  if (bytes > std::numeric_limits<std::size_t>::max() / 2) throw std::bad_alloc();
  const auto lines = static_cast<std::size_t>(bytes) / vector_alignment + 1;
  void* memory = std::aligned_alloc(vector_alignment, lines * vector_alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return AlignedPointer<T>(static_cast<T*>(memory));
}

}  // namespace countpm
