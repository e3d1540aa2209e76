#pragma once
// A check of another kind beside a block's samples: some of another sampler, as an estimate of its own.
//
// A sampler whose walks hardly ever enter a part of the matchings shows steady samples, a small variance and
// a mean that is far too low, and nothing in its samples tells. Another sampler that goes there tells,
// however widely its own samples are spread: as they are not negative and have the right mean, that mean is
// above 1 / (1 - confidence) times the truth with a probability of at most 1 - confidence (Markov).
#include <cstdint>
#include <string>

#include "kernels/estimate/samples/interval.hpp"
#include "kernels/estimate/samples/sampler.hpp"

namespace countpm {

/// scaling+ beside any other sampler, rasmussen+ beside scaling+, pruned as far as that pays: walks that know
/// less of what is far away, and so are surer to go there. Of a graph with odd cycles, or with vertices that
/// may stay alone, `bethe` beside `boundary`, and the other way round. Random numbers of its own; `key`:
/// block_key.
BlockSampler second_sampler(const AnyBlock& block, SamplerKind first, std::uint64_t key,
                            std::uint64_t stream);

/// How many samples of the second one accompany `drawn` of the first: a tenth of their time by
/// BlockSampler::work, but at least 32, or as many as take two seconds, and at most 4096. The clock has no
/// part in it.
std::uint64_t second_samples(const BlockSampler& first, const BlockSampler& second, std::uint64_t drawn);

/// Why the second contradicts the first: its lower end by Markov's inequality is above the first's interval,
/// or its own interval is apart, both at a confidence so much higher that chance hardly ever does it. Empty:
/// it does not, or the first is in doubt anyway.
std::string contradiction(const SampledMean& first, const SampledMean& second, const std::string& sampler,
                          double confidence);

/// The mean of two unbiased means, unbiased again: what Markov's inequality is applied to where they
/// contradict each other. The other figures are the first's.
SampledMean mean_of_both(const SampledMean& first, const SampledMean& second);

}  // namespace countpm
