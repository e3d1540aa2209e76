#include "src/estimate/report_block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/structure/blocks.hpp"

namespace countpm {
namespace {

const double log10_e = std::log10(std::exp(1.0));

SecondEstimate report_second(const SampledBlock& second, bool contradicts, double confidence) {
  SecondEstimate report;
  report.sampler = sampler_info(second.sampler.kind()).name;
  report.log10 = second.mean.log_mean * log10_e;
  report.log10_lower = markov_lower_end(second.mean, confidence) * log10_e;
  report.samples = second.drawn.moments.samples;
  report.planned = second.drawn.goal;
  report.nonzero = second.drawn.moments.nonzero;
  report.effective_samples = second.mean.effective;
  report.contradicts = contradicts;
  report.seconds = second.drawn.seconds;
  return report;
}

}  // namespace

std::string assumption(const Estimate& estimate) {
  if (estimate.guarantee || !estimate.doubt.empty()) return {};
  return fmt::format(
      "what the sampler reaches with a probability below {:.2g}% in all, and so may never have met, makes up "
      "no more of the total",
      100 * estimate.unseen);
}

std::string meaning_of_pareto_k(double k, bool trusted) {
  if (std::isnan(k))
    return "there are too few samples, or the largest are too alike, for a tail that could be measured";
  if (k < 0.5) return "the samples' variance is finite, and their error is what it seems";
  if (k <= largest_pareto_k)
    return "the variance may be infinite: the error still falls as samples grow, but more slowly than their "
           "root";
  if (trusted)
    return "a few samples are larger than the others, but their effective size is above half of their "
           "number: "
           "the tail is too small to matter";
  return "the tail is so heavy that samples not drawn yet may outweigh all that were: errors cannot be "
         "trusted";
}

EstimatedBlock report_block(const SampledBlock& sampled, const AnyBlock& block, double confidence,
                            int threads) {
  const SampledMean& mean = sampled.mean;
  EstimatedBlock report;
  report.general = is_general(block);
  report.rows = rows_of(block);
  report.entries = entries_of(block);
  report.method = sampler_info(sampled.sampler.kind()).name;
  report.log10 = mean.log_mean * log10_e;
  report.samples = sampled.drawn.moments.samples;
  // One sample says nothing of how far they spread.
  report.relative_error =
      report.samples > 1 ? std::sqrt(mean.variance) : std::numeric_limits<double>::infinity();
  report.nonzero = sampled.drawn.moments.nonzero;
  report.effective_samples = mean.effective;
  report.largest_share = mean.largest_share;
  report.pareto_k = mean.pareto_k;
  report.doubt = mean.doubt;
  report.seconds = sampled.drawn.seconds / threads;
  report.population = sampled.sampler.population();
  if (sampled.second) {
    report.second = report_second(*sampled.second, !sampled.contradiction.empty(), confidence);
    report.second->seconds /= threads;
  }
  return report;
}

std::string sampler_names(const std::vector<SampledBlock>& sampled) {
  std::string names;
  for (const SamplerInfo& info : samplers()) {
    if (std::any_of(sampled.begin(), sampled.end(),
                    [&info](const SampledBlock& block) { return block.sampler.kind() == info.kind; }))
      names += fmt::format("{}{}", names.empty() ? "" : ", ", info.name);
  }
  return names;
}

}  // namespace countpm
