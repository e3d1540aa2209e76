#include "kernels/estimate/guarantee/betting_rule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace countpm {
namespace {

// Refuting a mean too high takes more numbers, as few of them are far from 0: it gets more of delta.
constexpr double low_share = 0.2;
constexpr double high_share = 0.8;
// Far above the roundings of a wealth's logarithm: terms of some hundred in all, to 2^-52 of themselves.
constexpr double roundings = 1e-6;

constexpr std::uint64_t least_step = 1024;
constexpr std::uint64_t steps = 64;

constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace

// Second moments are seen too small more often than too large, the largest numbers being rare: low stakes
// are smaller than the guess more often than above it. High ones are mostly 1, all that may be put.
BettingRule::BettingRule(double epsilon, double delta, unsigned share_bits, const Forecast& forecast)
    : epsilon_(epsilon),
      share_bits_(share_bits),
      low_goal_(std::log(1 / (low_share * delta)) + roundings),
      high_goal_(std::log(1 / (high_share * delta)) + roundings) {
  const double p = forecast.mean;
  const double m_low = p / (1 + epsilon);
  const double m_high = p / (1 - epsilon);
  const auto square_about = [&](double m) {  // E[(X - m)^2], at least (p - m)^2 whatever was forecast
    return std::max(forecast.second_moment - p * p, 0.0) + (p - m) * (p - m);
  };
  // A number changes the wealth's logarithm by s d - s^2 E[(X - m)^2] / 2 on average where m is d beside the
  // mean: the most for s = d / E[(X - m)^2].
  const double low = std::min((p - m_low) / square_about(m_low), 0.5 / m_low);
  const double high = std::min((m_high - p) / square_about(m_high), 1.0);
  low_ = {{2 * low, 0.1}, {low, 0.3}, {low / 2, 0.25}, {low / 4, 0.2}, {low / 8, 0.1}};
  high_ = {{high, 0.85}, {high / 4, 0.1}};
  // Since X^2 <= X no forecast can be so wrong that wealth does not grow with these: they, and some between,
  // have the rest.
  add_geometric_grid(low_, low / 64, epsilon / (1 + epsilon));
  add_geometric_grid(high_, high / 32, epsilon / 2);
  const auto expect = [](const std::vector<Wager>& wagers, double gap, double square, double goal) {
    double fewest = infinite;
    for (const Wager& wager : wagers) {
      const double gain = wager.lambda * gap - wager.lambda * wager.lambda * square / 2;
      if (gain > 0) fewest = std::min(fewest, (goal - std::log(wager.weight)) / gain);
    }
    return fewest;
  };
  expected_trials_ = std::max(expect(low_, p - m_low, square_about(m_low), low_goal_),
                              expect(high_, m_high - p, square_about(m_high), high_goal_));
}

void BettingRule::add_geometric_grid(std::vector<Wager>& wagers, double from, double to) {
  constexpr double rest = 0.05;
  constexpr double ratio = 8;
  std::vector<double> grid{to};
  for (double stake = from; stake > to * ratio; stake /= ratio) grid.push_back(stake);
  for (const double stake : grid) wagers.push_back({stake, rest / static_cast<double>(grid.size())});
}

std::uint64_t BettingRule::next_look(std::uint64_t trials) {
  std::uint64_t look = least_step;
  while (look <= trials) look += std::max(least_step, look / steps / least_step * least_step);
  return look;
}

double BettingRule::mean(std::uint64_t trials, const HitCounts& hits) const {
  double sum = 0;
  for (const auto& [number, count] : hits) sum += static_cast<double>(number) * static_cast<double>(count);
  return std::ldexp(sum, -static_cast<int>(share_bits_)) / static_cast<double>(trials);
}

// A stake that one number could lose more than all with has nothing: its wealth is 0.
double BettingRule::log_wealth(const std::vector<Wager>& wagers, double sign, double mean,
                               std::uint64_t trials, const HitCounts& hits) const {
  std::vector<double> logs;
  for (const Wager& wager : wagers) {
    std::uint64_t none = trials;
    double sum = std::log(wager.weight);
    const auto bet = [&](double number, std::uint64_t count) {
      const double change = sign * wager.lambda * (number - mean);
      sum += change > -1 ? static_cast<double>(count) * std::log1p(change) : -infinite;
    };
    for (const auto& [number, count] : hits) {
      bet(std::ldexp(static_cast<double>(number), -static_cast<int>(share_bits_)), count);
      none -= count;
    }
    if (none > 0) bet(0, none);
    logs.push_back(sum);
  }
  const double most = *std::max_element(logs.begin(), logs.end());
  if (most == -infinite) return most;
  double sum = 0;
  for (const double one : logs) sum += std::exp(one - most);
  return most + std::log(sum);
}

// Wealth against a mean too low falls as that mean rises, wealth against one too high rises with it: where
// the borders are refuted, so is what lies beyond them. A stake s >= 1 / m stands for no gambler; it counts
// as nothing for m and above.
bool BettingRule::holds(std::uint64_t trials, const HitCounts& hits) const {
  if (trials == 0 || hits.empty()) return false;
  const double middle = mean(trials, hits);
  const double low = middle / (1 + epsilon_);
  const double high = middle / (1 - epsilon_);
  std::vector<Wager> allowed;
  for (const Wager& wager : low_) {
    if (wager.lambda * low < 1) allowed.push_back(wager);
  }
  if (allowed.empty() || log_wealth(allowed, 1, low, trials, hits) < low_goal_) return false;
  return high >= 1 || log_wealth(high_, -1, high, trials, hits) >= high_goal_;
}

}  // namespace countpm
