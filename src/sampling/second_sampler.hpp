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
/// `annealed`, which leads matchings with many holes to perfect ones and so knows nothing of walks.
BlockSampler second_by_annealing(const AnyBlock& block, std::uint64_t key, std::uint64_t stream);

/// The time of second samples over that of the first: of what is drawn unasked, and of what was asked for.
constexpr double share_of_second = 0.1;
constexpr double share_of_asked_second = 1;

/// How many samples of the second one accompany `drawn` of the first: that share of their time by
/// BlockSampler::work (unasked, beyond ten seconds of the second's, growing as the root of the first's), but
/// at least 32, or as many as take two seconds (64 of annealing, which has few), and at most 4096. The clock
/// has no part in it.
std::uint64_t second_samples(const BlockSampler& first, const BlockSampler& second, std::uint64_t drawn,
                             double share = share_of_second);
std::uint64_t second_samples(double work_of_first, const BlockSampler& second, std::uint64_t drawn,
                             double share);

/// Why the second contradicts the first: its lower end by Markov's inequality is above the first's interval,
/// or its own interval is apart, both at a confidence so much higher that chance hardly ever does it. Empty:
/// it does not, or the first is in doubt anyway.
std::string contradiction(const SampledMean& first, const SampledMean& second, const std::string& sampler,
                          double confidence);

/// The mean of two unbiased means, unbiased again: what Markov's inequality is applied to where they
/// contradict each other. The other figures are the first's.
SampledMean mean_of_both(const SampledMean& first, const SampledMean& second);

}  // namespace countpm
