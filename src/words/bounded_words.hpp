#pragma once
// What is certain of a count that was not done, in words.
#include <string>

#include "src/count/bounded_result.hpp"

namespace countpm::words {

/// "from 1234 (Bethe) to 5.67e+25 (Bregman-Minc), for certain"
std::string bounded_text(const BoundedCount& result);
/// "2 of 3 blocks"
std::string counted_blocks_text(const BoundedCount& result);
/// "24 rows, 100 entries: 1234, by METHOD"; "...: from 10^3.10 (Bethe) to 10^9.73 (Bregman-Minc), for
/// certain"
std::string block_text(const BoundedBlock& block);

}  // namespace countpm::words
