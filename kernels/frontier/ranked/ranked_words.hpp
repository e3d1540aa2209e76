#pragma once
// How many words the values of each table of a program have, and what all of them take.
#include "kernels/frontier/ranked/ranked_program.hpp"

namespace countpm {

/// Precondition: RankedStep::to_words and, of joins, result.from_words are what bounds ask for. Each table
/// gets as many words as the one before, or one more, and at least those; none more than `enough`.
void find_words_and_bytes(RankedProgram& program, std::uint32_t enough);

}  // namespace countpm
