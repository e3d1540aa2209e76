// Decimal commas in tables of spreadsheets whose language writes them, and single quotation marks around
// fields.
#include <fmt/format.h>

#include <algorithm>

#include "graph/formats/table_reading.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

// "1,234" may be a thousand and more; "0,125", "1,5" and "12345,678" are not.
bool may_be_thousands(std::string_view field, char mark = ',') {
  if (field.starts_with('-') || field.starts_with('+')) field.remove_prefix(1);
  const std::size_t comma = field.find(mark);
  return comma >= 1 && comma <= 3 && field.front() != '0' && field.size() == comma + 4 &&
         field.find_first_of("eE") == std::string_view::npos;
}

struct CommaColumn {
  bool all = true;         // numbers, with commas or without, or nothing
  bool any = false;        // one with a comma
  bool thousands = true;   // and every such may be one of thousands
  std::uint64_t line = 0;  // of the first with a comma
  std::string_view example{};
};

CommaColumn look_at(const WordTable& table, std::size_t column) {
  CommaColumn found;
  for (const TableRow& row : table.rows) {
    if (column >= row.fields.size() || row.fields[column].empty()) continue;
    const std::string_view field = row.fields[column];
    if (with_decimal_point(field)) {
      if (!found.any) found.line = row.line;
      if (!found.any) found.example = field;
      found.any = true;
      found.thousands = found.thousands && may_be_thousands(field);
    } else if (!is_number_literal(field) && &row != &table.rows.front()) {
      found.all = false;
    }
  }
  return found;
}

// "1.200" beside semicolons, as spreadsheets of languages write that have decimal commas.
void warn_of_points(const TableSource& source, const WordTable& table) {
  if (table.delimiter != ';' || !source.options.weights) return;
  const TableRow* first = nullptr;
  for (const TableRow& row : table.rows) {
    if (row.fields.size() < 3) return;
    const std::string_view field = row.fields[2];
    if (field.find('.') == std::string_view::npos) continue;
    if (!is_real_literal(field)) continue;
    if (!may_be_thousands(field, '.')) return;
    if (first == nullptr) first = &row;
  }
  if (first != nullptr)
    source.warn(first->line, fmt::format("the points in numbers such as {} were taken for decimal ones, and "
                                         "not for what parts thousands",
                                         shown(first->fields[2])));
}

// "a b 0,5" in CSV.
void ask_of_blanks_beside_commas(const TableSource& source, const WordTable& table) {
  if (table.delimiter != ',' || source.options.format || table.rows.empty()) return;
  const bool all = std::all_of(table.rows.begin(), table.rows.end(), [](const TableRow& row) {
    if (row.fields.size() != 2) return false;
    TextLines words(row.fields[0]);
    if (!words.next()) return false;
    words.word();
    words.word();
    return is_whole(row.fields[1]) && is_whole(words.word()) && words.line_done();
  });
  if (all)
    source.ask(table.rows.front().line,
               "two words and a number with a comma, which may be a decimal one, or part fields",
               "decimal points (an edge and its weight, --format edgelist)",
               "--format csv (labels with blanks)");
}

}  // namespace

void take_decimal_commas(const TableSource& source, WordTable& table) {
  ask_of_blanks_beside_commas(source, table);
  if (!allows_decimal_commas(table.delimiter) || table.rows.empty()) return;
  if (table.whole) warn_of_points(source, table);
  std::size_t width = 0;
  for (const TableRow& row : table.rows) width = std::max(width, row.fields.size());
  std::vector<CommaColumn> columns;
  for (std::size_t k = 0; k < width; ++k) columns.push_back(look_at(table, k));
  const bool matrix = std::all_of(columns.begin(), columns.end(), [](const CommaColumn& c) { return c.all; });
  const bool in_ends = width > 1 && (columns[0].any || columns[1].any);
  // Labels of edges with commas, and weights with them, are hardly ever together.
  const bool all_three = width == 3 && columns[2].any;
  const bool dense = source.info.format == Format::dense && source.info.format_by != FormatBy::content;
  const bool asked_for = dense || source.options.format.has_value() || !source.options.end_columns.empty();
  if (matrix && in_ends && width < 4 && !all_three && !asked_for) {
    const CommaColumn& column = columns[0].any ? columns[0] : columns[1];
    source.ask(
        column.line,
        fmt::format("{}, which may be a number with a decimal comma, or a label", shown(column.example)),
        "--format dense (a matrix)", "--format csv (edges between such labels)");
  }
  const bool ends_too = dense || (matrix && in_ends && (width > 3 || all_three));
  const CommaColumn* first = nullptr;
  for (std::size_t k = ends_too ? 0 : 2; k < width; ++k) {
    const CommaColumn& column = columns[k];
    if (!column.any || !column.all) continue;
    if (column.thousands)
      source.fail(column.line, "a number with a decimal point, or with no comma for thousands",
                  shown(column.example));
    if (first == nullptr) first = &column;
    for (TableRow& row : table.rows) {
      if (k >= row.fields.size()) continue;
      if (auto number = with_decimal_point(row.fields[k]))
        row.fields[k] = table.unquoted.emplace_back(std::move(*number));
    }
  }
  const bool columns_said = !source.options.weight_column.empty() || !source.options.end_columns.empty();
  if (first != nullptr && (table.whole || columns_said))
    source.warn(first->line, fmt::format("commas in numbers such as {} were taken for decimal points",
                                         shown(first->example)));
}

void warn_of_single_quotes(const TableSource& source, const WordTable& table) {
  if (table.single_quoted)
    source.warn(0,
                "single quotation marks around some fields were taken for no part of them, as double ones "
                "are; other fields have none");
}

}  // namespace countpm
