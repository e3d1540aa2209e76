#pragma once
// The rate of a job on one of the threads that will run it, while the others run it, too: they share the
// processor's clock, its caches and its memory, and two of them often a core.
#include "kernels/method.hpp"

namespace countpm {

/// How many of so many threads run units of the job side by side: 1 where one unit keeps all of them busy.
int threads_that_share(const Job& job, int threads);

/// The mean of what so many threads measure (Job::measured_rate), each for about `seconds`, all at once; of
/// fewer where the system starts no more. Takes this thread's StopSignal along. Throws what measuring throws.
double rate_beside_others(const Job& job, double seconds, int threads);

}  // namespace countpm
