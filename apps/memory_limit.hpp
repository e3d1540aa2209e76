#pragma once
// The memory that the process may have, with or without --memory-limit, as the system's hard limit behind the
// planner's predictions: what goes beyond it ends in exit 3, and never in the kernel's kill.
#include <sys/resource.h>

#include <cstdint>
#include <string>

#include "src/api/entries.hpp"

namespace countpm::app {

/// Makes threads' stacks small, and sets RLIMIT_DATA to what the program has by now and, beside that, the
/// less of the options' memory limit with a little for its own threads, and what this process can have of the
/// machine (src/machine/machine_limits.hpp) less a reserve. An allocation beyond it throws std::bad_alloc,
/// GMP's and MPFR's too. Once NVIDIA's driver is about to start, a GiB is added for it, and stacks are as
/// usual. Called again it sets another. A limit that was there before stays if it is lower. No effect under
/// the address sanitizer, whose shadow memory counts too.
void apply_memory_limit(const CountOptions& options);

/// What there is to say where memory ran out.
std::string out_of_memory_message();

/// While it lives, a program that is started has the limit that this one was started with.
class LimitOfOthers {
 public:
  LimitOfOthers();
  ~LimitOfOthers();
  LimitOfOthers(const LimitOfOthers&) = delete;
  LimitOfOthers& operator=(const LimitOfOthers&) = delete;

 private:
  rlimit own_{};
};

}  // namespace countpm::app
