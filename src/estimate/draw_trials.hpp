#pragma once
// Trials of blocks with a guarantee, drawn by threads and GPUs side by side.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/estimate/guarantee/rejection_trials.hpp"
#include "src/distributed/sample_crew.hpp"
#include "src/estimate/estimate.hpp"
#include "src/journal/sample_ledger.hpp"
#include "src/sampling/stopping_rule.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

/// What draws trials. They do not depend on it.
struct TrialMeans {
  int threads = 1;
  bool cpu = true;            // false: GPUs draw all trials
  std::vector<GpuInfo> gpus;  // that draw, too
  /// Asked once for GPUs where threads are predicted to take more than a second; empty: none come.
  std::function<std::vector<GpuInfo>()> more_gpus = {};
  SampleCrew* crew = nullptr;  // others who draw, too; null: none
  /// With them, how many machines like this one are predicted to draw.
  int ranks = 1;

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
/// threads here. share_bits: what the GPU's trials were made for. Throws Stopped, CudaError.
std::vector<TrialHits> hits_on_gpu(GuaranteedBlock& block, std::size_t gpu, std::uint64_t first,
                                   std::uint64_t count, unsigned share_bits, const TrialMeans& means,
                                   const StopSignal& stop);

/// Trials of a block, for whoever draws them with others.
class TrialDrawer : public SampleDrawer {
 public:
  /// share_bits: as the rule of whoever leads has it. Both of the others outlive this.
  TrialDrawer(GuaranteedBlock& block, unsigned share_bits, const TrialMeans& means)
      : block_(block), share_bits_(share_bits), means_(means) {
    block_.on_gpus.resize(means_.gpus.size());
  }

  void draw(SampleBatch& batch, const StopSignal& stop) const override;
  std::size_t gpus() const override { return means_.gpus.size(); }
  std::uint64_t few_on(std::size_t gpu) override;
  void draw_on(std::size_t gpu, SampleBatch& batch, const StopSignal& stop) override;

 private:
  GuaranteedBlock& block_;
  unsigned share_bits_;
  const TrialMeans& means_;
};

/// What fixes a block's trials beside its key, as JournalSampling::sampler: "rejection", of coins (no
/// share_bits), or "rejection, hits of 2^-16". The parser throws UsageError, which names who asks, for what
/// is none.
std::string trials_plan(unsigned share_bits);
unsigned share_bits_of(const std::string& plan, const std::string& who);

/// So many trials with these hits, as sums that redraw.hpp compares.
SampleMoments moments_of_trials(std::uint64_t count, const std::vector<TrialHits>& hits);

/// Draws a block's trials, number `number` of `blocks`, in the order of their numbers until its rule has
/// enough. Throws what the monitor says where it is stopped.
void draw_trials(GuaranteedBlock& block, std::size_t number, std::size_t blocks, const TrialMeans& means,
                 Monitor& monitor);

}  // namespace countpm
