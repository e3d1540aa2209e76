#pragma once
// The units of a count dealt out to parts that run by themselves.
#include <string>
#include <vector>

#include "graph/read.hpp"
#include "src/journal/journal.hpp"

namespace countpm {

/// The shares of `parts` parts, in all their tasks: every unit is in exactly one. Each task is cut into
/// pieces of a sixteenth of a part's predicted work at most, and the longest goes to whoever has least, so
/// that units of one neighbourhood, which are often alike, do not fall to one part. O((tasks + 16 parts)
/// log).
std::vector<JournalPart> deal_out(const std::vector<const JournalTask*>& tasks, std::uint64_t parts);

/// How parts read their input: such that another one is noticed. Throws UsageError where it cannot be read
/// again.
ReadOptions reading_of_parts(const Source& source, ReadOptions options);
/// Before the plans, which may take long: throws where a name is taken, or no files can be made where the
/// first is to be.
void check_new_parts(const std::vector<std::string>& files);
/// All or none: what was made is taken away again where one cannot be.
void write_parts(const std::vector<std::string>& files, const std::vector<std::string>& texts);

}  // namespace countpm
