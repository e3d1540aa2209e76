#include "src/sampling/missed_goal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/text/format_duration.hpp"
#include "src/text/format_number.hpp"

namespace countpm {
namespace {

// An error falls as one over the root of the samples, and rates of samples vary.
constexpr double advised_margin = 1.2;
// Longer than that nobody waits for a digit.
constexpr double longest_advised_seconds = 30.0 * 86400;

/// How many times as many samples the goal is predicted to take; 0: not known.
double wanted_samples(const Estimate& estimate, const MissedGoal& goal, std::uint64_t fewest) {
  if (goal.samples > 0)
    return static_cast<double>(goal.samples) / static_cast<double>(std::max<std::uint64_t>(fewest, 1));
  if (!estimate.doubt.empty() || !std::isfinite(estimate.relative_error)) return 0;
  if (goal.ln_error > 0) {
    const double times = estimate.ln_error() / goal.ln_error;
    return times * times;
  }
  const double ratio = std::log1p(estimate.relative_error) / std::log1p(goal.relative_error);
  return ratio * ratio;
}

}  // namespace

std::optional<MissedGoal> missed_goal(const Estimate& estimate, const EstimateOptions& options, bool reached,
                                      const std::vector<SampledBlock>& sampled, double before) {
  const bool narrow =
      estimate.doubt.empty() && (options.ln_error ? estimate.ln_error() <= *options.ln_error
                                                  : estimate.relative_error <= options.relative_error);
  if (reached || (options.samples == 0 && narrow)) return std::nullopt;
  MissedGoal goal;
  goal.because = "time limit";
  if (options.samples > 0) {
    goal.samples = options.samples;
  } else if (options.ln_error) {
    goal.ln_error = *options.ln_error;
  } else {
    goal.relative_error = options.relative_error;
  }
  std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max();
  for (const SampledBlock& block : sampled) fewest = std::min(fewest, block.drawn.moments.samples);
  const double wanted = wanted_samples(estimate, goal, fewest);
  goal.advised_seconds = advised_seconds(wanted, before, options.time_limit_seconds);
  const std::string limit = format_duration(options.time_limit_seconds);
  if (goal.samples > 0) {
    goal.text = fmt::format("the goal of {} samples was not reached: the time limit of {} left time for {}",
                            goal.samples, limit, fewest);
  } else if (!estimate.doubt.empty()) {
    goal.text = fmt::format(
        "the goal of {} was not reached: within the time limit of {} the samples carry no interval ({})",
        goal.ln_error > 0 ? fmt::format("a standard error of {:.2g} in ln Z", goal.ln_error)
                          : format_percent(goal.relative_error),
        limit, estimate.doubt);
  } else if (goal.ln_error > 0) {
    goal.text = fmt::format(
        "the goal of a standard error of {:.2g} in ln Z was not reached: it is {:.2g} after the time limit "
        "of "
        "{}",
        goal.ln_error, estimate.ln_error(), limit);
  } else {
    goal.text = fmt::format("the goal of {} was not reached: the error is {} after the time limit of {}",
                            format_percent(goal.relative_error),
                            format_percent(estimate.relative_error, Rounding::up), limit);
  }
  goal.text += advice(wanted, goal.advised_seconds);
  return goal;
}

double advised_seconds(double wanted, double before, double limit) {
  const double seconds = before + std::max(wanted, 1.0) * std::max(limit - before, 0.0) * advised_margin;
  return wanted > 0 && seconds < longest_advised_seconds ? seconds : 0;
}

std::string advice(double wanted, double seconds) {
  if (seconds > 0) return fmt::format("; --time-limit {} should suffice", time_limit_text(seconds));
  if (wanted > 0) return fmt::format("; it would take some {:.2g} times as many samples", wanted);
  return {};
}

std::string missed_text(const std::string& goal, double wanted, double before, double limit) {
  return fmt::format("the goal of {} was not reached within the time limit of {}{}", goal,
                     format_duration(limit), advice(wanted, advised_seconds(wanted, before, limit)));
}

}  // namespace countpm
