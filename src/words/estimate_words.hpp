#pragma once
// Estimates in words: never without their error.
#include <string>
#include <string_view>
#include <vector>

#include "src/api/sampled_result.hpp"
#include "src/estimate/estimate.hpp"
#include "src/words/result_words.hpp"

namespace countpm::words {

/// "12%", two digits.
std::string percent(double share);
/// What is known of the value, in two parts.
struct EstimateWords {
  std::string value;      // "1.2989e+07"; where that cannot be trusted "about 3e+40"
  std::string range;      // "+- 0.84% (95% confidence, seed 1)"; "from 1.6e+39 to 4e+44 (...)"
  std::string_view join;  // what stands between them in a sentence
};
EstimateWords estimate_words(const EstimateResult& result);
/// The number alone, with as many digits as its error leaves: "6.1241e+43"; "0" where every sample was zero.
std::string value_text(const Estimate& estimate);
/// The interval's ends, rounded outwards: {"6.0651e+43", "6.18411e+43"}.
std::vector<std::string> interval_texts(const Estimate& estimate);
/// The two as one: "1.2989e+07 +- 0.84% (95% confidence, seed 1)"; where that cannot be trusted "about 3e+40,
/// from 1.6e+39 to 4e+44 (95% confidence, seed 1)"; "12988816 exactly" where nothing had to be sampled; "no
/// estimate, from ..." where all samples are 0.
std::string estimate_text(const EstimateResult& result);
/// "perfect matchings, weighted; nothing had to be sampled"
std::string estimated_text(const EstimateResult& result);
/// "8 rows, 23 entries"
std::string size_text(const EstimatedBlock& block);
std::string block_text(const EstimatedBlock& block);
std::string second_text(const SecondEstimate& second);
/// "512 states at a time; guess fitted to 1,024 states of each step: ..."
std::string population_text(const PopulationReport& population);
/// "seed 1, bethe: 5.3040e+16, standard error 0.6%; 1200 samples, effective size 1100; 0.3 s"
std::string replicate_text(const Replicate& replicate);
/// "412 samples of scaling+, another kind of sampler"
std::string checked_text(const std::string& second, std::uint64_t samples);
/// A report's lines about edge probabilities by samples.
std::vector<Fact> sampled_facts(const SampledMarginals& result);
/// "drawn approximately, by annealed: ..., chances off by 0.6% or so": that they are, and how far.
std::string drawn_text(const DrawnApproximately& result);
std::vector<Fact> drawn_facts(const DrawnApproximately& result);
/// "36.5098 +- 0.0045"; without the error where there is none to show.
std::string log_text(const Estimate& estimate);
/// What stands on standard output where ln Z was the goal: "ln Z 36.5098 +- 0.0045 (standard error, seed 1)";
/// as estimate_text() where the estimate is in doubt or exact.
std::string log_estimate_text(const EstimateResult& result);
/// Interval, guarantee, what is assumed or in doubt, the sampler; none where nothing was sampled.
std::vector<Fact> facts_of(const EstimateResult& result);

}  // namespace countpm::words
