#pragma once
// What a count may use of the machine.
#include <cstdint>

#include "src/countpm.hpp"

namespace countpm {

struct Resources {
  int threads = 1;
  std::uint64_t memory_bytes = 0;
};

/// The options' figures, else all threads that OpenMP gives and the memory that the machine has available.
Resources resources_for(const CountOptions& options);

}  // namespace countpm
