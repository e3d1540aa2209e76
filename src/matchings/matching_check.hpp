#pragma once
// A second opinion on samples of whole matchings: of what a sampler hardly ever meets its own weights say
// nothing, another sampler's do (src/sampling/second_sampler.hpp). Both have the same mean.
#include <cstdint>
#include <string>

#include "kernels/estimate/samples/graph_sampler.hpp"
#include "kernels/estimate/samples/interval.hpp"
#include "src/api/estimate_result.hpp"
#include "src/api/sampling_forecast.hpp"
#include "src/structure/pieces.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

/// The samples that are to be checked.
struct CheckedSamples {
  const AnyBlock& block;
  const MatchingSampler& sampler;
  const SampledMean& mean;  // of their weights
  std::uint64_t number = 0;
  std::uint64_t key = 0;  // block_key
  std::uint64_t stream = 0;
};

/// What the other sampler says.
struct MatchingCheck {
  std::string sampler;        // empty: there was none
  std::uint64_t samples = 0;  // of it
  std::string contradiction;  // empty: it does not
};

/// By as many samples as take a tenth of the time (of annealing, which is asked for, all of it), until the
/// deadline. No check where what is checked is in doubt anyway, where `how` says so, and where the other
/// sampler does not take the block. The same for any number of threads. Throws as the monitor says, but for
/// the time limit.
MatchingCheck check_samples(const CheckedSamples& first, SecondOpinion how, double confidence,
                            double deadline, int threads, Monitor& monitor);

/// What is known of a piece's forecast before anything is drawn.
PieceForecast forecast_of(const Piece& piece, const MatchingSampler& sampler);
/// Which sampler that would be, how many of its samples there would be beside the first ones that the piece's
/// forecast has, and their time, which is added.
void foretell_check(const CheckedSamples& first, SecondOpinion how, const Monitor& monitor,
                    PieceForecast& piece);

/// Of the time that there is, what the samples themselves have: the rest is the check's.
double share_before_check(SecondOpinion how);

}  // namespace countpm
