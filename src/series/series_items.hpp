#pragma once
// What a series counts, and a line of what it found.
#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/api/entries.hpp"

namespace countpm {

/// One input of a series.
struct SeriesItem {
  std::string input;                  // a file, "-" or a lattice spec
  std::size_t group = 0;              // the argument that it stands for; single inputs share one group
  std::optional<std::uint64_t> size;  // in a range: the first of the sizes that grow
  std::optional<KnownLimit> limit;    // of the range, or of the lattice; without regard to --weights
};

/// A group as legends and messages call it: the argument, or "single inputs".
struct SeriesGroup {
  std::string name;
  std::size_t items = 0;
};

struct Series {
  std::vector<SeriesItem> items;
  std::vector<SeriesGroup> groups;
};

/// Ranges of lattices become their lattices. Throws UsageError for a bad spec.
Series series_items(const std::vector<std::string>& arguments);

/// What a line tells of one input.
struct SeriesRow {
  std::string input;
  std::size_t group = 0;
  std::optional<std::uint64_t> size;
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  std::string count;
  std::optional<std::uint64_t> digits;  // of an integer
  double log10 = 0;
  bool exact = true;
  std::string error_bound;
  std::optional<Entropy> entropy;
  std::string method;
  double seconds = 0;
  std::string ratio;  // of the count to the first row's; empty where it was not asked for or is not exact
};

SeriesRow series_row(const SeriesItem& item, const CountResult& result);

/// count / first to 12 digits, where both are exact and the first is not 0; else empty.
std::string count_ratio(const SeriesRow& row, const SeriesRow& first);

}  // namespace countpm
