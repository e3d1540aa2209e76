#pragma once
// Draws samples of several blocks on threads until their product is known well enough.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/estimate/samples/interval.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "kernels/gpu/device_info.hpp"
#include "src/distributed/sample_crew.hpp"
#include "src/journal/sample_ledger.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

struct SamplingLimits {
  double relative_error = 0.01;
  std::optional<double> ln_error;  // where it is given, in place of relative_error
  double confidence = 0.95;
  std::uint64_t samples = 0;    // 0: until the error
  double deadline_seconds = 0;  // of Monitor::elapsed()
  int threads = 1;
  double share_of_second = 0.1;  // the time of second samplers over that of the first
  bool cpu = true;               // false: GPUs draw all samples
  std::vector<GpuInfo> gpus;     // that draw, too, what has a form for them
  /// Asked once for GPUs that join where sampling seems to take longer than they do to start, or has taken a
  /// second; empty: none do.
  std::function<std::vector<GpuInfo>()> more_gpus = {};
  /// Called before, so that they start while samples are drawn; whether they do. Empty: they do not.
  std::function<bool()> start_gpus = {};
  SampleCrew* crew = nullptr;  // others who draw, too; null: none
};

struct SampledBlock {
  explicit SampledBlock(BlockSampler block_sampler) : sampler(std::move(block_sampler)) {}
  BlockSampler sampler;
  DrawnSamples drawn;  // at the start, what an earlier session drew
  /// Of a part of an estimate: its samples are numbered from here on, as the sampler has them.
  std::uint64_t first_sample = 0;
  SampledMean mean;
  SampleLedger* ledger = nullptr;                       // for a journal; null: there is none
  double cpu_seconds_a_sample = 0;                      // of one thread, as last seen; 0: not seen
  std::vector<std::unique_ptr<DeviceSampler>> on_gpus;  // beside SamplingLimits::gpus, once they are needed
  std::uint64_t drawn_on_gpus = 0;                      // in this session, by this process
  std::size_t series = 0;                               // for others who draw: SampleBatch::series
  double log2_most = 0;                                 // log2_most_sample
  /// Samples by another sampler (second_sampler.hpp); null: none. No journal has them: they are drawn again.
  std::unique_ptr<SampledBlock> second;
  /// Called with the number of the first of some samples, and ln of each; empty: nobody asks.
  std::function<void(std::uint64_t, std::vector<double>)> weights;
  std::string contradiction;  // why the second contradicts the samples; then mean.doubt is that
};

/// Fills in what is drawn, and means. The samples do not depend on what draws them. The first 64 samples of
/// every block, then always more of the block whose mean is least certain: what is drawn depends on the
/// samples alone, but for the deadline, after which no batch begins. A block's samples are always those
/// numbered 0 .. moments.samples - 1, also where this is left by an exception; at least one batch of each is
/// drawn. What earlier sessions drew is gone on with as if they had not ended. Whenever a block's interval is
/// looked at, its second sampler first draws, on the CPU (at the same time where GPUs draw the first's),
/// as many as second_samples() says, for which their share of the time is kept; where it contradicts
/// the samples the block is in doubt. Returns whether the limits were reached: all samples drawn, or an
/// interval narrow enough. The monitor is told how far it is. Throws what it says where it is stopped.
bool sample_blocks(std::vector<SampledBlock>& blocks, SamplingLimits limits, Monitor& monitor);

}  // namespace countpm
