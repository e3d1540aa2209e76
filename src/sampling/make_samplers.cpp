#include "src/sampling/make_samplers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "graph/errors.hpp"
#include "src/sampling/block_key.hpp"
#include "src/sampling/second_sampler.hpp"
#include "src/sampling/split_blocks.hpp"
#include "src/text/format_quantity.hpp"

namespace countpm {

std::vector<SampledBlock> make_samplers(const std::vector<AnyBlock>& hard, const EstimateOptions& options,
                                        std::uint64_t seed) {
  SamplerOptions own_options = options.sampler;
  own_options.for_gpu = options.device == "gpu";
  std::vector<SampledBlock> sampled;
  sampled.reserve(hard.size());
  for (const AnyBlock& block : hard) {
    const std::uint64_t key = block_key(block, seed);
    const std::size_t stream = sampled.size();
    sampled.emplace_back(BlockSampler(block, own_options, key, stream));
    SampledBlock& own = sampled.back();
    own.log2_most = log2_most_sample(block);
    own.series = series_a_block * stream;
    // A sampler that was asked for stands alone, unless a check was asked for, too.
    if (options.second == SecondOpinion::none) continue;
    if (options.second == SecondOpinion::automatic && options.sampler.kind) continue;
    own.second = std::make_unique<SampledBlock>(options.second == SecondOpinion::annealed
                                                    ? second_by_annealing(block, key, stream)
                                                    : second_sampler(block, own.sampler.kind(), key, stream));
    own.second->log2_most = own.log2_most;
    own.second->series = own.series + 1;
  }
  return sampled;
}

std::vector<std::string> plans_of_series(const std::vector<SampledBlock>& sampled) {
  std::vector<std::string> plans;
  plans.reserve(sampled.size());
  for (const SampledBlock& block : sampled) {
    plans.push_back(block.sampler.plan());
    if (block.second) plans.back() += " beside " + block.second->sampler.plan();
  }
  return plans;
}

const SampledBlock* series_of(const std::vector<SampledBlock>& sampled, std::size_t series) {
  const std::size_t block = series / series_a_block;
  if (block >= sampled.size()) return nullptr;
  return series % series_a_block == 0 ? &sampled[block] : sampled[block].second.get();
}

SampledBlock* series_of(std::vector<SampledBlock>& sampled, std::size_t series) {
  const std::size_t block = series / series_a_block;
  if (block >= sampled.size()) return nullptr;
  return series % series_a_block == 0 ? &sampled[block] : sampled[block].second.get();
}

void fit_threads_to_samplers(const std::vector<SampledBlock>& sampled, Resources& resources,
                             std::vector<std::string>& notes) {
  std::uint64_t bytes = 0;
  for (const SampledBlock& block : sampled) bytes = std::max(bytes, block.sampler.bytes_a_thread());
  if (fit_threads(bytes, resources, notes)) return;
  throw UnableError(
      fmt::format("populations of this size take {} of memory per thread, more than the {} allowed",
                  format_bytes(bytes), format_bytes(resources.memory_bytes)),
      "try a smaller --population");
}

}  // namespace countpm
