#pragma once
// What a count would do and cost, in words.
#include <string>

#include "src/api/entries.hpp"

namespace countpm::words {

/// "perfect matchings: the permanent of a 8 x 8 matrix"
std::string problem_text(const Explanation& explanation);
/// The matching, the blocks, and what was dropped; without a perfect matching, that the count is 0.
std::string structure_text(const Explanation& explanation);
/// "2 blocks to count"
std::string left_text(const Explanation& explanation);
/// "8 rows, 23 entries, count below 2^12.3, modulo 2^64"
std::string block_text(const BlockForecast& block);
std::string bounds_text(const BoundsReport& bounds);
/// Under which load the rates were measured.
std::string load_text(const MachineLoad& load);

/// A method's cells of the table: "-" where it cannot count the block.
struct ForecastWords {
  std::string time = "-";
  std::string memory = "-";
  std::string work = "-";
  std::string rate;  // "subsets (measured, gpu)", or why it cannot
};
ForecastWords forecast_words(const MethodForecast& method);

/// What the proof takes beside the count.
std::string proof_text(const ProofForecast& proof);
/// "3.2 s; within the time limit of 1 h"; beyond it, with the limit that would suffice
std::string total_text(const Explanation& explanation, double time_limit_seconds);

}  // namespace countpm::words
