#pragma once
// Estimates with a guarantee: rejection sampling of several blocks whose product is to be within a factor.
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "kernels/estimate/gamma_bernoulli.hpp"
#include "kernels/estimate/rejection_trials.hpp"
#include "src/estimate/estimate.hpp"
#include "src/journal/sample_ledger.hpp"
#include "src/run/monitor.hpp"

namespace countpm {

/// What draws trials. They do not depend on it.
struct TrialMeans {
  int threads = 1;
  bool cpu = true;            // false: GPUs draw all trials
  std::vector<GpuInfo> gpus;  // that draw, too
  /// Asked once for GPUs where threads are predicted to take more than a second; empty: none come.
  std::function<std::vector<GpuInfo>()> more_gpus = {};
};

struct GuaranteedBlock {
  explicit GuaranteedBlock(RejectionTrials block_trials) : trials(std::move(block_trials)) {}
  RejectionTrials trials;
  std::uint64_t entries = 0;  // to be told before planning

  // Planned:
  GuaranteeGoal goal;                                  // its share
  GammaBernoulliRule rule;                             // whose successes are drawn
  double expected_rate = 0;                            // of success; an estimate without a guarantee
  double trial_seconds = 0;                            // measured, on one thread; 0: none is to draw
  double predicted_seconds = 0;                        // by all means
  std::vector<std::unique_ptr<DeviceTrials>> on_gpus;  // beside TrialMeans::gpus
  std::vector<double> gpu_trial_seconds;               // of each, measured

  // Drawn: trials and successes; at the start, those of an earlier session.
  DrawnSamples drawn;
  SampleLedger* ledger = nullptr;   // for a journal; null: there is none
  std::uint64_t drawn_on_gpus = 0;  // in this session, those beyond the last success included
  std::uint64_t drawn_on_cpu = 0;
  double log2_value = 0;

  /// Of the predicted seconds, those of the successes that are drawn.
  double done_seconds() const;
};

/// The trials of a block, as stream of the seed. Throws what the monitor says where it is stopped.
RejectionTrials make_trials(const AnyBlock& block, std::uint64_t seed, std::uint64_t stream,
                            Monitor& monitor);

/// Divides the goal: block b gets epsilon_b = (1 + epsilon)^s_b - 1 with the shares s_b adding up to 1, so
/// that the factors' product is within 1 +- epsilon (below: s epsilon >= epsilon_b, and the product of 1 -
/// s_b epsilon is at least 1 - epsilon), and an equal part of delta. Shares grow with the third root of the
/// predicted work, which makes the whole work least; they depend on the seed, not on the clock. Measures the
/// speed of trials, and asks for more GPUs. Throws UnableError, with the prediction, where the trials take
/// longer than until `deadline_seconds` of Monitor::elapsed() (infinity: never), or where roundings could
/// take more than their reserve.
void plan_guarantee(std::vector<GuaranteedBlock>& blocks, const GuaranteeGoal& goal, TrialMeans& means,
                    double deadline_seconds, Monitor& monitor);

/// Draws every block's trials in the order of their numbers up to the success that its rule asks for, on
/// threads and GPUs: the values depend on blocks, goals and seed alone, however many sessions it took. Throws
/// what the monitor says where it is stopped, and UnableError where the rate turns out so low that roundings
/// could matter.
void run_guarantee(std::vector<GuaranteedBlock>& blocks, std::uint64_t seed, const TrialMeans& means,
                   Monitor& monitor);

}  // namespace countpm
