// GPUs that are to run a job and have not the memory for it: why, how far it is, and whether a search may
// help.
#include <cmath>
#include <limits>
#include <optional>

#include "src/plan/candidates.hpp"
#include "src/plan/gpu_teams.hpp"
#include "src/plan/setup_costs.hpp"

namespace countpm {

void Candidate::predict_gpu_memory(const Resources& resources) {
  fits = false;
  log10_too_large = std::numeric_limits<double>::infinity();
  if (resources.gpus.empty()) {
    obstacle = {RefusalKind::memory, "its units were cut for the memory of GPUs, and there are none here"};
    return;
  }
  obstacle = why_no_gpu(*job, resources.gpus, host_room(resources));
  const std::optional<MemoryGap> gap = memory_gap(*job, resources.gpus);
  if (!gap) return;
  log10_too_large = gap->log2_times * std::log10(2);
  log10_seconds = std::log10(gpu_setup_seconds + gap->seconds + arithmetic_seconds);
}

bool Candidate::may_come_to_fit() const {
  return !fits && std::isfinite(log10_too_large) && job->improvable();
}

}  // namespace countpm
