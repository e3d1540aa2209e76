#pragma once
// A ratio of two sums, each by samples of its own.
//
// Samples of both at a time lose where A and B are far apart: the matchings that make up one sum are then
// rare in the other, and the variance grows as an exponential of how much ln of a matching's weights differ.
// Two estimates have the sum of their variances, whatever lies between A and B. A chain of ratios at weights
// between the two (stepping stones; W. Xie et al., Syst. Biol. 60 (2011)), or a quadrature of the mean number
// of edges (thermodynamic integration; A. Gelman, X.-L. Meng, Statist. Sci. 13 (1998)), has about
// (D s)^2 (1 + V) / N by N samples in all, with D = ln of the quotient of the weights, s the standard
// deviation of the number of edges in a matching, V the variance of a sample's weight over the square of its
// mean. Two estimates of N / 2 samples each have 4 V / N: less wherever D s is above 2, and where it is below
// samples of both do as well as a chain. Chains are for samplers that know no sum of their own, such as
// Markov chains.
#include <optional>
#include <string>

#include "src/api/entries.hpp"
#include "src/api/estimate_result.hpp"
#include "src/api/ratio_result.hpp"
#include "src/api/sampling_forecast.hpp"
#include "src/journal/checkpoint.hpp"

namespace countpm {

/// How much a sample says: the variance of ln of the ratio times the number of samples, of both sums
/// together.
struct RatioTrial {
  double variance = 0;
  bool trusted = false;
};

/// Whether `apart` does better than `together`. The clock has no part in it.
bool better_apart(const RatioTrial& together, const RatioTrial& apart);

/// What both are to reach.
struct ApartGoal {
  double error = 0;    // a standard error of ln of the ratio
  std::string text;    // the same, or a number of samples, in words
  RatioTrial trial{};  // of both
  /// That which draws samples of both at a time: with the same one for each sum a sample takes as long, so
  /// that numbers of samples tell which way is faster.
  std::optional<SamplerKind> kind{};
};

/// From a few samples of each, in an eighth of the time limit at most. Where one of the two cannot be sampled
/// by itself it is not trusted.
RatioTrial try_apart(const ReadResult& a, const ReadResult& b, const CountOptions& own,
                     const EstimateOptions& options, const ApartGoal& goal);

/// Where what is drawn is kept.
struct ApartPlace {
  Checkpoint* checkpoint = nullptr;  // begun; null: nowhere
  std::string file;                  // for messages
};

/// Samples both, within the time limit, and says so in the result. What the place has of an earlier session
/// is gone on with. Throws as estimate() does.
void ratio_apart(const ReadResult& a, const ReadResult& b, const CountOptions& own,
                 const EstimateOptions& options, const ApartGoal& goal, const ApartPlace& place,
                 RatioResult& result);

/// What it would draw, in place of the pieces that the forecast has.
void foretell_apart(const ReadResult& a, const ReadResult& b, const CountOptions& own,
                    const EstimateOptions& options, const ApartGoal& goal, SamplingForecast& forecast);

}  // namespace countpm
