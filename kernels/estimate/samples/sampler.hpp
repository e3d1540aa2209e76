#pragma once
// The samplers by name, and one bound to a block: the pipeline's view of this folder.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/estimate/samples/device_sampler.hpp"
#include "kernels/estimate/samples/sample_moments.hpp"
#include "kernels/gpu/device_info.hpp"
#include "kernels/method.hpp"
#include "matching/block.hpp"

namespace countpm {

enum class SamplerKind {
  rasmussen,
  rasmussen_plus,
  scaling,
  scaling_plus,
  bethe,
  population,
  godsil_gutman,
  godsil_gutman_complex,
  godsil_gutman_quaternion
};

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
/// Whether SamplerOptions::scale_interval and scale_steps do.
bool can_scale(SamplerKind kind);
/// UsageError listing the valid names where there is none of that name.
SamplerKind sampler_named(std::string_view name);

constexpr std::uint32_t default_scale_steps = 4;

struct SamplerOptions {
  /// Empty: bethe, unless pilot samples of it, drawn on blocks that are not too large, are spread
  /// (sampler.cpp); then population where the rows can be ordered so that at most 64 columns are live at a
  /// time (of samples spread far: 256 and half of all) and its own pilots are steady enough; else bethe all
  /// the same. What only one of them knows settles it: `population`; `prune` and the `scale_...`
  /// (scaling_plus); `tail_rows` or `strata` (bethe).
  std::optional<SamplerKind> kind;
  /// Drop the entries in no perfect matching at every step. Empty: scaling+ does, up to 1024 rows. Not for
  /// bethe, which does so as far as it pays.
  std::optional<bool> prune;
  /// scaling: every so many rows (0: one for every 512 rows of the block) ...
  std::uint32_t scale_interval = 0;
  std::optional<std::uint32_t> scale_steps;  // ... so many sweeps of Sinkhorn's scaling; empty: 4
  /// At most so many last rows are counted exactly (at most 64); 0: none. Empty: as many as take some hundred
  /// states, found by three samples that are thrown away.
  std::optional<std::uint32_t> tail_rows;
  /// A sample is the mean of so many walks, 1 .. most_strata, whose first choices are stratified
  /// (strata.hpp). Empty: 1.
  std::optional<std::uint32_t> strata;
  /// population: at most so many states stay alive, 1 .. most_population (population.hpp). Empty: from 128 on
  /// four times as many until samples are spread by at most 6 %, or until a sample takes some 50 ms.
  std::optional<std::uint32_t> population;
};
constexpr std::uint32_t most_strata = 1 << 16;

/// A sampler bound to a block. Sample k depends on the seed, the stream (the block's number), k, the block
/// and the options, on nothing else: any thread may draw it, in any batch, as often as it likes.
class BlockSampler {
 public:
  /// Throws UnableError for blocks that cannot be sampled (sample_matrix.hpp,
  /// estimate/determinants/samples.hpp), and for population where more than most_population_width columns
  /// would be live at a time. Scales the whole block once where the sampler scales; draws some pilot samples
  /// where it chooses by itself. O(entries) beyond that.
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

  /// Why no GPU draws these samples; empty: on_device() makes what does.
  std::string device_obstacle() const;
  /// The same sampler on a GPU of this machine, or an emulated one. Precondition: no device_obstacle().
  /// Throws UnableError in a build without CUDA, and where the GPU's memory does not suffice. lists: scaling
  /// by the kernel for every size and weight where one on bit sets would do, for comparisons.
  std::unique_ptr<DeviceSampler> on_device(const GpuInfo& gpu, bool lists = false) const;

  /// Samples first .. first + count - 1: independent, non-negative, each with the block's permanent as its
  /// mean. Thread-safe. Throws Stopped. Memory: O(size), with pruning O(entries), of determinants O(size^2).
  SampleMoments run(std::uint64_t first, std::uint64_t count, const StopSignal& stop) const;

 private:
  class Core;
  std::unique_ptr<const Core> core_;
};

}  // namespace countpm
