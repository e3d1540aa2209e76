#pragma once
// The units of a count dealt out to parts that run by themselves.
#include <vector>

#include "src/journal/journal.hpp"

namespace countpm {

/// The shares of `parts` parts, in all their tasks: every unit is in exactly one. Each task is cut into
/// pieces of a sixteenth of a part's predicted work at most, and the longest goes to whoever has least, so
/// that units of one neighbourhood, which are often alike, do not fall to one part. O((tasks + 16 parts)
/// log).
std::vector<JournalPart> deal_out(const std::vector<const JournalTask*>& tasks, std::uint64_t parts);

}  // namespace countpm
