#pragma once
// Whoever draws samples of an estimate that is led elsewhere (SampleBoard): the samplers made again, and
// batches of their samples.
#include <memory>
#include <string>
#include <vector>

#include "src/estimate/draw_trials.hpp"
#include "src/estimate/estimate.hpp"
#include "src/sampling/sampling.hpp"

namespace countpm {

class SampleWorker {
 public:
  /// plan: SampleBoard::plan(). The options are those of the estimate, but that limits and threads are this
  /// machine's. Throws UsageError where the plan is of another version, seed or sampler, InputError where the
  /// graph reduces to other blocks, UnableError where the samplers do not fit the memory here.
  SampleWorker(ReadResult read, const std::string& plan, const CountOptions& count_options,
               const EstimateOptions& options);
  SampleWorker(const SampleWorker&) = delete;
  SampleWorker& operator=(const SampleWorker&) = delete;
  ~SampleWorker() = default;

  /// Draws samples of a series, or trials of a block, on the CPU, and returns a batch, a line. From any
  /// thread, also several at a time; of the options interruption is the call's. Throws UsageError where there
  /// is no such series.
  std::string run(std::size_t series, const UnitRange& samples, const CountOptions& options) const;

 private:
  void make_all_samplers(std::vector<SampledBlock> sampled, bool weights);
  void make_all_trials(const std::vector<AnyBlock>& hard, std::uint64_t seed, Monitor& monitor);

  JournalHeader header_;
  int threads_ = 1;
  std::vector<SampledBlock> sampled_;
  std::vector<GuaranteedBlock> guaranteed_;  // in their place
  TrialMeans trial_means_;
  std::vector<std::unique_ptr<SampleDrawer>> drawers_;  // by series; null: there is none
};

}  // namespace countpm
