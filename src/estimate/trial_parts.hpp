#pragma once
// A guarantee in parts: trials are drawn ahead by their numbers, and whoever merges the parts gives them to
// the rule, which says how many count.
#include <cstdint>
#include <string>
#include <vector>

#include "src/estimate/guarantee.hpp"
#include "src/journal/checkpoint.hpp"

namespace countpm {

/// The samples of `samples` that are those of part `number` of `parts`, from 0.
UnitRange share_of_part(std::uint64_t samples, std::uint64_t number, std::uint64_t parts);

/// How many trials of each block all parts draw: those that its rule is expected to take, and an eighth more,
/// for it may want them. Throws as plan_guarantee.
struct TrialsAhead {
  std::vector<TrialShare> of_blocks;  // from 0 on
  std::uint64_t trials = 0;           // of all blocks
  double predicted_seconds = 0;       // by one thread
};
TrialsAhead trials_ahead(const std::vector<AnyBlock>& hard, const GuaranteeGoal& goal, std::uint64_t seed,
                         Monitor& monitor);
/// Of one part.
std::vector<TrialShare> trials_of_part(const TrialsAhead& all, std::uint64_t number, std::uint64_t parts);

/// Draws what is left of a part's trials on `threads` threads, and keeps them in the checkpoint, which has
/// begun. Throws what the monitor says where it is stopped, and UnableError where a block has more trials
/// with hits than a part should keep.
void draw_trials_of_part(const std::vector<GuaranteedBlock>& blocks, const JournalPart& part,
                         Checkpoint& checkpoint, int threads, Monitor& monitor);

}  // namespace countpm
