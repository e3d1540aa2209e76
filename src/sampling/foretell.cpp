#include "src/sampling/foretell.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/machine/resources.hpp"

namespace countpm {
namespace {

// The number of samples grows in steps towards the goal, the last of which goes beyond it by so much.
constexpr double beyond_the_goal = 1.1;
// No prediction reaches beyond so many samples.
constexpr double most_foretold = 1e18;

}  // namespace

SamplingForecast begin_forecast(SampledQuestion question, const InputSummary& input,
                                double time_limit_seconds, const CountOptions& options) {
  SamplingForecast forecast;
  static_cast<InputSummary&>(forecast) = input;
  forecast.question = question;
  forecast.time_limit_seconds = time_limit_seconds;
  forecast.seed = options.seed;
  forecast.threads = resources_for(options).threads;
  return forecast;
}

void foretell(const TrialSamples& trials, std::uint64_t exactly, PieceForecast& piece) {
  const auto drawn = static_cast<double>(trials.drawn);
  double wanted = drawn;
  if (exactly > 0) {
    wanted = static_cast<double>(exactly);
  } else if (!trials.reached) {
    const bool known = trials.goal.trusted && std::isfinite(trials.goal.excess) && trials.drawn > 0;
    const double times = trials.goal.excess * trials.goal.excess * beyond_the_goal;
    wanted = known ? drawn * std::max(times, 1.0) : most_foretold;
  }
  if (trials.drawn == 0 || wanted >= most_foretold) {
    piece.seconds = std::numeric_limits<double>::infinity();
    return;
  }
  piece.samples = static_cast<std::uint64_t>(std::ceil(wanted));
  piece.seconds = trials.seconds * wanted / drawn;
}

void add_up(SamplingForecast& forecast) {
  for (const PieceForecast& piece : forecast.pieces) {
    if (piece.obstacle.empty()) forecast.seconds += piece.seconds;
  }
  forecast.feasible = forecast.seconds <= forecast.time_limit_seconds;
}

}  // namespace countpm
