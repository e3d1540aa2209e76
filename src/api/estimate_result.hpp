#pragma once
// What may be asked of an estimate, and what it says.
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "kernels/estimate/samples/population_report.hpp"
#include "kernels/estimate/samples/sampler_options.hpp"
#include "src/api/results.hpp"

namespace countpm {

/// Within a factor 1 +- epsilon of the truth, but for a probability of delta.
struct GuaranteeGoal {
  double epsilon = 0.1;
  double delta = 0.05;
};
/// What may be asked for: epsilon and delta from these up to, not including, 1. Below, the reserve for
/// roundings (a 2000th of epsilon, a 1000th of delta) would not hold, and the samples would take years.
constexpr double least_epsilon = 1e-4;
constexpr double least_delta = 1e-6;

/// Samples number first, first + 1, ... of a block.
struct SampleWeights {
  std::uint64_t replicate = 0;
  std::size_t block = 0;  // among those that are sampled
  std::uint64_t first = 0;
  std::vector<double> ln;  // of each; -infinity where it is 0
};
using WeightSink = std::function<void(const SampleWeights&)>;

/// What checks the samples of a block: nothing where a sampler was asked for and else some other kind of
/// sampler; nothing; annealing, for as long as the samples themselves; or some other kind in any case.
enum class SecondOpinion { automatic, none, annealed, other };

struct EstimateOptions {
  SamplerOptions sampler;
  SecondOpinion second = SecondOpinion::automatic;
  double relative_error = 0.01;  // sample until the interval is at most this far from the estimate ...
  double confidence = 0.95;      // ... with this confidence
  /// ... or, where this is given, until the standard error of ln Z is at most this (Estimate::ln_error).
  std::optional<double> ln_error;
  std::uint64_t samples =
      0;  // draw exactly so many of every sampled block instead; 0: relative_error decides
  double time_limit_seconds = 60;  // stop sampling then, wherever the error stands; infinity: never
  double exact_below_seconds = 1;  // count the blocks predicted to take less than this exactly
  /// Sample by rejection until this holds, or throw UnableError with the time that it is predicted to take;
  /// sampler, relative_error, confidence and samples then play no part.
  std::optional<GuaranteeGoal> guarantee;
  /// What draws samples: "cpu", "gpu" (alone: what has no form for it is refused), or "auto": the CPU, joined
  /// by all GPUs where the sampler has a form for them and samples seem to take more than 0.6 s. Never
  /// changes a sample. Blocks that are counted exactly are counted on the CPU.
  std::string device = "auto";
  int gpus = 0;              // exactly so many, from the beginning; 0: all that there are
  bool all_sampled = false;  // count none exactly (single entries and what reductions leave of none aside)
  /// So many independent estimates, of which one is made (replicates.hpp).
  std::uint64_t replicates = 1;
  /// Whether the other ranks of CountOptions::channel, which follow_estimate(), draw samples, too.
  bool on_ranks = true;
  /// Called with every sample of every sampled block, those of a block in the order of their numbers; from
  /// any thread, one call at a time for a block. The samples are then the CPU's work.
  WeightSink weights;
};
constexpr double most_ln_error = 0.35;  // no interval is shown where it is larger
constexpr std::uint64_t most_replicates = 1000;

/// A value with its error: never a count, and nothing converts it to one.
struct Estimate {
  double log10 = 0;              // of the estimate; -infinity where every sample was zero
  double log10_sample_mean = 0;  // of the samples' mean: not `log10` where the certified bounds exclude it
  /// The farther end of the interval over the estimate, or the estimate over that, minus 1; infinity with a
  /// doubt.
  double relative_error = 0;
  double confidence = 0;
  double low_log10 = 0;  // the interval; -infinity: 0
  double high_log10 = 0;
  /// Why the interval is not one of the central limit theorem; empty: it is. With a doubt it reaches from
  /// Markov's inequality to a proven upper bound: wide, and it holds whatever the law of the samples.
  std::string doubt;
  std::uint64_t samples = 0;  // of all blocks together
  std::uint64_t nonzero = 0;
  double effective_samples = 0;  // of the block that has the fewest
  double largest_share = 0;      // of one sample in its block's sum, the largest
  /// How heavy the tail of the samples is (pareto_k()), of the block where it is heaviest; NaN: none has one.
  double pareto_k = std::numeric_limits<double>::quiet_NaN();
  /// Of the samples' mean over its square and its cube: about the variance of its logarithm, and the third
  /// cumulant. Infinite or 0 where every sample was zero; 0 of a guarantee.
  double variance = 0;
  double third = 0;
  double bounds_low_log10 = 0;  // the certified bounds
  double bounds_high_log10 = 0;
  /// What an interval of the central limit theorem assumes: what walks reach with a probability below this in
  /// all, and so may have missed (3 / walks), makes up no more of the total. The interval is so much wider.
  double unseen = 0;
  /// What a heavy tail may hold beyond the samples, over the estimate (tail_excess()): the upper end has it.
  double tail_excess = 0;
  std::uint64_t seed = 0;
  /// What holds for the estimate whatever the matrix; empty: the interval is statistical. The interval then
  /// is from estimate / (1 + epsilon) to estimate / (1 - epsilon), its confidence 1 - delta, the samples are
  /// trials, and those not zero the ones that succeeded or had hits (stopping_rule.hpp).
  std::optional<GuaranteeGoal> guarantee;

  /// ln of the estimate.
  double log() const { return log10 * std::log(10.0); }
  /// Its standard error, with what walks may not have met; NaN with a doubt and of a guarantee.
  double ln_error() const {
    if (guarantee || !doubt.empty()) return std::numeric_limits<double>::quiet_NaN();
    return std::sqrt(variance + unseen * unseen);
  }
};

/// One of several independent estimates.
struct Replicate {
  std::uint64_t seed = 0;
  std::string sampler;
  double log10 = 0;
  double ln_error = 0;  // Estimate::ln_error
  std::uint64_t samples = 0;
  double effective_samples = 0;
  double pareto_k = 0;  // NaN: no tail
  std::string doubt;
  double seconds = 0;
};

/// How far replicates lie apart, beside how far their errors say that they do.
struct ReplicateSpread {
  double observed = 0;     // the standard deviation of ln of the estimates
  double shown = 0;        // the root of the mean square of their standard errors
  double chi_square = 0;   // of their distances from the mean that their errors weigh
  double probability = 0;  // of one as large or larger by chance
  bool contradicts = false;
};

/// What was asked for and not reached.
struct MissedGoal {
  std::string because;         // "time limit"
  double relative_error = 0;   // asked for; 0: something else was
  double ln_error = 0;         // likewise
  std::uint64_t samples = 0;   // asked for, of every sampled block; 0: an error was
  double advised_seconds = 0;  // a time limit that is predicted to suffice; 0: not known
  std::string text;            // all that in a sentence
};

/// A check of another kind: samples of another sampler, drawn beside those of a block whose sampler was not
/// asked for (second_sampler.hpp).
struct SecondEstimate {
  std::string sampler;
  double log10 = 0;        // -infinity where every sample was zero: they say nothing
  double log10_lower = 0;  // what the value is at least by these alone, with the estimate's confidence
  std::uint64_t samples = 0;
  std::uint64_t planned = 0;  // more than `samples` where the time limit ended them
  std::uint64_t nonzero = 0;
  double effective_samples = 0;
  bool contradicts = false;  // the block's samples, which then are in doubt
  double seconds = 0;
};

struct EstimatedBlock {
  bool general = false;       // a graph with odd cycles, or with vertices that may stay alone
  std::uint64_t rows = 0;     // where it is general, vertices
  std::uint64_t entries = 0;  // ... and edges
  std::string method;         // the exact method, "reductions", the sampler, or "rejection"
  bool exact = false;
  double log10 = 0;
  double relative_error =
      0;  // one standard error over the block's value; 0 where exact, infinity where unknown
  std::uint64_t samples = 0;
  std::uint64_t nonzero = 0;
  double effective_samples = 0;
  double largest_share = 0;
  double pareto_k = std::numeric_limits<double>::quiet_NaN();  // of its samples; NaN: no tail
  std::string doubt;
  double seconds = 0;
  std::optional<SecondEstimate> second;        // empty: none was drawn
  std::optional<PopulationReport> population;  // of that sampler alone
};

/// What an interval of samples rests on, in words; empty for a guarantee and with a doubt, which rest on
/// nothing of the kind.
std::string assumption(const Estimate& estimate);

/// What a Pareto k says of the samples, in a sentence. trusted: there is no doubt, so that where k is large
/// the tail is too small to matter.
std::string meaning_of_pareto_k(double k, bool trusted);

/// Whether the samples' mean is beyond the certified bounds, so that `log10` is the nearest of them.
inline bool was_moved(const Estimate& estimate) {
  return std::abs(estimate.log10_sample_mean - estimate.log10) > 1e-9;  // less is rounding
}

/// Either `exact_count` (nothing was left to sample; checked as count() does) or `estimate`.
struct EstimateResult : InputSummary {  // NOLINT(bugprone-exception-escape): numbers are moved by swapping
  std::optional<std::string> exact_count;
  std::optional<Value> exact_value;  // what it spells
  double exact_log10 = 0;
  std::optional<Estimate> estimate;
  /// The time limit ended the samples before they were enough; its sentence is among the notes, too. Empty:
  /// the goal was met, or there was nothing to sample.
  std::optional<MissedGoal> missed;
  /// Where several were asked for and something was sampled: each, and how far they lie apart. `estimate` is
  /// then of all of them, `blocks` and `seconds` but for the total are of the first.
  std::vector<Replicate> replicates;
  std::optional<ReplicateSpread> spread;  // empty where one of them is in doubt: there is nothing to compare

  std::string sampler;
  std::string device = "cpu";  // what drew samples: "cpu", "gpu" or "gpu+cpu"
  int threads = 1;
  int ranks = 1;
  int lost_ranks = 0;                  // of those, on the way
  std::vector<EstimatedBlock> blocks;  // sampled ones first, each by size; small exact ones are one
  std::vector<RuleReport> reductions;
  std::optional<ViolatorReport> violator;
  std::vector<Check> checks;  // of what was counted exactly, and of the estimate against certified bounds
  Seconds seconds;            // count: exact blocks and sampling
  std::vector<std::string> notes;
};

}  // namespace countpm
