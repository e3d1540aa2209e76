#pragma once
// Exact counts beside estimates of the same graph: what each sampler says after so many samples, and whether
// its interval covers it.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "src/api/entries.hpp"
#include "src/estimate/estimate.hpp"

namespace countpm {

struct CompareOptions {
  std::vector<SamplerKind> samplers;   // empty: all, by determinants where they can be
  std::vector<std::uint64_t> samples;  // of every sampled block, for each estimate; at least one
  /// Each estimate with so many seeds, the given one and others that follow from it (seed_of_replicate), at
  /// most most_replicates.
  std::uint64_t seeds = 1;
};

/// What is said before the first estimate.
struct ComparisonStart : InputSummary {
  std::optional<CountResult> exact;
  std::string refusal;  // why there is no exact count: beyond the limits
};

/// One estimate; every block that the reductions leave is sampled, easy ones too.
struct ComparedEstimate {
  std::string sampler;
  std::uint64_t samples = 0;  // asked for; a time limit may have cut them short
  Estimate estimate;
  /// log10 of the estimate over the exact count; -infinity where every sample was zero. Empty where there is
  /// no exact count.
  std::optional<double> log10_ratio;
  std::optional<bool> covered;  // the exact count is within the claimed interval, up to double's rounding
  double seconds = 0;           // of sampling
  /// How long an error of 1 % is predicted to take, which falls as the root of the samples; empty with a
  /// doubt.
  std::optional<double> seconds_for_percent;
  std::uint64_t number = 0;    // of its seed, from 0
  std::string device = "cpu";  // what drew: "cpu", "gpu" or "gpu+cpu"
};

/// How the intervals of one sampler and number of samples did with all seeds.
struct ComparedCoverage {
  std::string sampler;
  std::uint64_t samples = 0;
  std::uint64_t runs = 0;
  std::uint64_t shown = 0;    // without a doubt
  std::uint64_t covered = 0;  // of those
  double confidence = 0;
  /// That no more of them hold by chance, where each holds as often as it says.
  double probability = 1;
};

/// P(X <= covered) of the binomial law.
double at_most_by_chance(std::uint64_t covered, std::uint64_t of, double probability);

/// All that was said of one input.
struct ComparedInput {
  ComparisonStart start;
  std::vector<ComparedEstimate> estimates;
};

/// A sampler of all that cannot draw from this input, or not on the device asked for.
struct LeftOutSampler {
  std::string sampler;
  std::string why;
};

/// Those to compare: the ones that are named, or all that draw from such a graph.
std::vector<SamplerKind> compared_kinds(const CompareOptions& options, Problem problem);

/// Those of a comparison's estimate by that sampler, of so many samples.
EstimateOptions compared_options(const EstimateOptions& estimate_options, const CountOptions& count_options,
                                 SamplerKind kind, std::uint64_t samples);

/// Throws UsageError as compare() does, before anything is read.
void check_compare_options(const EstimateOptions& estimate_options, const CompareOptions& options);

/// Counts (within the limits of `count_options`; what is beyond them is a refusal, not an error), then
/// estimates by every sampler with every number of samples, each with the other options and the time limit of
/// `estimate_options`. `started` and `finished` are called as soon as there is something to say. Each
/// estimate is the one that estimate() gives for the same options: the samples of a longer one begin with
/// those of a shorter one. Where all samplers are asked for, those that cannot draw are left out, and
/// reported; where none can, or one that is named cannot, that is an UnableError. Returns how many estimates
/// there were: 0 where the reductions leave nothing to sample. Throws as count() and estimate() do, but for
/// the refusal. With CountOptions::channel the count and every estimate are made on all ranks, where the
/// others follow_questions(). `covered` is called after the last seed where there are several, and an exact
/// count.
std::size_t compare(const Source& source, const ReadOptions& read_options, const CountOptions& count_options,
                    const EstimateOptions& estimate_options, const CompareOptions& options,
                    const std::function<void(const ComparisonStart&)>& started,
                    const std::function<void(const ComparedEstimate&)>& finished,
                    const std::function<void(const LeftOutSampler&)>& left_out,
                    const std::function<void(const ComparedCoverage&)>& covered = {});

}  // namespace countpm
