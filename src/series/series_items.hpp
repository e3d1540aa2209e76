#pragma once
// What a series counts: its arguments, with ranges, folders and lists taken apart.
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "src/series/series_row.hpp"

namespace countpm {

/// A group as legends and messages call it: the argument, or "single inputs".
struct SeriesGroup {
  std::string name;
  std::size_t items = 0;
};

struct Series {
  std::vector<SeriesItem> items;
  std::vector<SeriesGroup> groups;
  std::vector<std::string> notes;  // what of a folder was left out
};

/// Ranges of lattices become their lattices, a folder the files in it whose endings are a format's, by name,
/// and @FILE (@-: standard input) the inputs that the file lists, one per line; what cannot be listed is an
/// item with its failure. Throws UsageError for a bad spec among the arguments, and UnableError for a list
/// that has not come in after wait_seconds.
Series series_items(const std::vector<std::string>& arguments,
                    double wait_seconds = std::numeric_limits<double>::infinity());

}  // namespace countpm
