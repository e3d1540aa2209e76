#pragma once
// Matchings up to symmetry, one of each orbit.
#include <cstdint>

#include "src/api/entries.hpp"

namespace countpm {

/// As list_matchings(), but of all matchings that symmetries of the graph take to each other one; the others
/// are found, too, and left out (orbit_filter.hpp). Returns how many went to the sink. Throws UsageError
/// where the options ask for a range, whose numbers are of all matchings; UnableError with monomers and for
/// graphs with more than most_symmetries.
std::uint64_t list_orbits(const Source& source, const ReadOptions& read_options, const ListOptions& options,
                          const MatchingSink& sink);
std::uint64_t list_orbits(ReadResult read, const ListOptions& options, const MatchingIdSink& sink);

}  // namespace countpm
