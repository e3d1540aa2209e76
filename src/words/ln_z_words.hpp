#pragma once
// Logarithms of counts in words.
#include <string>
#include <vector>

#include "src/count/ln_z.hpp"
#include "src/words/result_words.hpp"

namespace countpm::words {

/// The value, with as many decimals as the error leaves, and one more: "16.37958"; "-inf" for 0.
std::string logarithm_text(const LnZResult& result);
/// "ln Z"; "ln |Z|" where there are negative weights.
std::string logarithm_name(const LnZResult& result);
/// What it is the logarithm of, and that it is no count.
std::string logarithm_kind(const LnZResult& result);
/// Its error and its parts; none of 0.
std::vector<Fact> facts_of(const LnZResult& result);

}  // namespace countpm::words
