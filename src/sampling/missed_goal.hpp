#pragma once
// What an estimate says where the time limit ended it before its goal was reached.
#include <optional>
#include <string>
#include <vector>

#include "src/api/estimate_result.hpp"
#include "src/sampling/sampling.hpp"

namespace countpm {

/// Where sampling reached its goal, or the certified bounds make up for what is missing, nothing. `before`:
/// the seconds until sampling began.
std::optional<MissedGoal> missed_goal(const Estimate& estimate, const EstimateOptions& options, bool reached,
                                      const std::vector<SampledBlock>& sampled, double before);

/// A time limit that is predicted to suffice where so many times as many samples are wanted as were drawn
/// from `before` until the limit. 0: hardly anybody waits so long, or it is not known (wanted is 0).
double advised_seconds(double wanted, double before, double limit);
/// What that adds to the sentence that the goal was missed: "; --time-limit 5m should suffice".
std::string advice(double wanted, double seconds);
/// That sentence, of a goal in words.
std::string missed_text(const std::string& goal, double wanted, double before, double limit);

}  // namespace countpm
