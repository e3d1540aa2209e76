#pragma once
// Ratios in words: never without their error.
#include <string>
#include <vector>

#include "src/api/ratio_result.hpp"
#include "src/words/result_words.hpp"

namespace countpm::words {

/// "1.2345 +- 0.84% (95% confidence, seed 1)"; "3/4 exactly", or of a long fraction "1.2345, both counted";
/// "about 3e+40, in doubt (seed 1)".
std::string ratio_text(const RatioResult& result);
/// "ln Z(x=4) - ln Z(x=1): 69.3512 +- 0.0012 (standard error, seed 1)"; of counted ones all digits.
std::string log_ratio_text(const RatioResult& result, const LetterRange& range);
/// The number alone, with as many digits as its error leaves; of an exact one the fraction.
std::string ratio_value_text(const RatioResult& result);
/// ln of it, interval, doubt, weights, sampler; of an exact one ln alone.
std::vector<Fact> facts_of(const RatioResult& result);

}  // namespace countpm::words
