#pragma once
// What a method that competes is told of the best of the others (kernels/competitor.hpp).
#include <algorithm>

#include "kernels/competitor.hpp"
#include "src/plan/candidates.hpp"

namespace countpm {

/// A GPU counts as many: an H200 made 2^36.1 transitions in 0.31 s (bench/results/frontier.md), 2.4e11 a
/// second, and a core makes 1.2e8.
inline int cores_that_compete(const Resources& resources) {
  constexpr int cores_a_gpu = 2000;
  return std::min(resources.threads, resources.cores) + cores_a_gpu * static_cast<int>(resources.gpus.size());
}

/// Before Candidate::fit_memory(): its job plans what may pay beside another that takes `seconds`.
inline void tell_rival(Candidate& candidate, double seconds, const Resources& resources) {
  if (candidate.pinned) return;
  auto* const competitor = dynamic_cast<Competitor*>(candidate.job.get());
  if (competitor == nullptr) return;
  competitor->compete_with(seconds, cores_that_compete(resources));
  candidate.predict(resources);
}

}  // namespace countpm
