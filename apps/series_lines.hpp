#pragma once
// The lines of a series: a table for people, CSV, or JSON, each line by itself.
#include <array>
#include <string>
#include <vector>

#include "apps/options.hpp"
#include "src/series/series_items.hpp"

namespace countpm::app {

/// The exit code that a count of this input alone would have had.
int exit_code_of(const SeriesFailure& failure);
/// The "kind" of its error in JSON.
const char* kind_of(const SeriesFailure& failure);

class SeriesLines {
 public:
  SeriesLines(const Request& request, const Series& series);

  /// Empty for JSON. `first`: the first row, where there is one, whose graph text decides on a table's
  /// columns.
  std::string head(const SeriesRow* first);
  /// After head().
  std::string line(const SeriesRow& row) const;
  /// What the limits in a table are, and where they are published; empty for CSV and JSON.
  std::string foot(const std::vector<std::string>& limits) const;

 private:
  enum class Style { table, csv, json };
  std::string table_line(const std::vector<std::string>& cells) const;
  /// Leaves columns of a table out until its lines have that width.
  void fit(std::size_t width);

  Style style_;
  bool counts_;
  bool ratio_;
  bool ln_z_;
  std::size_t input_width_;
  std::size_t graph_width_ = 0;  // 0: no such column
  std::array<bool, 9> shown_{};  // columns between the input and the count
  std::string left_out_;         // their heads
};

}  // namespace countpm::app
