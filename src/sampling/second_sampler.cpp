#include "src/sampling/second_sampler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "src/structure/blocks.hpp"

namespace countpm {
namespace {

// Told from the streams of the first sampler.
constexpr std::uint64_t second_stream = std::uint64_t{1} << 58;
constexpr double fewest_samples = 32;
constexpr double fewest_annealed = 64;
constexpr double most_work_of_fewest = 2e9;  // nanoseconds
constexpr double most_samples = 4096;
// What is drawn unasked tells more as the root of its samples grows; GPUs, which draw the first, do not help.
constexpr double unasked_in_proportion = 1e10;  // nanoseconds
// Pruning takes rows * entries a sample: some 0.2 s.
constexpr std::uint64_t most_pruned_work = 40'000'000;
constexpr std::uint64_t most_rows_with_tail = 4096;
// Two intervals of this many times less doubt are apart: by chance hardly ever.
constexpr double less_doubt = 50;

std::string power_of_ten(double ln) {
  return fmt::format("10^{:.6g}", ln / std::log(10.0));
}

}  // namespace

BlockSampler second_sampler(const AnyBlock& block, SamplerKind first, std::uint64_t key,
                            std::uint64_t stream) {
  SamplerOptions options;
  if (is_general(block)) {
    options.kind = first == SamplerKind::bethe ? SamplerKind::boundary : SamplerKind::bethe;
    return {block, options, key, stream | second_stream};
  }
  options.kind = first == SamplerKind::scaling_plus ? SamplerKind::rasmussen_plus : SamplerKind::scaling_plus;
  const std::uint64_t rows = rows_of(block);
  if (rows * entries_of(block) <= most_pruned_work) options.prune = true;
  if (rows > most_rows_with_tail) options.tail_rows = 0;  // three samples to find one would be dear
  return {block, options, key, stream | second_stream};
}

BlockSampler second_by_annealing(const AnyBlock& block, std::uint64_t key, std::uint64_t stream) {
  SamplerOptions options;
  options.kind = SamplerKind::annealed;
  return {block, options, key, stream | second_stream};
}

std::uint64_t second_samples(const BlockSampler& first, const BlockSampler& second, std::uint64_t drawn,
                             double share) {
  return second_samples(first.work(), second, drawn, share);
}

std::uint64_t second_samples(double work_of_first, const BlockSampler& second, std::uint64_t drawn,
                             double share) {
  double work = share * static_cast<double>(drawn) * work_of_first;
  if (share < share_of_asked_second && work > unasked_in_proportion)
    work = std::sqrt(work * unasked_in_proportion);
  const double fewest = second.kind() == SamplerKind::annealed
                            ? fewest_annealed
                            : std::clamp(most_work_of_fewest / second.work(), 1.0, fewest_samples);
  return static_cast<std::uint64_t>(std::clamp(work / second.work(), fewest, most_samples));
}

std::string contradiction(const SampledMean& first, const SampledMean& second, const std::string& sampler,
                          double confidence) {
  if (!first.doubt.empty() || std::isinf(second.log_mean)) return {};
  const double least = markov_lower_end(second, confidence);
  const double most = interval_of(first, confidence).high;
  if (least > most) {
    return fmt::format("samples of {} say at least {} (Markov), and these at most {}", sampler,
                       power_of_ten(least), power_of_ten(most));
  }
  if (!second.doubt.empty()) return {};
  const double surer = 1 - (1 - confidence) / less_doubt;
  const LogInterval own = interval_of(first, surer);
  const LogInterval other = interval_of(second, surer);
  if (own.low <= other.high && other.low <= own.high) return {};
  return fmt::format("samples of {} say {} to {}, and these {} to {}", sampler, power_of_ten(other.low),
                     power_of_ten(other.high), power_of_ten(own.low), power_of_ten(own.high));
}

SampledMean mean_of_both(const SampledMean& first, const SampledMean& second) {
  SampledMean both = first;
  const double larger = std::max(first.log_mean, second.log_mean);
  const double smaller = std::min(first.log_mean, second.log_mean);
  both.log_mean = larger + std::log1p(std::exp(smaller - larger)) - std::log(2.0);
  return both;
}

}  // namespace countpm
