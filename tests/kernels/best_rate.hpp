#pragma once
// Rates that tests ask for, on machines where anything else may run.
#include <algorithm>

/// Of a Job or DeviceJob: the best of up to a hundred slices of a millisecond, since another process may take
/// the time of one; of no more than it takes to be above what is enough.
template <class Job>
double best_rate(Job&& job, double enough) {
  double best = 0;
  for (int slice = 0; slice < 100 && best <= enough; ++slice) best = std::max(best, job.measured_rate(0.001));
  return best;
}
