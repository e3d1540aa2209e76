#pragma once
// Memory of a thread that comes and goes with each unit, on pages of its own.
#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <utility>

namespace countpm {

/// At least so many bytes, all 0, which go back to the system: malloc's arenas, that threads share, keep
/// buffers of some 100 KiB with holes between them. A count by pruned of 36 rows on 64 threads took 104 MiB
/// so, and 26 MiB with these (x86-64, glibc 2.36, 2026-11-24).
class OwnPages {
 public:
  OwnPages() = default;
  /// Throws std::bad_alloc. Precondition: bytes > 0.
  explicit OwnPages(std::size_t bytes)
      : memory_(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)),
        bytes_(bytes) {
    if (memory_ != MAP_FAILED) return;
    memory_ = nullptr;
    throw std::bad_alloc();
  }
  ~OwnPages() {
    if (memory_ != nullptr) ::munmap(memory_, bytes_);
  }
  OwnPages(OwnPages&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)), bytes_(other.bytes_) {}
  OwnPages& operator=(OwnPages&&) = delete;
  OwnPages(const OwnPages&) = delete;
  OwnPages& operator=(const OwnPages&) = delete;

  unsigned char* data() const { return static_cast<unsigned char*>(memory_); }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace countpm
