#pragma once
// The lines of a series: a table for people, CSV, or JSON, each line by itself.
#include <string>

#include "apps/options.hpp"
#include "src/series/series_items.hpp"

namespace countpm::app {

class SeriesLines {
 public:
  SeriesLines(const Request& request, const Series& series);

  std::string head() const;  // empty for JSON
  std::string line(const SeriesRow& row) const;
  /// What the limits in a table are, and where they are published; empty for CSV and JSON.
  std::string foot(const std::vector<SeriesRow>& rows) const;

 private:
  enum class Style { table, csv, json };
  std::string table_line(const std::vector<std::string>& cells) const;

  Style style_;
  bool counts_;
  bool ratio_;
  std::size_t input_width_;
};

}  // namespace countpm::app
