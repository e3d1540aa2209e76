#include "src/sampling/stopping_rule.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace countpm {
namespace {

// Forecasts see the largest numbers too rarely: bets have to be expected so many times shorter.
constexpr double bets_are_worth_it = 1.5;
// Shown until the rule holds, however long it takes.
constexpr double most_progress = 0.99;

bool is_look(std::uint64_t trials) {
  return trials > 0 && BettingRule::next_look(trials - 1) == trials;
}

}  // namespace

StoppingRule::StoppingRule(double epsilon, double delta, const std::vector<TrialForecast>& forecasts,
                           double rate)
    : rule_(gamma_bernoulli(epsilon, delta)) {
  expected_trials_ = static_cast<double>(std::get<GammaBernoulliRule>(rule_).successes) / rate;
  double least = expected_trials_ * forecasts.front().steps / bets_are_worth_it;
  for (const TrialForecast& forecast : forecasts) {
    if (forecast.share_bits == 0 || !(forecast.second_moment > 0) || forecast.mean > 1) continue;
    const BettingRule bets(epsilon, delta, forecast.share_bits, {forecast.mean, forecast.second_moment});
    const double steps = bets.expected_trials() * forecast.steps;
    if (!(steps < least)) continue;
    least = steps;
    rule_ = bets;
    expected_trials_ = bets.expected_trials();
  }
}

unsigned StoppingRule::share_bits() const {
  const BettingRule* const bets = std::get_if<BettingRule>(&rule_);
  return bets == nullptr ? 0 : bets->share_bits();
}

std::uint64_t StoppingRule::goal() const {
  if (const GammaBernoulliRule* const coins = std::get_if<GammaBernoulliRule>(&rule_))
    return coins->successes;
  return static_cast<std::uint64_t>(expected_trials_);
}

bool StoppingRule::enough(const DrawnSamples& drawn) const {
  if (const GammaBernoulliRule* const coins = std::get_if<GammaBernoulliRule>(&rule_))
    return drawn.moments.nonzero >= coins->successes;
  return is_look(drawn.moments.samples) &&
         std::get<BettingRule>(rule_).holds(drawn.moments.samples, drawn.hits);
}

bool StoppingRule::add(DrawnSamples& drawn, std::uint64_t count, const std::vector<TrialHits>& hits) const {
  SampleMoments& moments = drawn.moments;
  const std::uint64_t end = moments.samples + count;
  if (const GammaBernoulliRule* const coins = std::get_if<GammaBernoulliRule>(&rule_)) {
    const std::uint64_t missing = coins->successes - moments.nonzero;
    // No trial counts after the last success.
    moments.samples = hits.size() >= missing ? hits[missing - 1].trial + 1 : end;
    moments.nonzero += std::min<std::uint64_t>(hits.size(), missing);
    return enough(drawn);
  }
  auto next = hits.begin();
  while (moments.samples < end) {
    moments.samples = std::min(end, BettingRule::next_look(moments.samples));
    for (; next != hits.end() && next->trial < moments.samples; ++next) {
      ++drawn.hits[next->hits];
      ++moments.nonzero;
    }
    if (enough(drawn)) return true;
  }
  return false;
}

double StoppingRule::progress(const DrawnSamples& drawn) const {
  if (const GammaBernoulliRule* const coins = std::get_if<GammaBernoulliRule>(&rule_))
    return static_cast<double>(drawn.moments.nonzero) / static_cast<double>(coins->successes);
  if (enough(drawn)) return 1;
  return std::min(most_progress, static_cast<double>(drawn.moments.samples) / expected_trials_);
}

std::string StoppingRule::progress_text(const DrawnSamples& drawn) const {
  if (const GammaBernoulliRule* const coins = std::get_if<GammaBernoulliRule>(&rule_))
    return fmt::format("{} of {} successes", drawn.moments.nonzero, coins->successes);
  return fmt::format("{} of about {:.2g} trials", drawn.moments.samples, expected_trials_);
}

double StoppingRule::rate(const DrawnSamples& drawn, std::uint64_t seed, std::uint64_t stream) const {
  if (const GammaBernoulliRule* const coins = std::get_if<GammaBernoulliRule>(&rule_))
    return coins->factor / exponential_sum(seed, stream, drawn.moments.samples);
  return std::get<BettingRule>(rule_).mean(drawn.moments.samples, drawn.hits);
}

double StoppingRule::effective_samples(const DrawnSamples& drawn) const {
  if (std::holds_alternative<GammaBernoulliRule>(rule_)) return static_cast<double>(drawn.moments.nonzero);
  double sum = 0;
  double squares = 0;
  for (const auto& [number, count] : drawn.hits) {
    const auto hits = static_cast<double>(number);
    sum += hits * static_cast<double>(count);
    squares += hits * hits * static_cast<double>(count);
  }
  return sum * sum / squares;
}

double StoppingRule::largest_share(const DrawnSamples& drawn) const {
  if (std::holds_alternative<GammaBernoulliRule>(rule_))
    return 1 / static_cast<double>(drawn.moments.nonzero);
  double sum = 0;
  for (const auto& [number, count] : drawn.hits)
    sum += static_cast<double>(number) * static_cast<double>(count);
  return static_cast<double>(drawn.hits.rbegin()->first) / sum;
}

}  // namespace countpm
