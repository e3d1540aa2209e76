// The tables of accuracy and time that the published samplers were shown with: square lattices from 6x6 on as
// matrices (no planar method) and random 40 x 40 matrices of density 0.1 to 0.8; the samplers as published
// (no reductions, no pruning, no exact tail), then ours as they come. Goals, on one H200: 10^7 samples of
// rasmussen+ at density 0.8 in 0.05 s, 10^6 of scaling+ with interval 1 in 0.1 s (published: 1.4 and 13 s on
// a TITAN X). Prints Markdown.
//   bench_estimate_thesis [SAMPLES] [SECONDS]   per row at most so many (100000; 0.5 of CPU), but 64 samples
// Every row has a seed of its own. How many samples fit is told by a few that are drawn before, so that other
// work on the machine does not matter. Exact counts take at most 20 s each; beyond that the reference is
// guaranteed within 0.5 %, but for a probability of 0.001.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "bench/clock.hpp"
#include "src/estimate/estimate.hpp"

namespace {

using namespace countpm;

constexpr double longest_count = 20;
constexpr GuaranteeGoal reference_goal{0.005, 0.001};
constexpr std::uint32_t random_size = 40;

struct Input {
  std::string name;
  Source source;
  std::uint32_t rows = 0;
};

struct Truth {
  double log10 = 0;
  double slack = 0;  // log10 of how far off it may be
  std::string text;
};

struct Variant {
  const char* name;
  SamplerKind kind;
  std::uint32_t interval = 0;  // of scaling; 0: the default
  bool as_published = true;
};

struct Limits {
  double samples = 100'000;
  double seconds = 0.5;
};
constexpr double fewest_samples = 64;
// Drawn before, to tell how long one takes; more where these are too quick for a clock.
constexpr std::uint64_t pilot_samples[] = {4, 20, 2000};
constexpr double quick_pilot = 0.01;

/// A full diagonal, so that there is something to count.
Input random_input(double density, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string text;
  for (std::uint32_t i = 0; i < random_size; ++i) {
    for (std::uint32_t j = 0; j < random_size; ++j) {
      const bool one = static_cast<double>(random() >> 11) * 0x1p-53 < density;
      text += i == j || one ? "1 " : "0 ";
    }
    text += '\n';
  }
  return {fmt::format("n=40, density {:.1f}", density), Source::from_bytes(text), random_size};
}

std::vector<Input> inputs() {
  std::vector<Input> all;
  for (std::uint32_t n = 6; n <= 32; n += n == 24 ? 8 : 2) {
    all.push_back({fmt::format("{0}x{0}", n), Source::from_argument(fmt::format("lattice:square:{0}x{0}", n)),
                   n * n / 2});
  }
  for (int tenths = 1; tenths <= 8; ++tenths)
    all.push_back(random_input(0.1 * tenths, static_cast<std::uint64_t>(tenths)));
  return all;
}

Truth truth_of(const Input& input) {
  CountOptions count_options;
  count_options.threads = 1;
  count_options.time_limit_seconds = longest_count;
  try {
    const CountResult exact = count(input.source, {}, count_options);
    const std::string digits = exact.count.size() <= 15
                                   ? exact.count
                                   : fmt::format("{}.{}e{}", exact.count.substr(0, 1),
                                                 exact.count.substr(1, 6), exact.count.size() - 1);
    return {exact.log10, 0, digits};
  } catch (const UnableError&) {
    EstimateOptions options;
    options.guarantee = reference_goal;
    options.all_sampled = true;
    const EstimateResult result = estimate(input.source, {}, count_options, options);
    return {result.estimate->log10, std::log10(1 + reference_goal.epsilon),
            fmt::format("10^{:.4f} +- 0.5 %", result.estimate->log10)};
  }
}

struct Timed {
  EstimateResult result;
  double cpu = 0;
};
Timed timed(const Input& input, const CountOptions& count_options, EstimateOptions options,
            std::uint64_t samples) {
  options.samples = samples;
  Timed timed;
  const double began = bench::process_seconds();
  timed.result = estimate(input.source, {}, count_options, options);
  timed.cpu = bench::process_seconds() - began;
  return timed;
}

void print_row(const Input& input, const Truth& truth, const Variant& variant, const Limits& limits,
               std::uint64_t seed) {
  CountOptions count_options;
  count_options.threads = 1;
  count_options.seed = seed;
  EstimateOptions options;
  options.all_sampled = true;
  options.time_limit_seconds = std::numeric_limits<double>::infinity();
  options.device = "cpu";
  options.sampler.kind = variant.kind;
  if (variant.as_published) {
    for (const RuleInfo& rule : rules()) count_options.rules.drop(rule.rule);
    options.sampler.prune = false;
    options.sampler.tail_rows = 0;
    options.sampler.scale_interval = variant.interval;
  }
  EstimateResult result;
  double cpu = 0;
  double each = 0;  // CPU seconds of a sample, beside what comes before the first
  try {
    const Timed few = timed(input, count_options, options, pilot_samples[0]);
    const auto each_of = [&few](const Timed& more, std::uint64_t samples) {
      return std::max((more.cpu - few.cpu) / static_cast<double>(samples - pilot_samples[0]), 1e-7);
    };
    each = each_of(timed(input, count_options, options, pilot_samples[1]), pilot_samples[1]);
    if (each * static_cast<double>(pilot_samples[1]) < quick_pilot)
      each = each_of(timed(input, count_options, options, pilot_samples[2]), pilot_samples[2]);
    const double wanted =
        std::clamp(limits.seconds / each, std::min(fewest_samples, limits.samples), limits.samples);
    Timed whole = timed(input, count_options, options, static_cast<std::uint64_t>(wanted));
    result = std::move(whole.result);
    cpu = whole.cpu;
    each = (whole.cpu - few.cpu) / (static_cast<double>(result.estimate ? result.estimate->samples : 0) -
                                    static_cast<double>(pilot_samples[0]));
  } catch (const UnableError& error) {
    fmt::print("| {} | {} | {} | | | | refused: {} | | |\n", input.name, truth.text, variant.name,
               error.what());
    return;
  }
  if (!result.estimate) {
    fmt::print("| {} | {} | {} | | | | nothing is left to sample | | |\n", input.name, truth.text,
               variant.name);
    return;
  }
  const Estimate& e = *result.estimate;
  const bool held =
      e.low_log10 <= truth.log10 + truth.slack + 1e-9 && e.high_log10 >= truth.log10 - truth.slack - 1e-9;
  const std::string ratio =
      std::isfinite(e.log10) ? fmt::format("{:.4g}", std::pow(10, e.log10 - truth.log10)) : "0";
  const std::string claimed =
      e.doubt.empty() ? fmt::format("{:.2g} %", 100 * e.relative_error) : "none: doubt";
  fmt::print("| {} | {} | {} | {} | {:.2f} | {:.3g} | {} | {} | {} |\n", input.name, truth.text, variant.name,
             e.samples, cpu, 1e6 * each, ratio, claimed, held ? "yes" : "NO");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  Limits limits;
  if (argc > 1) limits.samples = std::atof(argv[1]);
  if (argc > 2) limits.seconds = std::atof(argv[2]);
  if (argc > 3 || !(limits.samples >= 1) || !(limits.seconds > 0)) {
    fmt::print(stderr, "usage: bench_estimate_thesis [SAMPLES] [SECONDS]\n");
    return 2;
  }
  fmt::print(
      "| input | count | sampler | samples | CPU, s | CPU, s for 10^6 | estimate / count | claimed, 95 % | "
      "held |\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|\n");
  std::uint64_t seed = 0;
  for (const Input& input : inputs()) {
    const Truth truth = truth_of(input);
    const Variant variants[] = {
        {"rasmussen", SamplerKind::rasmussen},
        {"rasmussen+", SamplerKind::rasmussen_plus},
        {"scaling, interval 1", SamplerKind::scaling, 1},
        {"scaling+, interval 1", SamplerKind::scaling_plus, 1},
        {"scaling+, interval n/10", SamplerKind::scaling_plus, std::max(input.rows / 10, 1U)},
        {"ours: scaling+", SamplerKind::scaling_plus, 0, false},
        {"ours: population", SamplerKind::population, 0, false}};
    for (const Variant& variant : variants) print_row(input, truth, variant, limits, ++seed);
  }
  return 0;
}
