#pragma once
// Sums over matchings whose weights are negative or complex, by samples of their absolute values.
//
// A matching M is drawn with some probability q(M), X = |w(M)| / q(M) is its weight, and S its sign, or its
// phase: the mean of X is the sum Z' of the absolute values, that of X S is Z. What cancels shows in the mean
// sign Z / Z': of N samples its standard error is about 1 / sqrt(N), so that Z takes about (Z' / Z)^2 times
// as many samples as Z'. With the number of vertices Z' / Z mostly grows exponentially (the sign problem; M.
// Troyer, U.-J. Wiese, Phys. Rev. Lett. 94 (2005)): there is no way around it here, but it is measured.
#include "src/api/entries.hpp"
#include "src/api/estimate_result.hpp"
#include "src/api/signed_sum.hpp"

namespace countpm {

/// Counts where that takes no longer than EstimateOptions::exact_below_seconds, else samples until the
/// interval, or the standard error of ln |Z|, is as small as asked for, or the time limit. Of EstimateOptions
/// the sampler (boundary, bethe or annealed), its second opinion, errors, confidence, samples, time limit and
/// what is to be exact are used. What is drawn does not depend on the threads. Perfect matchings and cycle
/// covers alone. Throws as count() does; UnableError where every sample is 0.
SignedSum signed_sum(const Source& source, const ReadOptions& read_options, const CountOptions& count_options,
                     const EstimateOptions& options);
SignedSum signed_sum(const ReadResult& read, const CountOptions& count_options,
                     const EstimateOptions& options);

}  // namespace countpm
