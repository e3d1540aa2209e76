// The page of a series.
#include <fmt/format.h>

#include <algorithm>

#include "src/html/numbers.hpp"
#include "src/html/sections.hpp"
#include "src/text/format_duration.hpp"
#include "src/text/format_number.hpp"
#include "src/words/series_words.hpp"

namespace countpm::html {
namespace {

/// Whether graphs have a name or a line of their own: graph6 and its kin, SDF.
bool names_graphs(const SeriesTable& table) {
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [](const SeriesRow& row) { return !row.graph.empty(); });
}

std::vector<Column> columns_of(const SeriesTable& table) {
  std::vector<Column> columns{{"input"},       {"vertices", true},   {"edges", true},
                              {"ln Z", true},  {"per vertex", true}, {"per dimer", true},
                              {"limit", true}, {"seconds", true},    {"method"}};
  if (names_graphs(table)) columns.insert(columns.begin() + 1, {"graph"});
  if (table.ratio) columns.push_back({"ratio", true});
  columns.push_back({table.counts ? "count" : "digits"});
  return columns;
}

void write_series(HtmlWriter& html, const SeriesTable& table) {
  if (table.rows.empty()) return;
  const Section section(html, "Counts", "large");
  const bool named = names_graphs(table);
  Table rows(html, "wide", columns_of(table));
  for (const SeriesRow& row : table.rows) {
    const words::SeriesWords words = words::series_words(row);
    std::vector<Cell> cells{row.input,       words.vertices, words.edges,   words.ln_z,  words.per_vertex,
                            words.per_dimer, words.limit,    words.seconds, words.method};
    if (named) cells.insert(cells.begin() + 1, row.graph);
    if (table.ratio) cells.emplace_back(words.ratio);
    Cell count(table.counts ? words.count : words.digits);
    if (table.counts && !row.count.empty() && words.count != row.count) count.folded = row.count;
    cells.push_back(std::move(count));
    rows.row(cells);
  }
  rows.finish();
  for (const std::string& limit : words::limit_texts(table.rows))
    html.element("p", {{"class", "soft small below"}}, limit);
}

}  // namespace

Fragment series_fragment(const SeriesTable& table, const Beside& beside) {
  Report report("series of counts", table.title, "");
  HtmlWriter& html = report.html();
  {
    const bool bad = !table.stopped.empty() || !table.refused.empty();
    const Section answer(html, "", bad ? "answer refused" : "answer");
    html.element("p", {{"class", "number"}}, counted(table.rows.size(), "count"));
    double seconds = 0;
    for (const SeriesRow& row : table.rows) seconds += row.seconds;
    if (!table.stopped.empty()) html.element("p", {{"class", "kind bad"}}, table.stopped);
    std::vector<std::string> chips{format_duration(seconds)};
    if (!table.refused.empty()) chips.push_back(fmt::format("{} without a number", table.refused.size()));
    write_chips(html, chips);
  }
  std::vector<std::string> warnings;
  for (const SeriesRow& row : table.rows)
    warnings.insert(warnings.end(), row.warnings.begin(), row.warnings.end());
  write_warnings(html, warnings);
  write_picture(html, beside);
  write_series(html, table);
  write_refused(html, table.refused);
  write_asked(html, nullptr, beside);
  return report.finish("series: " + table.title);
}

}  // namespace countpm::html
