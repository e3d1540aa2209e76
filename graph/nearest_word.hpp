#pragma once
// Which word was meant by one that is misspelt.
#include <cstddef>
#include <string_view>
#include <vector>

namespace countpm {

/// How many letters have to be changed, added, left out or swapped with the next one to come from a to b,
/// with no letter changed twice (optimal string alignment). Capitals are small letters. O(|a| |b|).
std::size_t typing_distance(std::string_view a, std::string_view b);
/// The nearest of the candidates; empty where none is near. A beginning of just one of them is near it.
std::string_view nearest_word(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace countpm
