#pragma once
// When a block's trials are enough for its guarantee, and what they then say.
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "kernels/estimate/guarantee/betting_rule.hpp"
#include "kernels/estimate/guarantee/gamma_bernoulli.hpp"
#include "kernels/estimate/guarantee/rejection_trials.hpp"
#include "src/journal/sample_ledger.hpp"

namespace countpm {

/// Coins until so many have succeeded (GammaBernoulliRule), or hits until bets refute every other mean
/// (BettingRule).
class StoppingRule {
 public:
  StoppingRule() = default;

  /// The one that is expected to take fewer steps of trials. `forecasts`: RejectionTrials::forecast; where no
  /// walk came through, coins of the given rate. Depends on these figures alone. Throws as gamma_bernoulli.
  StoppingRule(double epsilon, double delta, const std::vector<TrialForecast>& forecasts, double rate);

  unsigned share_bits() const;
  double expected_trials() const { return expected_trials_; }
  /// DrawnSamples::goal: with share_bits(), what tells a rule from another.
  std::uint64_t goal() const;

  bool enough(const DrawnSamples& drawn) const;
  /// The next `count` trials, those with hits in the order of their numbers. Takes no more than the rule asks
  /// for; true where these are enough.
  bool add(DrawnSamples& drawn, std::uint64_t count, const std::vector<TrialHits>& hits) const;

  /// Of what it asks for, the share that is there: 1 once it is enough.
  double progress(const DrawnSamples& drawn) const;
  /// "383 of 383 successes", "2600000 of about 2700000 trials".
  std::string progress_text(const DrawnSamples& drawn) const;

  /// Permanent / bound, within the rule's factor but for its probability. `stream`: of the seed, for what the
  /// rule itself draws. Precondition: enough(drawn).
  double rate(const DrawnSamples& drawn, std::uint64_t seed, std::uint64_t stream) const;
  /// How many equal ones the trials are worth, (sum X)^2 / sum X^2, and the share of the largest in the sum.
  double effective_samples(const DrawnSamples& drawn) const;
  double largest_share(const DrawnSamples& drawn) const;

 private:
  std::variant<GammaBernoulliRule, BettingRule> rule_;
  double expected_trials_ = 0;
};

}  // namespace countpm
