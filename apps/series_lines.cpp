#include "apps/series_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/csv.hpp"
#include "apps/json.hpp"
#include "apps/text.hpp"
#include "graph/text.hpp"
#include "src/words/series_words.hpp"

namespace countpm::app {
namespace {

// Columns of a table but for the first (as wide as the longest input) and the last (the count).
constexpr std::array<std::size_t, 9> widths{9, 9, 13, 11, 11, 9, 9, 10, 15};
// A finite number, or nothing; the last of a double's digits are rounding errors.
std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.15g}", value) : "";
}

std::string json_line(const SeriesRow& row, bool counts) {
  using Json = nlohmann::ordered_json;
  const auto of_entropy = [&](double Entropy::*part) {
    return row.entropy ? Json((*row.entropy).*part) : Json(nullptr);
  };
  const bool limit = row.entropy && row.entropy->limit;
  const Json object = {{"input", row.input},
                       {"vertices", row.vertices},
                       {"edges", row.edges},
                       {"count", counts ? Json(row.count) : Json(nullptr)},
                       {"digits", row.digits ? Json(*row.digits) : Json(nullptr)},
                       {"log10", finite_or_null(row.log10)},
                       {"exact", row.exact},
                       {"error_bound", row.exact ? Json(nullptr) : Json(row.error_bound)},
                       {"ln_z", of_entropy(&Entropy::ln_z)},
                       {"per_vertex", of_entropy(&Entropy::per_vertex)},
                       {"per_dimer", of_entropy(&Entropy::per_dimer)},
                       {"limit", limit ? Json(row.entropy->limit->per_vertex) : Json(nullptr)},
                       {"ratio", row.ratio.empty() ? Json(nullptr) : Json(row.ratio)},
                       {"method", row.method},
                       {"seconds", row.seconds}};
  return one_line(object) + "\n";
}

std::string csv_line(const SeriesRow& row, bool counts, bool ratio) {
  std::vector<std::string> cells{csv_field(row.input),
                                 std::to_string(row.vertices),
                                 std::to_string(row.edges),
                                 counts ? csv_field(row.count) : "",
                                 row.digits ? std::to_string(*row.digits) : "",
                                 number(row.log10)};
  if (row.entropy) {
    for (const double value : {row.entropy->ln_z, row.entropy->per_vertex, row.entropy->per_dimer})
      cells.push_back(number(value));
  } else {
    cells.insert(cells.end(), 3, "");
  }
  const bool limit = row.entropy && row.entropy->limit;
  cells.push_back(limit ? number(row.entropy->limit->per_vertex) : "");
  if (ratio) cells.push_back(row.ratio);
  cells.push_back(csv_field(row.method));
  cells.push_back(fmt::format("{:.6f}", row.seconds));
  return fmt::format("{}\r\n", fmt::join(cells, ","));
}

}  // namespace

SeriesLines::SeriesLines(const Request& request, const Series& series)
    : style_(request.json  ? Style::json
             : request.csv ? Style::csv
                           : Style::table),
      counts_(!request.no_counts),
      ratio_(request.ratio),
      input_width_(0) {
  for (const SeriesItem& item : series.items)
    input_width_ = std::max(input_width_, display_width(escaped_word(item.input)));
}

std::string SeriesLines::head() const {
  switch (style_) {
    case Style::json:
      return "";
    case Style::csv:
      return fmt::format(
          "input,vertices,edges,count,digits,log10,ln_z,per_vertex,per_dimer,limit{},method,seconds\r\n",
          ratio_ ? ",ratio" : "");
    case Style::table:
      break;
  }
  return table_line({"input", "vertices", "edges", "ln Z", "a vertex", "a dimer", "limit", "seconds",
                     "method", "ratio", counts_ ? "count" : "digits"});
}

std::string SeriesLines::line(const SeriesRow& row) const {
  if (style_ == Style::json) return json_line(row, counts_);
  if (style_ == Style::csv) return csv_line(row, counts_, ratio_);
  const words::SeriesWords cells = words::series_words(row);
  return table_line({escaped_word(row.input), std::to_string(row.vertices), std::to_string(row.edges),
                     cells.ln_z, cells.per_vertex, cells.per_dimer, cells.limit, cells.seconds, row.method,
                     cells.ratio, counts_ ? cells.count : cells.digits});
}

std::string SeriesLines::foot(const std::vector<SeriesRow>& rows) const {
  if (style_ != Style::table) return "";
  std::string text;
  for (const std::string& limit : words::limit_texts(rows)) text += fmt::format("# {}\n", limit);
  return text;
}

std::string SeriesLines::table_line(const std::vector<std::string>& cells) const {
  std::string text = fmt::format("{:<{}}", cells.front(), input_width_);
  for (std::size_t c = 0; c < widths.size(); ++c) {
    constexpr std::size_t ratio_column = 8;
    if (c == ratio_column && !ratio_) continue;
    text += fmt::format("  {:>{}}", cells[c + 1], widths[c]);
  }
  return fmt::format("{}  {}\n", text, cells.back());
}

}  // namespace countpm::app
