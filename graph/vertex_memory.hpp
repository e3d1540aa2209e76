#pragma once
// So many vertices that they are not begun with.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>

#include "graph/errors.hpp"

namespace countpm {

/// Throws UnableError for a matrix whose row starts alone exceed the memory of the machine: it would not fail
/// as an allocation but be killed later, or take for ever to be made.
inline void require_memory(std::uint64_t rows, std::uint64_t columns) {
  const auto pages = sysconf(_SC_PHYS_PAGES);
  const auto page = sysconf(_SC_PAGE_SIZE);
  if (pages <= 0 || page <= 0) return;
  const std::uint64_t memory = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
  const std::uint64_t needed = 16 * (rows + columns);
  if (needed > memory / 2) {
    throw UnableError(fmt::format("a matrix of {} rows and {} columns needs {} MiB for its row starts alone",
                                  rows, columns, needed >> 20U),
                      "leave out isolated vertices or use a machine with more memory");
  }
}

}  // namespace countpm
