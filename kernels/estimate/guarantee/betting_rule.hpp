#pragma once
// How many numbers in [0, 1] tell their mean to a factor, with a known probability: by a betting confidence
// sequence.
#include <cstdint>
#include <map>
#include <vector>

namespace countpm {

/// How many trials had how many hits; those without any are left out.
using HitCounts = std::map<std::uint64_t, std::uint64_t>;

/// Independent numbers X in [0, 1] of one unknown mean p, each a whole number of hits times 2^-share_bits.
/// Were p below m, a gambler with stake s > 0 whose wealth a number X multiplies by 1 + s (X - m) would
/// lose on average: the chance that the wealth ever gets to 1 / delta from 1 is at most delta (Ville's
/// inequality), however the moment to look is chosen. The same for p above m and the factor 1 - s (X - m), s
/// at most 1. The rule holds as soon as the mean M of the numbers refutes both p < M / (1 + epsilon), at
/// delta / 5, and p > M / (1 - epsilon), at 4 delta / 5: then |M / p - 1| <= epsilon but for a probability of
/// delta. No variance is assumed. I. Waudby-Smith, A. Ramdas, Estimating means of bounded random variables by
/// betting, J. R. Statist. Soc. B 86 (2024).
///
/// Where GammaBernoulliRule takes 2 ln(2 / delta) / (epsilon^2 p) coins of bias p, this takes about ln(1 /
/// delta) / (epsilon p), and 2 ln(1 / delta) Var X / (epsilon p)^2 where that is more.
class BettingRule {
 public:
  /// What the numbers are thought to be like: stakes are chosen by it. A wrong guess costs numbers, never the
  /// guarantee; some O(ln(1 / delta) / (epsilon^2 p)) of them do whatever was guessed.
  struct Forecast {
    double mean = 0;
    double second_moment = 0;  // E[X^2]
  };

  /// Preconditions: 0 < epsilon < 1, 0 < delta < 1, share_bits <= 32, 0 < second_moment <= mean <= 1.
  BettingRule(double epsilon, double delta, unsigned share_bits, const Forecast& forecast);

  unsigned share_bits() const { return share_bits_; }
  /// So many numbers are expected to do, a rough figure.
  double expected_trials() const { return expected_trials_; }

  /// Looks are at fixed numbers of trials, 1024 apart or 64ths: the first of them beyond `trials`.
  static std::uint64_t next_look(std::uint64_t trials);

  /// Whether the mean of so many numbers does. O(hits.size()).
  bool holds(std::uint64_t trials, const HitCounts& hits) const;
  double mean(std::uint64_t trials, const HitCounts& hits) const;

 private:
  // Wealth is put on several stakes lambda, each with its weight of it, lest one guess be far off.
  struct Wager {
    double lambda;
    double weight;
  };
  static void add_geometric_grid(std::vector<Wager>& wagers, double from, double to);
  double log_wealth(const std::vector<Wager>& wagers, double sign, double mean, std::uint64_t trials,
                    const HitCounts& hits) const;

  double epsilon_;
  unsigned share_bits_;
  double low_goal_;  // ln of the wealth that refutes a mean too low
  double high_goal_;
  std::vector<Wager> low_;
  std::vector<Wager> high_;
  double expected_trials_ = 0;
};

}  // namespace countpm
