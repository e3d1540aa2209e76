#pragma once
// What an estimate says where the time limit ended it before its goal was reached.
#include <optional>
#include <vector>

#include "src/estimate/estimate_result.hpp"
#include "src/estimate/sampling.hpp"

namespace countpm {

/// Where sampling reached its goal, or the certified bounds make up for what is missing, nothing. `before`:
/// the seconds until sampling began.
std::optional<MissedGoal> missed_goal(const Estimate& estimate, const EstimateOptions& options, bool reached,
                                      const std::vector<SampledBlock>& sampled, double before);

}  // namespace countpm
