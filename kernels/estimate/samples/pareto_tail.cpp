#include "kernels/estimate/samples/pareto_tail.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace countpm {
namespace {

constexpr double largest_share_of_tail = 0.2;
constexpr double roots_of_tail = 3;
constexpr double fewest_in_tail = 5;
constexpr std::int64_t least_bins = SampleMoments::bins_an_octave / 4;
// Of those in a bin so many places stand for all.
constexpr double most_places = 16;
// The weak prior of k: as by ten samples of k = 1/2.
constexpr double prior_samples = 10;
constexpr double prior_k = 0.5;
constexpr double prior_scale = 3;  // Zhang and Stephens
constexpr double least_excess = 1e-300;
constexpr std::uint64_t reach_the_tail = 3;
constexpr double most_k_of_excess = 0.9;
// AMD EPYC, 2026-11-26: of intervals of 256, 1,024 and 4,096 samples with k = 0.8 hold .95, .92 and .84, by
// one error .79, .76 and .64; those of log-normal samples of spread 1 are 45, 20 and 6 % wider, of spread 0.5
// as they were.
constexpr double upper_errors = 2.5;

/// By how much some samples are above the tail's threshold, over the largest of all.
struct Excess {
  double size = 0;
  double samples = 0;
};

/// ln of the lower end of a bin.
double log_of_bin(std::int64_t bin) {
  constexpr std::int64_t bins = SampleMoments::bins_an_octave;
  const std::int64_t octave = bin >= 0 ? bin / bins : -((bins - 1 - bin) / bins);
  return std::log1p(static_cast<double>(bin - octave * bins) / static_cast<double>(bins)) +
         static_cast<double>(octave) * std::log(2.0);
}

/// How many of the samples are the tail.
double size_of_tail(const SampleMoments& moments) {
  const auto samples = static_cast<double>(moments.samples);
  return std::min(std::ceil(std::min(largest_share_of_tail * samples, roots_of_tail * std::sqrt(samples))),
                  static_cast<double>(moments.nonzero) - 1);
}

/// In rising order; nothing where no tail can be told.
std::vector<Excess> tail_of(const SampleMoments& moments) {
  const double wanted = size_of_tail(moments);
  if (!(wanted >= fewest_in_tail)) return {};
  const std::int64_t top = moments.histogram.rbegin()->first;
  const double unit = log_of_bin(top + 1);
  std::vector<Excess> tail;  // sizes, falling
  double left = wanted;
  double threshold = 0;
  std::int64_t lowest = top;
  // NOLINTNEXTLINE(modernize-loop-convert): clang 14 has no reversed ranges
  for (auto bin = moments.histogram.rbegin(); bin != moments.histogram.rend(); ++bin) {
    lowest = bin->first;
    const auto inside = static_cast<double>(bin->second);
    const double low = std::exp(log_of_bin(lowest) - unit);
    const double width = std::exp(log_of_bin(lowest + 1) - unit) - low;
    const double taken = std::min(left, inside);
    const double places = std::min(taken, most_places);
    for (double p = 0; p < places; ++p)
      tail.push_back({low + width * (1 - (p + 0.5) * taken / places / inside), taken / places});
    left -= taken;
    if (taken == inside) continue;
    threshold = low + width * (1 - (taken + 0.5) / inside);  // the largest that is not in the tail
    break;
  }
  if (top - lowest < least_bins) return {};
  for (Excess& one : tail) one.size = std::max(one.size - threshold, least_excess);
  std::reverse(tail.begin(), tail.end());
  return tail;
}

/// The mean of ln(1 - b x): the k that fits best beside b = -k / sigma.
double k_beside(double b, const std::vector<Excess>& tail, double samples) {
  double sum = 0;
  for (const Excess& one : tail) sum += one.samples * std::log1p(-b * one.size);
  return sum / samples;
}

}  // namespace

double pareto_k(const SampleMoments& moments) {
  const std::vector<Excess> tail = tail_of(moments);
  if (tail.empty()) return no_pareto_k;
  double samples = 0;
  for (const Excess& one : tail) samples += one.samples;
  double below = 0;
  double quartile = tail.back().size;
  for (const Excess& one : tail) {
    below += one.samples;
    if (below < samples / 4) continue;
    quartile = one.size;
    break;
  }
  const auto values = 30 + static_cast<int>(std::sqrt(samples));
  std::vector<double> b(static_cast<std::size_t>(values));
  std::vector<double> likelihood(b.size());  // ln
  for (std::size_t i = 0; i < b.size(); ++i) {
    b[i] = 1 / tail.back().size +
           (1 - std::sqrt(values / (static_cast<double>(i) + 0.5))) / (prior_scale * quartile);
    const double k = k_beside(b[i], tail, samples);
    likelihood[i] = k == 0 ? -std::numeric_limits<double>::infinity()  // between two others
                           : samples * (std::log(-b[i] / k) - k - 1);
  }
  const double most = *std::max_element(likelihood.begin(), likelihood.end());
  double weights = 0;
  double mean = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double weight = std::exp(likelihood[i] - most);
    weights += weight;
    mean += weight * b[i];
  }
  const double k = k_beside(mean / weights, tail, samples);
  return (samples * k + prior_samples * prior_k) / (samples + prior_samples);
}

double pareto_k_error(const SampleMoments& moments, double k) {
  return (1 + k) / std::sqrt(size_of_tail(moments));
}

double upper_pareto_k(const SampleMoments& moments, double k) {
  return k + upper_errors * pareto_k_error(moments, k);
}

double tail_excess(const SampleMoments& moments, double k) {
  if (!(k > 0)) return 0;
  const double taken = std::min(k, most_k_of_excess);
  std::uint64_t above = 0;
  auto bin = moments.histogram.rbegin();
  for (; above + bin->second < reach_the_tail; ++bin) above += bin->second;
  const double share = std::exp(log_of_bin(bin->first + 1) - moments.sum.log2() * std::log(2.0));
  return static_cast<double>(reach_the_tail) * share * taken / (1 - taken);
}

}  // namespace countpm
