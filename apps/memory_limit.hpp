#pragma once
// --memory-limit as the system's hard limit, behind the planner's predictions.
#include <cstdint>

namespace countpm::app {

/// Sets RLIMIT_DATA to `bytes` plus what the program, its libraries and the stacks of `threads` threads take
/// anyway, so that an allocation beyond it throws std::bad_alloc. 0: no limit. No effect under the address
/// sanitizer, whose shadow memory counts too.
void apply_memory_limit(std::uint64_t bytes, int threads);

}  // namespace countpm::app
