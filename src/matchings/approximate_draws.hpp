#pragma once
// Matchings drawn at random approximately: where exact draws (sample_matchings) are out of reach.
//
// Samples of a MatchingSampler come with weights w, and their law times w is the law that is asked for. A
// draw is the first of its samples that is accepted, with a chance of min(1, w / c): of the law itself as far
// as no weight is above c. That is one and a half times the largest weight of some trial samples, so that
// what lies above it is little, and its share of all weights says by how much the draws' law may be off (in
// total variation). Draws are independent of one another, given the trials. B. S. Caffo, J. G. Booth, A. C.
// Davison, Empirical supremum rejection sampling, Biometrika 89 (2002).
#include <cstdint>

#include "src/api/entries.hpp"
#include "src/api/sampled_result.hpp"

namespace countpm {

/// As sample_matchings(), but by samples of `sampler`: "annealed", "bethe" or "boundary", or "auto", one of
/// the last two. CountOptions::seed fixes the draws, whatever the threads; the first ones are the same
/// however many there are. Throws as sample_matchings() does; UnableError for other samplers, for what these
/// do not take, and where hardly any sample is accepted.
DrawnApproximately sample_approximately(const Source& source, const ReadOptions& read_options,
                                        const CountOptions& options, const std::string& sampler,
                                        const SampleOptions& sample_options, const MatchingSink& sink);
DrawnApproximately sample_approximately(ReadResult read, const CountOptions& options,
                                        const std::string& sampler, const SampleOptions& sample_options,
                                        const MatchingIdSink& sink);

}  // namespace countpm
