#pragma once
// Draws samples of several blocks on threads until their product is known well enough.
#include <cstdint>
#include <vector>

#include "kernels/estimate/interval.hpp"
#include "kernels/estimate/sampler.hpp"
#include "src/run/monitor.hpp"

namespace countpm {

struct SamplingLimits {
  double relative_error = 0.01;
  double confidence = 0.95;
  std::uint64_t samples = 0;    // 0: until relative_error
  double deadline_seconds = 0;  // of Monitor::elapsed()
  int threads = 1;
};

struct SampledBlock {
  explicit SampledBlock(BlockSampler block_sampler) : sampler(std::move(block_sampler)) {}
  BlockSampler sampler;
  SampleMoments moments;
  SampledMean mean;
  double seconds = 0;
};

/// Fills in moments and means. The first 64 samples of every block, then always more of the block whose mean
/// is least certain: what is drawn depends on the samples alone, but for the deadline, after which no batch
/// begins. A block's samples are always those numbered 0 .. moments.samples - 1; at least one batch of each
/// is drawn. Throws what the monitor says where it is stopped.
void sample_blocks(std::vector<SampledBlock>& blocks, const SamplingLimits& limits, Monitor& monitor);

}  // namespace countpm
