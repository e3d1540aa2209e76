#pragma once
// Which blocks of an estimate are counted and which are sampled.
#include <string>
#include <vector>

#include "src/api/estimate_result.hpp"
#include "src/journal/journal.hpp"
#include "src/machine/resources.hpp"
#include "src/plan/planned_block.hpp"
#include "src/structure/blocks.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

/// The count is factor * (the exact blocks' counts) * (the count of each hard one).
struct BlockSplit {
  Factor factor;
  std::vector<PlannedBlock> exact;  // perhaps without what is hard of them
  std::vector<AnyBlock> hard;       // the parts that `exact` names as sampled, in turn
};

/// What a split depends on beside the blocks.
struct SplitLimits {
  const CountOptions& count;
  const EstimateOptions& estimate;
  WeightKind weight_kind;
  const Resources& resources;
};

/// Weights that are not negative; with a guarantee no odd cycles and no vertices that may stay alone.
bool can_be_sampled(const AnyBlock& block, const EstimateOptions& options);

/// What is predicted to take less than EstimateOptions::exact_below_seconds, and no longer than what is left
/// of the time limit, is planned, and what cannot be sampled is if it fits the time limit; all else is hard.
/// Throws UnableError where all is to be sampled and a block cannot be.
BlockSplit split_blocks(ReducedInstance reduced, const SplitLimits& limits, Monitor& monitor);

/// As the journal has it, whatever the speed of this machine. Throws InputError where the blocks are others
/// than the journal's, UnableError where an exact plan does not fit into memory here.
BlockSplit split_as_before(ReducedInstance reduced, const std::vector<JournalBlock>& journaled,
                           const SplitLimits& limits, Monitor& monitor);

/// The blocks that are sampled alone, for whoever only draws. file: for messages. Throws InputError where the
/// blocks are others than the journal's.
std::vector<AnyBlock> sampled_as_before(ReducedInstance reduced, const std::vector<JournalBlock>& journaled,
                                        WeightKind weight_kind, const std::string& file);

/// No sample of a block is beyond 2^this, nor nearer to 0 than its inverse.
double log2_most_sample(const AnyBlock& block);

/// What an estimate is to reach, exactly, as a journal has it.
std::string estimate_goal_text(const EstimateOptions& options);

/// What a journal keeps of an estimate: the header of its counted blocks with those that are sampled.
/// samplers: of every hard block, BlockSampler::plan or "rejection".
JournalHeader estimate_header(const InputInfo& input, const BlockSplit& split,
                              const std::vector<std::string>& samplers, const SplitLimits& limits);

/// Throws InputError where the journal is a count's, or of another seed, goal, sampler or rule of random
/// numbers, or has samples that these blocks cannot have, or more than were asked for. header: as
/// estimate_header() makes it here.
void check_same_estimate(const Journal& journal, const JournalHeader& header,
                         const std::vector<AnyBlock>& sampled, const EstimateOptions& options,
                         const std::string& file);

}  // namespace countpm
