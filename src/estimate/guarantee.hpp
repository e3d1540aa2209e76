#pragma once
// Estimates with a guarantee: rejection sampling of several blocks whose product is to be within a factor.
#include <cstdint>
#include <string>
#include <vector>

#include "src/estimate/draw_trials.hpp"
#include "src/estimate/estimate.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

/// The trials of a block, as stream of its block_key. Throws what the monitor says where it is stopped.
RejectionTrials make_trials(const AnyBlock& block, std::uint64_t key, std::uint64_t stream, int threads,
                            Monitor& monitor);

/// Of every block, in their order.
std::vector<GuaranteedBlock> guaranteed_blocks(const std::vector<AnyBlock>& hard, std::uint64_t seed,
                                               int threads, Monitor& monitor);

/// Divides the goal: block b gets epsilon_b = (1 + epsilon)^s_b - 1 with the shares s_b adding up to 1, so
/// that the factors' product is within 1 +- epsilon (below: s epsilon >= epsilon_b, and the product of 1 -
/// s_b epsilon is at least 1 - epsilon), and an equal part of delta. Shares grow with the third root of the
/// predicted work, which makes the whole work of coins least; they depend on the seed, not on the clock, as
/// does which rule each block takes. Measures the speed of trials, and asks for more GPUs. Throws
/// UnableError, with the prediction, where the trials take longer than until `deadline_seconds` of
/// Monitor::elapsed() (infinity: never), or where roundings could take more than their reserve.
void plan_guarantee(std::vector<GuaranteedBlock>& blocks, const GuaranteeGoal& goal, TrialMeans& means,
                    double deadline_seconds, Monitor& monitor);

/// Throws InputError, naming the journal, where it brought trials that were drawn for another rule than is
/// planned now.
void refuse_other_rules(const std::vector<GuaranteedBlock>& blocks, const std::string& journal);

/// Gives the rule what parts have drawn, in the order of their numbers (DrawnSamples::trials): it takes no
/// more than it asks for. Throws InputError, naming the journal, as refuse_other_rules().
void take_trials_of_parts(std::vector<GuaranteedBlock>& blocks, const std::string& journal);

/// Draws every block's trials in the order of their numbers until its rule has enough, on
/// threads and GPUs: the values depend on blocks, goals and keys alone, however many sessions it took. Throws
/// what the monitor says where it is stopped, and UnableError where the rate turns out so low that roundings
/// could matter.
void run_guarantee(std::vector<GuaranteedBlock>& blocks, const TrialMeans& means, Monitor& monitor);

}  // namespace countpm
