#include "kernels/support/growing_pages.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "kernels/support/huge_pages.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t small_page_bytes = 4096;

#ifndef __EMSCRIPTEN__
/// Addresses at a multiple of a huge page, with nothing there yet; null where there are none left.
char* reserve_addresses(std::uint64_t bytes) {
  void* found = ::mmap(nullptr, bytes + huge_page_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (found == MAP_FAILED) return nullptr;
  char* const begin = static_cast<char*>(found);
  const std::uint64_t before = -reinterpret_cast<std::uintptr_t>(found) % huge_page_bytes;
  if (before > 0) ::munmap(begin, before);
  ::munmap(begin + before + bytes, huge_page_bytes - before);
  return begin + before;
}
#endif

}  // namespace

#ifdef __EMSCRIPTEN__
// There are no pages to move: what grows is copied.
void GrowingPages::grow(std::uint64_t bytes) {
  if (bytes <= bytes_) return;
  void* const grown = allocate_aligned<void>(bytes).release();
  if (bytes_ > 0) std::memcpy(grown, memory_, static_cast<std::size_t>(bytes_));
  std::free(std::exchange(memory_, grown));
  bytes_ = bytes;
}

void GrowingPages::shrink(std::uint64_t bytes) {
  if (bytes == 0) release();
}

void GrowingPages::release() {
  std::free(std::exchange(memory_, nullptr));
  bytes_ = 0;
}
#else
void GrowingPages::grow(std::uint64_t bytes) {
  bytes = (bytes + small_page_bytes - 1) / small_page_bytes * small_page_bytes;
  if (bytes <= bytes_) return;
  char* target = reserve_addresses(bytes);
  if (target == nullptr && memory_ != nullptr) {  // where addresses are limited, not both at a time
    release();
    target = reserve_addresses(bytes);
  }
  if (target == nullptr) throw std::bad_alloc();
  if (memory_ == nullptr) {
    if (::mprotect(target, bytes, PROT_READ | PROT_WRITE) != 0) {
      ::munmap(target, bytes);
      throw std::bad_alloc();
    }
  } else if (::mremap(memory_, bytes_, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, target) == MAP_FAILED) {
    // The system may have freed the target before it failed, and another thread may have it by now: it is
    // left alone.
    throw std::bad_alloc();
  }
  // Both addresses are multiples of a huge page, so that such pages have moved whole.
  memory_ = target;
  bytes_ = bytes;
  // A huge page lies within the mapping, so that nothing is rounded up; all of it, since what differs in such
  // advice does not move at once. It may be ignored.
  ::madvise(memory_, bytes_, MADV_HUGEPAGE);
}

void GrowingPages::shrink(std::uint64_t bytes) {
  bytes = (bytes + small_page_bytes - 1) / small_page_bytes * small_page_bytes;
  if (bytes >= bytes_) return;
  if (bytes == 0) return release();
  ::munmap(static_cast<char*>(memory_) + bytes, bytes_ - bytes);
  bytes_ = bytes;
}

void GrowingPages::release() {
  if (memory_ != nullptr) ::munmap(memory_, bytes_);
  memory_ = nullptr;
  bytes_ = 0;
}
#endif

}  // namespace countpm
