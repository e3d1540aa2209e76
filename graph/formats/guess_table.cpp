// Which texts may be tables.
#include "graph/formats/read_table.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

bool is_table_format(Format format) {
  return format == Format::edge_list || format == Format::csv || format == Format::dense;
}

// A comment that was to be the header of Matrix Market.
bool has_damaged_header(std::string_view head) {
  TextLines lines(head);
  while (lines.next()) {
    if (lines.line_done()) continue;
    const std::string line = ascii_lower(lines.line().substr(lines.line().find_first_not_of(" \t")));
    if (line[0] != '%' && line[0] != '#') return false;
    const auto has = [&](const char* word) { return line.find(word) != std::string::npos; };
    if (has("matrixmarket") || (has("matrix") && (has("coordinate") || has("array")))) return true;
  }
  return false;
}

}  // namespace

TableGuess guess_table_of(const std::string& name, std::string_view head, const ReadOptions& options) {
  if (options.format) {
    if (!is_table_format(*options.format)) return {};
    return {true, *options.format, FormatBy::option};
  }
  const std::optional<Format> ending = format_by_ending(name);
  if (ending && !is_table_format(*ending)) return {};
  if (!ending && !ending_of(name).empty()) return {};
  const ContentGuess guess = guess_format(head);
  if (guess.certain || has_damaged_header(head)) return {};
  if (ending) return {true, *ending, FormatBy::ending};
  if (guess.format && !is_table_format(*guess.format)) return {};
  return {true, guess.format.value_or(Format::edge_list), FormatBy::content};
}

}  // namespace countpm
