#pragma once
// Rows of a series in words.
#include <string>
#include <vector>

#include "src/series/series_items.hpp"

namespace countpm::words {

/// A row's cells of the table; "-" where there is nothing to say.
struct SeriesWords {
  std::string ln_z = "-";
  std::string per_vertex = "-";
  std::string per_dimer = "-";
  std::string limit = "-";
  std::string seconds;
  std::string ratio = "-";
  std::string count;  // rounded where it is long
  std::string digits = "-";
};
SeriesWords series_words(const SeriesRow& row);

/// Each limit among the rows once: "limit 0.291560904031 a vertex: square lattice; SOURCE".
std::vector<std::string> limit_texts(const std::vector<SeriesRow>& rows);

}  // namespace countpm::words
