#include "src/words/estimate_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/text/format_duration.hpp"
#include "src/text/format_number.hpp"

namespace countpm::words {
namespace {

// Samples never leave no error at all; certified bounds that meet leave that of doubles.
constexpr double least_shown = 1e-12;

/// "95% confidence"
std::string confidence_text(double confidence) {
  return fmt::format("{:.6g}% confidence", 100 * confidence);
}

std::string pareto_text(double k) {
  return std::isnan(k) ? "no Pareto k" : fmt::format("Pareto k {:.2f}", k);
}

/// Of an error that is claimed.
std::string percent_at_most(double share) {
  return format_percent(share > 0 ? share : least_shown, Rounding::up);
}

/// One digit, unless rounding it leads out of the interval: the ends, rounded outwards to two digits, hold
/// the estimate rounded to as many.
std::string doubtful_value(const Estimate& estimate) {
  if (std::isinf(estimate.log10)) return format_log10(estimate.log10, 1);
  const auto rounded = [](double log10) {
    const double exponent = std::floor(log10);
    return std::log10(std::round(std::pow(10, log10 - exponent))) + exponent;
  };
  const double shown = rounded(estimate.log10);
  const bool inside = estimate.low_log10 <= shown && shown <= estimate.high_log10;
  return format_log10(estimate.log10, inside && !was_moved(estimate) ? 1 : 2);
}

/// So many that printing them moves the value by less than the share of epsilon that plan_guarantee keeps for
/// that: half a unit of the last digit is at most 10^-4 ln(1 + epsilon).
int guaranteed_digits(double epsilon) {
  return static_cast<int>(std::ceil(-std::log10(epsilon))) + 5;
}

}  // namespace

std::string percent(double share) {
  return format_percent(share);
}

std::string estimated_text(const EstimateResult& result) {
  return fmt::format("{}{}{}{}", problem_name(result), result.weighted ? ", weighted" : "",
                     matched_text(result), result.exact_count ? "; nothing had to be sampled" : "");
}

std::string size_text(const EstimatedBlock& block) {
  if (block.general)
    return fmt::format("{}, {}", counted(block.rows, "vertex", "vertices"), counted(block.entries, "edge"));
  return fmt::format("{}, {}", counted(block.rows, "row"), counted(block.entries, "entry", "entries"));
}

std::string block_text(const EstimatedBlock& block) {
  const std::string size = size_text(block);
  if (block.exact)
    return fmt::format("{} by {}, exactly: {}", size, block.method, format_log10(block.log10, 6));
  if (block.method == "rejection") {
    return fmt::format("{} by rejection: {}; {} successes in {}, effective size {:.0f}; {}", size,
                       format_log10(block.log10, 4), block.nonzero, counted(block.samples, "trial"),
                       block.effective_samples, format_duration(block.seconds));
  }
  return fmt::format(
      "{} by {}: {}, standard error {}; {}, {} not zero, effective size {:.0f}, {} of the sum in one; {}",
      size, block.method, format_log10(block.log10, 4),
      std::isfinite(block.relative_error) ? percent(block.relative_error) : "unknown",
      counted(block.samples, "sample"), block.nonzero, block.effective_samples, percent(block.largest_share),
      format_duration(block.seconds));
}

std::string population_text(const PopulationReport& population) {
  std::string text = counted(std::uint64_t{population.states}, "state") + " at a time";
  if (!population.guess) return text;
  const FittedGuess& guess = *population.guess;
  const auto variance = [](double value) {
    return std::isfinite(value) ? fmt::format("{:.2g}", value) : std::string("infinite");
  };
  text += fmt::format(
      "; guess fitted to {} of each step in {}: {}, relative variance of a sample of {} {}, without it {}",
      counted(std::uint64_t{guess.states}, "state"), format_duration(guess.seconds),
      counted(guess.factors, "factor"), counted(std::uint64_t{guess.pilot_states}, "state"),
      variance(guess.variance_after), variance(guess.variance_before));
  return guess.kept ? text : text + "; not used";
}

std::string second_text(const SecondEstimate& second) {
  std::string text = fmt::format("by {}: ", second.sampler);
  if (second.nonzero == 0) {
    text += fmt::format("all of {} are zero, which says nothing", counted(second.samples, "sample"));
  } else {
    text += fmt::format("{}, at least {}: {} the block; {}, {} not zero, effective size {:.0f}",
                        format_log10(second.log10, 4), format_log10(second.log10_lower, 2, Rounding::down),
                        second.contradicts ? "contradicts" : "does not contradict",
                        counted(second.samples, "sample"), second.nonzero, second.effective_samples);
  }
  if (second.samples < second.planned) text += fmt::format(", of {} when time was over", second.planned);
  return text + "; " + format_duration(second.seconds);
}

std::string replicate_text(const Replicate& replicate) {
  const std::string error =
      std::isfinite(replicate.ln_error) ? "standard error " + percent(replicate.ln_error) : "in doubt";
  return fmt::format("seed {}, {}: {}, {}; {}, effective size {:.0f}; {}", replicate.seed, replicate.sampler,
                     format_log10(replicate.log10, 4), error, counted(replicate.samples, "sample"),
                     replicate.effective_samples, format_duration(replicate.seconds));
}

namespace {

/// With two digits of the error.
std::string with_error(double value, double error) {
  if (!std::isfinite(error) || error <= 0) return fmt::format("{:.6g}", value);
  const int places = std::clamp(1 - static_cast<int>(std::floor(std::log10(error))), 0, 17);
  return fmt::format("{:.{}f} +- {:.2g}", value, places, error);
}

std::string weights_text(const Estimate& estimate) {
  return fmt::format("effective sample size {:.0f} of {}; {}: {}", estimate.effective_samples,
                     estimate.samples, pareto_text(estimate.pareto_k),
                     meaning_of_pareto_k(estimate.pareto_k, estimate.doubt.empty()));
}

std::string spread_text(const EstimateResult& result) {
  const std::string many = fmt::format("{} independent estimates", result.replicates.size());
  if (!result.spread) return many + ", not compared: one of them is in doubt";
  const ReplicateSpread& spread = *result.spread;
  return fmt::format(
      "{}: ln Z spread by {:.2g}, where their standard errors say {:.2g} (chi-square {:.1f} of {} degrees of "
      "freedom, by chance with probability {:.2g})",
      many, spread.observed, spread.shown, spread.chi_square, result.replicates.size() - 1,
      spread.probability);
}

}  // namespace

std::string checked_text(const std::string& second, std::uint64_t samples) {
  return fmt::format("{} of {}, another kind of sampler", counted(samples, "sample"), second);
}

std::vector<Fact> sampled_facts(const SampledMarginals& result) {
  double largest = 0;
  for (const double error : result.error) largest = std::max(largest, error);
  std::vector<Fact> facts{
      {"sampled",
       fmt::format("by {}, seed {}: {}, effective size {:.0f}; largest standard error {:.2g}", result.sampler,
                   result.seed, counted(result.samples, "sample"), result.effective_samples, largest)},
      {"weights", fmt::format("{}: {}", pareto_text(result.pareto_k),
                              meaning_of_pareto_k(result.pareto_k, result.doubt.empty()))}};
  if (!result.second.empty()) facts.push_back({"check", checked_text(result.second, result.second_samples)});
  return facts;
}

std::string drawn_text(const DrawnApproximately& result) {
  return fmt::format(
      "drawn approximately, by {}: {}, effective size {:.0f}; chances are off by about {} at most (total "
      "variation)",
      result.sampler, counted(result.samples, "sample"), result.effective_samples, percent(result.off));
}

std::vector<Fact> drawn_facts(const DrawnApproximately& result) {
  return {{"sampled", drawn_text(result)},
          {"weights", fmt::format("{}: {}", pareto_text(result.pareto_k),
                                  meaning_of_pareto_k(result.pareto_k, result.doubt.empty()))}};
}

std::string log_text(const Estimate& estimate) {
  return with_error(estimate.log(), estimate.ln_error());
}

std::string log_estimate_text(const EstimateResult& result) {
  if (!result.estimate || !result.estimate->doubt.empty()) return estimate_text(result);
  return fmt::format("ln Z {} (standard error, seed {})", log_text(*result.estimate), result.estimate->seed);
}

namespace {

// Of what was counted: decimals may be rounded, and floating point has its error.
std::string certainty_of(const std::optional<Value>& value) {
  std::string error;
  if (const auto* real = value ? std::get_if<RealBall>(&*value) : nullptr) error = real->error;
  if (const auto* complex = value ? std::get_if<ComplexBall>(&*value) : nullptr) error = complex->error;
  return error.empty() || error == "0" ? "exactly"
                                       : fmt::format("counted, not sampled; error at most {}", error);
}

}  // namespace
std::string value_text(const Estimate& estimate) {
  if (estimate.guarantee) return format_log10(estimate.log10, guaranteed_digits(estimate.guarantee->epsilon));
  if (!estimate.doubt.empty()) return doubtful_value(estimate);
  const double error = std::max(estimate.relative_error, 1e-12);
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(error))) + 2, 2, 12);
  return format_log10(estimate.log10, digits);
}

std::vector<std::string> interval_texts(const Estimate& estimate) {
  constexpr int digits = 6;
  return {format_log10(estimate.low_log10, digits, Rounding::down),
          format_log10(estimate.high_log10, digits, Rounding::up)};
}

EstimateWords estimate_words(const EstimateResult& result) {
  if (result.exact_count) return {*result.exact_count, certainty_of(result.exact_value), " "};
  const Estimate& estimate = *result.estimate;
  if (estimate.guarantee) {
    const GuaranteeGoal& goal = *estimate.guarantee;
    return {value_text(estimate),
            fmt::format("within a factor 1 +- {}, guaranteed with probability {:.8g} (seed {})", goal.epsilon,
                        1 - goal.delta, estimate.seed),
            " "};
  }
  if (!estimate.doubt.empty()) {
    return {std::isinf(estimate.log10) ? "no estimate" : fmt::format("about {}", value_text(estimate)),
            fmt::format("from {} to {} ({}, seed {})", format_log10(estimate.low_log10, 2, Rounding::down),
                        format_log10(estimate.high_log10, 2, Rounding::up),
                        confidence_text(estimate.confidence), estimate.seed),
            ", "};
  }
  return {value_text(estimate),
          fmt::format("+- {} ({}, seed {})", percent_at_most(estimate.relative_error),
                      confidence_text(estimate.confidence), estimate.seed),
          " "};
}

std::string estimate_text(const EstimateResult& result) {
  const EstimateWords words = estimate_words(result);
  return fmt::format("{}{}{}", words.value, words.join, words.range);
}

std::vector<Fact> facts_of(const EstimateResult& result) {
  std::vector<Fact> facts;
  if (!result.estimate) return facts;
  const Estimate& estimate = *result.estimate;
  const auto add = [&](const char* head, std::string text) { facts.push_back({head, std::move(text)}); };
  const std::vector<std::string> ends = interval_texts(estimate);
  add("interval", fmt::format("{} to {} ({})", ends[0], ends[1], confidence_text(estimate.confidence)));
  if (!estimate.guarantee && !std::isinf(estimate.log10)) {
    const auto vertices = static_cast<double>(std::max<std::uint64_t>(result.vertices, 1));
    add("ln Z", fmt::format("{}{}; per vertex {}", log_text(estimate),
                            std::isfinite(estimate.ln_error()) ? " (standard error)" : "",
                            with_error(estimate.log() / vertices, estimate.ln_error() / vertices)));
  }
  if (!estimate.guarantee && estimate.nonzero > 0) add("weights", weights_text(estimate));
  if (!result.replicates.empty()) add("replicates", spread_text(result));
  if (estimate.guarantee) {
    add("guarantee", fmt::format("within a factor 1 +- {} but for a probability of {}, over the random "
                                 "numbers of the seed, for every matrix",
                                 estimate.guarantee->epsilon, estimate.guarantee->delta));
  }
  if (const std::string assumed = assumption(estimate); !assumed.empty()) add("assumed", assumed);
  if (!estimate.doubt.empty()) {
    add("doubt", fmt::format("{}: the interval reaches from Markov's inequality or a certified "
                             "bound to a certified bound above",
                             estimate.doubt));
  }
  if (was_moved(estimate)) {
    add("moved", fmt::format("the samples' mean, {}, is outside of the certified bounds, of which "
                             "the nearest is shown",
                             format_log10(estimate.log10_sample_mean, 4)));
  }
  add("sampler", fmt::format("{}, seed {}, {}{}", result.sampler, estimate.seed,
                             result.device == "cpu" ? "" : result.device + ", ",
                             counted(static_cast<std::uint64_t>(result.threads), "thread") +
                                 ranks_text(result.ranks, result.lost_ranks)));
  return facts;
}

}  // namespace countpm::words
