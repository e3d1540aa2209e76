#pragma once
// Sums with signs or phases in words: never without their error, nor without what cancels.
#include <complex>
#include <string>
#include <vector>

#include "src/api/signed_sum.hpp"
#include "src/words/result_words.hpp"

namespace countpm::words {

/// "-1.234e+10 +- 0.84% (95% confidence, seed 1)"; where the error is not far below the sum
/// "-1.2e+10 +- 8.4e+09 (95% confidence, seed 1)"; "-12 exactly"; "about 3e+40, in doubt (seed 1)".
std::string signed_text(const SignedSum& result);
/// The number alone; of a complex one "(re,im)".
std::string signed_value_text(const SignedSum& result);
/// A share of the sum of absolute values as a number of any size.
std::string share_of_absolute(const SignedSum& result, double share, int digits);
/// "0.0123 +- 0.0004"; "(0.1,0.02) +- 0.0004".
std::string mean_sign_text(const SignedSum& result);
/// What cancels, doubt, weights, sampler.
std::vector<Fact> facts_of(const SignedSum& result);

}  // namespace countpm::words
