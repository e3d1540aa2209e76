#pragma once
// Several counts at a time: what each of them has of the machine.
#include <cstdint>

#include "src/api/entries.hpp"

namespace countpm {

/// Larger graphs are counted alone, with all threads, unless the user asked for several counts at a time.
inline constexpr std::uint64_t most_vertices_beside_others = 2000;

struct Jobs {
  int number = 1;         // at a time
  bool together = false;  // whole counts; else small ones beside others, on one thread and for a second, and
                          // what needs more alone
  bool beside = false;    // whether a count beside others is tried at all
  CountOptions options;   // of a count beside others
};

/// `jobs` as --jobs has it: 0 is one for each thread, or one alone where GPUs are asked for. The options have
/// been checked.
Jobs share_jobs(const CountOptions& options, int jobs);

}  // namespace countpm
