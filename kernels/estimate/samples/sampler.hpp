#pragma once
// The samplers by name, and one bound to a block: the pipeline's view of this folder.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/estimate/samples/device_sampler.hpp"
#include "kernels/estimate/samples/population_report.hpp"
#include "kernels/estimate/samples/sample_moments.hpp"
#include "kernels/estimate/samples/sampler_options.hpp"
#include "kernels/gpu/device_info.hpp"
#include "kernels/method.hpp"
#include "matching/block.hpp"

namespace countpm {

class SamplerCore;

struct SamplerInfo {
  SamplerKind kind;
  std::string_view name;
  std::string_view summary;
  std::string_view reference;
  bool walks = true;  // over the rows: the options of pruning and tails apply
};
/// All samplers.
const std::vector<SamplerInfo>& samplers();
const SamplerInfo& sampler_info(SamplerKind kind);
/// Whether SamplerOptions::prune applies.
bool can_prune(SamplerKind kind);
/// Whether it draws matchings of graphs with odd cycles, and of vertices that may stay alone, too.
bool draws_any_graph(SamplerKind kind);
/// Whether SamplerOptions::scale_interval and scale_steps do.
bool can_scale(SamplerKind kind);
/// UsageError listing the valid names where there is none of that name.
SamplerKind sampler_named(std::string_view name);

/// A sampler bound to a block. Sample k depends on the seed, the stream (the block's number), k, the block
/// and the options, on nothing else: any thread may draw it, in any batch, as often as it likes.
class BlockSampler {
 public:
  /// Throws UnableError for blocks that cannot be sampled (sample_matrix.hpp,
  /// estimate/determinants/samples.hpp), and for population where more than most_population_width columns
  /// would be live at a time. Scales the whole block once where the sampler scales; draws some pilot samples
  /// where it chooses by itself, on SpareThreads::here() threads. O(entries) beyond that.
  BlockSampler(const AnyBlock& block, const SamplerOptions& options, std::uint64_t seed,
               std::uint64_t stream);
  ~BlockSampler();
  BlockSampler(BlockSampler&&) noexcept;
  BlockSampler& operator=(BlockSampler&&) noexcept;

  /// What the options ask for, or what was chosen.
  SamplerKind kind() const;
  /// Everything that options and choices fix of the samples, for whoever goes on with them.
  std::string plan() const;
  /// How many walks a sample is made of: of strata, and of populations, whose states each lead one on.
  double walks() const;
  /// About how many nanoseconds a sample takes, by block and options alone: to share time out among samplers
  /// in a way that does not depend on the clock.
  double work() const;
  /// What each thread that draws needs beyond O(entries).
  std::uint64_t bytes_a_thread() const;

  /// Of a sampler by populations; empty for others.
  std::optional<PopulationReport> population() const;

  /// Why no GPU draws these samples; empty: on_device() makes what does.
  std::string device_obstacle() const;
  /// The same sampler on a GPU of this machine, or an emulated one. Precondition: no device_obstacle().
  /// Throws UnableError in a build without CUDA, and where the GPU's memory does not suffice. lists: scaling
  /// by the kernel for every size and weight where one on bit sets would do, for comparisons.
  std::unique_ptr<DeviceSampler> on_device(const GpuInfo& gpu, bool lists = false) const;

  /// Samples first .. first + count - 1: independent, non-negative, each with the block's permanent as its
  /// mean. Thread-safe. Throws Stopped. Memory: O(size), with pruning O(entries), of determinants O(size^2).
  SampleMoments run(std::uint64_t first, std::uint64_t count, const StopSignal& stop) const;
  /// The same ones, each by itself, handed to take() in turn.
  void run_each(std::uint64_t first, std::uint64_t count, const StopSignal& stop,
                const std::function<void(const SampleMoments&)>& take) const;

 private:
  std::unique_ptr<const SamplerCore> core_;
};

}  // namespace countpm
