#pragma once
// What random matchings would take, as sentences.
#include <string>
#include <vector>

#include "src/api/draw_forecast.hpp"
#include "src/words/result_words.hpp"

namespace countpm::words {

std::vector<Fact> facts_of(const DrawForecast& forecast);
/// In one line, for who is about to draw: "5 perfect matchings by frontier, predicted to take 29 s, with 4
/// GiB of memory".
std::string foretold_text(const DrawForecast& forecast);

}  // namespace countpm::words
