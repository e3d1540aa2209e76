#pragma once
// Trials of blocks with a guarantee, drawn by threads and GPUs side by side.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "kernels/estimate/guarantee/rejection_trials.hpp"
#include "src/estimate/estimate.hpp"
#include "src/estimate/stopping_rule.hpp"
#include "src/journal/sample_ledger.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

/// What draws trials. They do not depend on it.
struct TrialMeans {
  int threads = 1;
  bool cpu = true;            // false: GPUs draw all trials
  std::vector<GpuInfo> gpus;  // that draw, too
  /// Asked once for GPUs where threads are predicted to take more than a second; empty: none come.
  std::function<std::vector<GpuInfo>()> more_gpus = {};

  /// Threads that draw: those that only wait for a GPU leave their cores to these, but for one each.
  int drawing_threads() const;
  /// Threads that a GPU's feeder may use: all, where they draw nothing themselves.
  int feeding_threads() const;
};

struct GuaranteedBlock {
  explicit GuaranteedBlock(RejectionTrials block_trials) : trials(std::move(block_trials)) {}
  RejectionTrials trials;
  std::uint64_t entries = 0;  // set before planning
  std::uint64_t key = 0;      // block_key, set too: of what the rule itself draws

  // Planned:
  GuaranteeGoal goal;                                  // its share
  StoppingRule rule;                                   // what its trials go on for
  double expected_rate = 0;                            // permanent / bound, without a guarantee
  double trial_seconds = 0;                            // measured, on one thread; 0: none is to draw
  double predicted_seconds = 0;                        // by all means
  std::vector<std::unique_ptr<DeviceTrials>> on_gpus;  // beside TrialMeans::gpus
  std::vector<double> gpu_trial_seconds;               // of each, measured

  // Drawn: trials and what of them counts; at the start, those of an earlier session.
  DrawnSamples drawn;
  SampleLedger* ledger = nullptr;   // for a journal; null: there is none
  std::uint64_t drawn_on_gpus = 0;  // in this session, those beyond the last one included
  std::uint64_t drawn_on_cpu = 0;
  double log2_value = 0;

  /// Of the predicted seconds, those of what is drawn.
  double done_seconds() const { return predicted_seconds * rule.progress(drawn); }
};

/// So many trials on the block's GPU number `gpu`, which says which have hits, and how many these have by
/// threads here. Throws Stopped, CudaError.
std::vector<TrialHits> hits_on_gpu(GuaranteedBlock& block, std::size_t gpu, std::uint64_t first,
                                   std::uint64_t count, const TrialMeans& means, const StopSignal& stop);

/// Draws a block's trials, number `number` of `blocks`, in the order of their numbers until its rule has
/// enough. Throws what the monitor says where it is stopped.
void draw_trials(GuaranteedBlock& block, std::size_t number, std::size_t blocks, const TrialMeans& means,
                 Monitor& monitor);

}  // namespace countpm
