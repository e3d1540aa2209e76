// What in a table of words may be something else than what it is taken for.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "graph/table_reading.hpp"
#include "graph/text.hpp"

namespace countpm {
void warn_of_rule(const TableSource& source, const WordTable& table) {
  if (table.rules.size() != 1 || table.rows.empty() || table.rows.front().line > table.rules.front()) return;
  source.warn(table.rules.front(),
              "the line # was passed over as a comment: in Trivial Graph Format (--format tgf) it parts "
              "vertices and edges");
}

void warn_of_glued(const TableSource& source, const WordTable& table) {
  if (table.glued.empty()) return;
  const std::vector<TableRow>& rows = table.rows;
  const bool numbers = !rows.empty() && rows.back().fields.size() > 1 && is_whole(rows.back().fields[0]) &&
                       is_whole(rows.back().fields[1]);
  std::set<std::string_view> ends;
  for (const TableRow& row : rows) {
    for (std::size_t k = 0; k < std::min<std::size_t>(row.fields.size(), 2); ++k) ends.insert(row.fields[k]);
  }
  for (const TableRow& row : table.glued) {
    const std::string_view from = row.fields[0].substr(1);
    const bool of_numbers = numbers && is_whole(from) && is_whole(row.fields[1]);
    if (!of_numbers && !ends.contains(from) && !ends.contains(row.fields[1])) continue;
    source.warn(row.line, fmt::format("the comment {} looks like an edge and was passed over",
                                      shown(fmt::format("{} {}", row.fields[0], row.fields[1]))));
    return;
  }
}

void warn_of_short_head(const TableSource& source, const WordTable& table) {
  if (table.delimiter != ' ' || table.rows.size() < 3) return;
  if (table.rows[0].fields.size() == 2 && table.all_have(3, 1))
    source.warn(table.rows[0].line,
                "the first line was taken for an edge without a weight: all others have one");
}

bool heads_weights(const std::vector<TableRow>& rows) {
  const std::vector<std::string_view>& head = rows.front().fields;
  if (rows.size() < 2 || head.size() != 3 || is_number_literal(head[2])) return false;
  return std::all_of(rows.begin() + 1, rows.end(), [&](const TableRow& row) {
    const auto is_head = [&](std::string_view word) { return word == head[0] || word == head[1]; };
    return row.fields.size() == 3 && is_number_literal(row.fields[2]) && !is_head(row.fields[0]) &&
           !is_head(row.fields[1]);
  });
}

void ask_of_third_words(const TableSource& source, const WordTable& table) {
  const bool words = std::all_of(table.rows.begin(), table.rows.end(),
                                 [](const TableRow& row) { return !is_number_literal(row.fields[2]); });
  if (words)
    source.ask(table.rows[0].line, "two labels and a third word, which is no weight",
               "--format adjlist (a vertex and its neighbours)",
               "--ends 1,2 (edges; with --weights the word is a letter)");
}

void ask_of_more_columns(const TableSource& source, const WordTable& table) {
  const std::size_t width = table.width();
  if (width < 4 || !table.all_have(width) || !may_be_ends(table.rows, 0, 1)) return;
  if (table.rows.size() == width || table.rows.size() < 2) return;
  source.ask(table.rows[0].line,
             fmt::format("{} columns, the first two of which may be ends of edges", width),
             "--weight-column 3, or --ends 1,2 (edges)", "--format dense (a matrix)");
}

}  // namespace countpm
