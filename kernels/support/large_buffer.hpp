#pragma once
// Memory for large tables, allocated once and left as it comes.
#include <cstdint>

#include "kernels/support/aligned_memory.hpp"
#include "kernels/support/huge_pages.hpp"

namespace countpm {

/// On a cache line's boundary; large ones on huge pages, where the system has them.
class LargeBuffer {
 public:
  explicit LargeBuffer(std::uint64_t bytes) : memory_(allocate_table(bytes)) {}

  /// Element: a plain number.
  template <class Element>
  Element* as() const {
    return static_cast<Element*>(memory_.get());
  }

 private:
  AlignedPointer<void> memory_;
};

}  // namespace countpm
