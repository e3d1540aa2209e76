#include "apps/series_lines.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "apps/csv.hpp"
#include "apps/exit_codes.hpp"
#include "apps/json.hpp"
#include "apps/output.hpp"
#include "apps/terminal_width.hpp"
#include "apps/text.hpp"
#include "graph/text.hpp"
#include "src/words/series_words.hpp"

namespace countpm::app {
namespace {

// Columns of a table but for the first (as wide as the longest input) and the last (the count).
constexpr std::array<std::size_t, 9> widths{9, 9, 13, 11, 11, 9, 9, 10, 15};
constexpr std::array<std::string_view, 9> heads{"vertices", "edges",   "ln Z",   "per vertex", "per dimer",
                                                "limit",    "seconds", "method", "ratio"};
// Which of them go first where a terminal is too narrow for all: seconds, edges, per dimer, method, vertices.
constexpr std::array<std::size_t, 5> spared{6, 1, 4, 7, 0};

// A finite number, or nothing; the last of a double's digits are rounding errors.
std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.15g}", value) : "";
}

std::string csv_number(const std::optional<std::uint64_t>& value) {
  return value ? std::to_string(*value) : "";
}

std::string csv_line(const SeriesRow& row, bool counts, bool ratio, bool ln_z) {
  std::vector<std::string> cells{csv_field(row.input),   csv_number(row.vertices),
                                 csv_number(row.edges),  counts ? csv_field(row.count) : "",
                                 csv_number(row.digits), row.log10 ? number(*row.log10) : ""};
  if (row.entropy) {
    for (const double value : {row.entropy->ln_z, row.entropy->per_vertex, row.entropy->per_dimer})
      cells.push_back(number(value));
  } else {
    cells.insert(cells.end(), 3, "");
  }
  const bool limit = row.entropy && row.entropy->limit;
  cells.push_back(limit ? number(row.entropy->limit->per_vertex) : "");
  if (ln_z) cells.push_back(row.ln_z_error ? fmt::format("{:.2g}", *row.ln_z_error) : "");
  if (ratio) cells.push_back(row.ratio);
  cells.push_back(csv_field(row.method));
  cells.push_back(fmt::format("{:.6f}", row.seconds));
  cells.push_back(csv_field(row.graph));
  cells.push_back(row.failure ? csv_field(row.failure->message) : "");
  cells.push_back(csv_field(fmt::format("{}", fmt::join(row.warnings, "; "))));
  return fmt::format("{}\r\n", fmt::join(cells, ","));
}

}  // namespace

int exit_code_of(const SeriesFailure& failure) {
  switch (failure.kind) {
    case SeriesFailure::Kind::unable:
      return exit_code::unable;
    case SeriesFailure::Kind::check:
      return exit_code::check_failed;
    default:
      return exit_code::bad_usage;
  }
}

const char* kind_of(const SeriesFailure& failure) {
  switch (failure.kind) {
    case SeriesFailure::Kind::usage:
      return "usage";
    case SeriesFailure::Kind::input:
      return "input";
    case SeriesFailure::Kind::unable:
      return "unable";
    case SeriesFailure::Kind::check:
      break;
  }
  return "check";
}

SeriesLines::SeriesLines(const Request& request, const Series& series)
    : style_(request.json  ? Style::json
             : request.csv ? Style::csv
                           : Style::table),
      counts_(!request.no_counts),
      ratio_(request.ratio),
      ln_z_(request.asks(Question::logarithm)),
      input_width_(0) {
  for (const SeriesItem& item : series.items)
    input_width_ = std::max(input_width_, display_width(escaped_word(item.input)));
  shown_.fill(true);
  constexpr std::size_t ratio_column = 8;
  shown_[ratio_column] = ratio_;
}

void SeriesLines::fit(std::size_t width) {
  constexpr std::size_t for_the_count = 14;
  const auto needed = [&] {
    std::size_t sum = input_width_ + for_the_count + (graph_width_ > 0 ? graph_width_ + 2 : 0);
    for (std::size_t c = 0; c < widths.size(); ++c) sum += shown_[c] ? widths[c] + 2 : 0;
    return sum;
  };
  for (const std::size_t column : spared) {
    if (needed() <= width) return;
    shown_[column] = false;
    left_out_ += (left_out_.empty() ? "" : ", ") + std::string(heads[column]);
  }
}

std::string SeriesLines::head(const SeriesRow* first) {
  switch (style_) {
    case Style::json:
      return "";
    case Style::csv:
      return fmt::format(
          "input,vertices,edges,count,digits,log10,ln_z,per_vertex,per_dimer,limit{}{},method,seconds,graph,"
          "error,warnings\r\n",
          ln_z_ ? ",ln_z_error" : "", ratio_ ? ",ratio_to_first" : "");
    case Style::table:
      break;
  }
  if (first != nullptr && !first->graph.empty()) {
    // Room for lines of more digits.
    input_width_ = std::max(input_width_, display_width(escaped_word(first->input)) + 3);
    graph_width_ = std::max<std::size_t>(display_width(first->graph), 5);
  }
  if (output_is_terminal()) fit(terminal_width(STDOUT_FILENO));
  std::vector<std::string> cells{"input", "graph"};
  cells.insert(cells.end(), heads.begin(), heads.end());
  cells.emplace_back(counts_ ? "count" : "digits");
  return table_line(cells);
}

std::string SeriesLines::line(const SeriesRow& row) const {
  if (style_ == Style::json) return one_line(json_of(SeriesRowObject{row, counts_})) + "\n";
  if (style_ == Style::csv) return csv_line(row, counts_, ratio_, ln_z_);
  const words::SeriesWords cells = words::series_words(row);
  return table_line({escaped_word(row.input), row.graph.empty() ? "-" : escaped_word(row.graph),
                     cells.vertices, cells.edges, cells.ln_z, cells.per_vertex, cells.per_dimer, cells.limit,
                     cells.seconds, cells.method, cells.ratio, counts_ ? cells.count : cells.digits});
}

std::string SeriesLines::foot(const std::vector<std::string>& limits) const {
  if (style_ != Style::table) return "";
  std::vector<std::string> notes = limits;
  if (!left_out_.empty())
    notes.push_back("no room for: " + left_out_ + " (a wider terminal, --csv and --json have them)");
  std::string text;
  for (const std::string& note : notes)
    text += output_is_terminal() ? wrap(note, output_width(), "# ", "#   ") : fmt::format("# {}\n", note);
  return text;
}

std::string SeriesLines::table_line(const std::vector<std::string>& cells) const {
  std::string text = fmt::format("{:<{}}", cells.front(), input_width_);
  if (graph_width_ > 0) text += fmt::format("  {:<{}}", cells[1], graph_width_);
  for (std::size_t c = 0; c < widths.size(); ++c) {
    if (!shown_[c]) continue;
    text += fmt::format("  {:>{}}", cells[c + 2], widths[c]);
  }
  return fmt::format("{}  {}\n", text, cells.back());
}

}  // namespace countpm::app
