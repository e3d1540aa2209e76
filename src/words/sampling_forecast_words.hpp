#pragma once
// What samples would take, in words.
#include <cstdint>
#include <string>
#include <vector>

#include "src/api/sampling_forecast.hpp"
#include "src/words/result_words.hpp"

namespace countpm::words {

/// "32 rows, 112 entries"; of a general graph "32 vertices, 56 edges".
std::string sizes_text(bool general, std::uint64_t rows, std::uint64_t entries);
/// "32 rows, 112 entries: boundary draws some 1200 samples in 0.5 s"
std::string piece_text(const PieceForecast& piece);
/// "the first 256 of these, effective size 180; Pareto k 0.31; no doubt"
std::string trials_text(const PieceForecast& piece);
/// What happens where samples leave a doubt.
std::string doubt_text(SampledQuestion question);
/// "1.2 s; within the time limit of 1 min"
std::string total_text(const SamplingForecast& forecast);
/// All of it but the input: goal, pieces, what a doubt would mean, the total.
std::vector<Fact> facts_of(const SamplingForecast& forecast);
/// The name that JSON has.
std::string question_name(SampledQuestion question);

}  // namespace countpm::words
