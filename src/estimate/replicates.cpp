#include "src/estimate/replicates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "graph/clock.hpp"
#include "src/distributed/rank_jobs.hpp"
#include "src/estimate/joined_estimate.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {
namespace {

constexpr double hardly_ever = 0.001;
const double ln_10 = std::log(10.0);

Replicate replicate_of(const EstimateResult& result) {
  const Estimate& estimate = *result.estimate;
  Replicate one;
  one.seed = estimate.seed;
  one.sampler = result.sampler;
  one.log10 = estimate.log10_sample_mean;
  one.ln_error = estimate.ln_error();
  one.samples = estimate.samples;
  one.effective_samples = estimate.effective_samples;
  one.pareto_k = estimate.pareto_k;
  one.doubt = estimate.doubt;
  one.seconds = result.seconds.count;
  return one;
}

/// All but the estimate: what others of the result are of the first, or of all together.
void take_rest(EstimateResult& all, EstimateResult&& next) {
  if (!all.missed) all.missed = std::move(next.missed);
  if (next.device != all.device) all.device = "gpu+cpu";
  for (std::string& note : next.notes) {
    if (std::find(all.notes.begin(), all.notes.end(), note) == all.notes.end())
      all.notes.push_back(std::move(note));
  }
}

}  // namespace

std::uint64_t seed_of_replicate(std::uint64_t seed, std::uint64_t replicate) {
  if (replicate == 0) return seed;
  // SplitMix64. G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom number generators, OOPSLA
  // 2014.
  std::uint64_t z = seed + replicate * 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  constexpr int above_53_bits = 11;
  return (z ^ (z >> 31)) >> above_53_bits;
}

double chi_square_tail(double x, std::uint64_t degrees) {
  if (!(x > 0)) return 1;
  // Terms of the Poisson law with mean x / 2, at halves of odd numbers where the degrees are odd; as
  // logarithms, for the first may be below any double.
  const double half = x / 2;
  const bool odd = degrees % 2 == 1;
  double tail = odd ? std::erfc(std::sqrt(half)) : 0;
  double place = odd ? 1.5 : 1;
  double log_term = -half + (odd ? 0.5 * std::log(4 * half / std::acos(-1.0)) : 0.0);
  for (std::uint64_t k = 0; k < degrees / 2; ++k) {
    tail += std::exp(log_term);
    log_term += std::log(half / place);
    place += 1;
  }
  return std::min(tail, 1.0);
}

ReplicateSpread spread_of(const std::vector<Replicate>& replicates) {
  const auto number = static_cast<double>(replicates.size());
  double weights = 0;
  double weighted = 0;
  double mean = 0;
  double squares = 0;
  const double origin = replicates.front().log10;  // digits that all share would be lost
  const auto ln = [&](const Replicate& one) { return (one.log10 - origin) * ln_10; };
  for (const Replicate& one : replicates) {
    const double weight = 1 / (one.ln_error * one.ln_error);
    weights += weight;
    weighted += weight * ln(one);
    mean += ln(one) / number;
    squares += one.ln_error * one.ln_error / number;
  }
  ReplicateSpread spread;
  spread.shown = std::sqrt(squares);
  double apart = 0;
  for (const Replicate& one : replicates) {
    const double distance = (ln(one) - weighted / weights) / one.ln_error;
    spread.chi_square += distance * distance;
    apart += (ln(one) - mean) * (ln(one) - mean);
  }
  spread.observed = std::sqrt(apart / (number - 1));
  spread.probability = chi_square_tail(spread.chi_square, replicates.size() - 1);
  spread.contradicts = spread.probability < hardly_ever;
  return spread;
}

Estimate joined_replicates(const std::vector<Estimate>& estimates, const std::vector<Replicate>& replicates,
                           const std::optional<ReplicateSpread>& spread, Checks& checks) {
  const Estimate& first = estimates.front();
  double largest = first.log10_sample_mean;
  for (const Estimate& one : estimates) largest = std::max(largest, one.log10_sample_mean);
  SampledMean mean;
  double sum = 0;
  for (const Estimate& one : estimates)
    sum += std::isinf(largest) ? 0 : std::exp((one.log10_sample_mean - largest) * ln_10);
  mean.log_mean = sum > 0 ? largest * ln_10 + std::log(sum / static_cast<double>(estimates.size()))
                          : -std::numeric_limits<double>::infinity();
  std::uint64_t samples = 0;
  std::uint64_t nonzero = 0;
  for (std::size_t k = 0; k < estimates.size(); ++k) {
    const Estimate& one = estimates[k];
    samples += one.samples;
    nonzero += one.nonzero;
    mean.effective += one.effective_samples;
    mean.pareto_k = std::fmax(mean.pareto_k, one.pareto_k);
    if (mean.doubt.empty() && !one.doubt.empty())
      mean.doubt = fmt::format("replicate {}, of seed {}: {}", k + 1, replicates[k].seed, one.doubt);
    const double share = sum > 0 ? std::exp((one.log10_sample_mean - largest) * ln_10) / sum : 0;
    if (share == 0) continue;
    mean.variance += share * share * one.variance;
    mean.third += share * share * share * one.third;
    mean.unseen += share * one.unseen / static_cast<double>(estimates.size());
    mean.tail_excess += share * one.tail_excess;
    mean.largest_share = std::max(mean.largest_share, share * one.largest_share);
  }
  if (spread && spread->contradicts) {
    mean.doubt = fmt::format(
        "the replicates contradict their errors: ln of them is spread by {:.2g}, where their standard errors "
        "say {:.2g} (chi-square {:.1f} of {} degrees of freedom, by chance with probability {:.1g})",
        spread->observed, spread->shown, spread->chi_square, estimates.size() - 1, spread->probability);
  }
  Estimate all =
      estimate_of_mean(mean, 0, first.bounds_low_log10, first.bounds_high_log10, first.confidence, checks);
  all.samples = samples;
  all.nonzero = nonzero;
  all.seed = first.seed;
  return all;
}

EstimateResult replicated_estimate(const Source& source, const ReadOptions& read_options,
                                   const CountOptions& count_options, const EstimateOptions& options) {
  const double begin = seconds_now();
  ReadResult read;
  const bool on_ranks = count_options.channel != nullptr && options.on_ranks;
  ReadOptions reading = read_options;
  reading.hash = reading.hash || on_ranks;
  {
    Monitor monitor(count_options);
    monitor.explained([&] {
      monitor.enter("reading the input");
      read = read_graph(source, reading);
      monitor.throw_if_stopped();
    });
  }
  const auto one = [&](ReadResult given, const CountOptions& own, const EstimateOptions& asked) {
    const auto draw = [&](const CountOptions& led) { return estimate(std::move(given), led, asked); };
    return on_ranks ? as_job(own, {"estimate", source, {}, own.seed}, draw) : draw(own);
  };
  return replicated_estimate(read, count_options, options, seconds_now() - begin, one);
}

EstimateResult replicated_estimate(const ReadResult& read, const CountOptions& count_options,
                                   const EstimateOptions& options, double seconds,
                                   const EstimateOne& draw_one) {
  const double begin = seconds_now() - seconds;
  EstimateResult all;
  std::vector<Estimate> estimates;
  for (std::uint64_t k = 0; k < options.replicates; ++k) {
    CountOptions of_count = count_options;
    of_count.seed = seed_of_replicate(count_options.seed, k);
    if (k > 0) of_count.read = nullptr;
    EstimateOptions one = options;
    one.replicates = 1;
    const double left = options.time_limit_seconds - (seconds_now() - begin);
    one.time_limit_seconds = std::max(left, 1e-3) / static_cast<double>(options.replicates - k);
    if (options.weights) {
      one.weights = [&options, k](const SampleWeights& weights) {
        SampleWeights own = weights;
        own.replicate = k;
        options.weights(own);
      };
    }
    EstimateResult result = draw_one(ReadResult(read), of_count, one);
    if (!result.estimate) {
      result.seconds.read = seconds;
      result.seconds.total = seconds_now() - begin;
      return result;
    }
    all.replicates.push_back(replicate_of(result));
    estimates.push_back(*result.estimate);
    if (k == 0) {
      std::vector<Replicate> replicates = std::move(all.replicates);
      all = std::move(result);
      all.replicates = std::move(replicates);
    } else {
      take_rest(all, std::move(result));
    }
  }
  const bool trusted =
      std::all_of(estimates.begin(), estimates.end(), [](const Estimate& one) { return one.doubt.empty(); });
  if (trusted) all.spread = spread_of(all.replicates);
  Checks checks;
  all.estimate = joined_replicates(estimates, all.replicates, all.spread, checks);
  for (Check& check : checks.list()) {
    // Those of the first alone make room.
    std::erase_if(all.checks, [&check](const Check& one) { return one.name == check.name; });
    all.checks.push_back(std::move(check));
  }
  all.seconds.read = seconds;
  all.seconds.total = seconds_now() - begin;
  return all;
}

}  // namespace countpm
