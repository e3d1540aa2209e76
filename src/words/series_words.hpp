#pragma once
// Rows of a series in words.
#include <string>
#include <vector>

#include "src/series/series_items.hpp"

namespace countpm::words {

/// A row's cells of the table; "-" where there is nothing to say.
struct SeriesWords {
  std::string vertices = "-";
  std::string edges = "-";
  std::string ln_z = "-";
  std::string per_vertex = "-";
  std::string per_dimer = "-";
  std::string limit = "-";
  std::string seconds;
  std::string method = "-";
  std::string ratio = "-";
  std::string count = "-";   // rounded where it is long; why there is none, in a word or two
  std::string digits = "-";  // the same
};
SeriesWords series_words(const SeriesRow& row);
/// What a table has of an exact count: rounded where it is long.
std::string shortened_count(const std::string& count);
/// In the place of a count: "refused", "bad input".
const char* failure_text(const SeriesFailure& failure);

/// Each limit among the rows once: "infinite-lattice limit 0.291560904031 per vertex: square lattice;
/// SOURCE".
std::vector<std::string> limit_texts(const std::vector<SeriesRow>& rows);
/// The same of a row alone; empty where it has none.
std::string limit_text(const SeriesRow& row);

}  // namespace countpm::words
