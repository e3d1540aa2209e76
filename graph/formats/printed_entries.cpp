// Sparse matrices as Octave, MATLAB and SciPy print them, and as Octave saves them. O(bytes).
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "graph/formats/printed_matrix.hpp"
#include "graph/formats/table_reading.hpp"
#include "graph/text.hpp"
#include "graph/without_space.hpp"

namespace countpm {
namespace {

std::vector<std::uint64_t> numbers_in(std::string_view text) {
  std::vector<std::uint64_t> numbers;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    if (const auto number = parse_number(text.substr(at, end - at))) numbers.push_back(*number);
    at = std::max(end, at + 1);
  }
  return numbers;
}

class EntryLines {
 public:
  explicit EntryLines(std::string_view text) : lines_(text) {}

  std::optional<PrintedEntries> read() {
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    while (lines_.next()) {
      const std::string_view line = without_space(lines_.line());
      if (line.empty()) continue;
      if (entry(line)) {
        least = std::min({least, found_.entries.back().row, found_.entries.back().column});
        continue;
      }
      if (!found_.entries.empty() && found_.certain)
        throw PrintedFault{lines_.number(), "an entry '(row, column) value', as above", shown(line)};
      if (!found_.entries.empty() || !heading(line)) return std::nullopt;
    }
    if (found_.entries.empty()) return std::nullopt;
    const std::uint64_t first = from_zero_ || least == 0 ? 0 : 1;
    for (PrintedEntries::Entry& one : found_.entries) {
      one.row -= first;
      one.column -= first;
      if (!found_.sized) {
        found_.rows = std::max(found_.rows, one.row + 1);
        found_.columns = std::max(found_.columns, one.column + 1);
      } else if (one.row >= found_.rows || one.column >= found_.columns) {
        throw PrintedFault{one.line,
                           fmt::format("a row up to {} and a column up to {}", found_.rows, found_.columns),
                           "one beyond"};
      }
    }
    return std::move(found_);
  }

 private:
  // "(1, 2) -> 3", "(1,2)  3".
  bool entry(std::string_view line) {
    if (saved_) return triple(line);
    const std::size_t comma = line.find(',');
    const std::size_t close = line.find(')');
    if (!line.starts_with('(') || comma == std::string_view::npos || close == std::string_view::npos ||
        comma > close)
      return false;
    const auto row = parse_number(without_space(line.substr(1, comma - 1)));
    const auto column = parse_number(without_space(line.substr(comma + 1, close - comma - 1)));
    std::string_view value = without_space(line.substr(close + 1));
    if (value.starts_with("->")) value = without_space(value.substr(2));
    const auto number = printed_number(value);
    if (!row || !column || !number) return false;
    found_.entries.push_back({lines_.number(), *row, *column, *number});
    return true;
  }

  bool triple(std::string_view line) {
    if (line.starts_with('#')) return false;
    TextLines words(line);
    words.next();
    const auto row = parse_number(words.word());
    const auto column = parse_number(words.word());
    const auto number = printed_number(words.word());
    if (!row || !column || !number || !words.line_done())
      throw PrintedFault{lines_.number(), "a row, a column and a value", shown(line)};
    found_.entries.push_back({lines_.number(), *row, *column, *number});
    return true;
  }

  bool heading(std::string_view line) {
    const auto has = [&](std::string_view word) { return line.find(word) != std::string_view::npos; };
    if (has("name:") || has("nnz:") || has("Created by Octave")) return line.starts_with('#');
    if (line.starts_with('#')) {
      const std::vector<std::uint64_t> numbers = numbers_in(line);
      if (has("type: sparse")) sparse_type_ = true;
      if (has("rows:") && numbers.size() == 1) found_.rows = numbers[0];
      if (has("columns:") && numbers.size() == 1) {
        found_.columns = numbers[0];
        saved_ = sparse_type_;
        found_.sized = found_.certain = saved_;
      }
      return sparse_type_;
    }
    if (line.ends_with('=') && is_assigned_name(without_space(line.substr(0, line.size() - 1)))) {
      found_.certain = !names_edges(line);
      return true;
    }
    const bool sparse = has("parse") && (has("atrix") || has("rray") || has("Sparse (rows"));
    if (sparse) {
      found_.certain = true;
      const std::vector<std::uint64_t> numbers = numbers_in(line);
      const bool octave = has("(rows =") && numbers.size() > 1;
      const bool matlab = numbers.size() > 1 && (line.front() >= '0' && line.front() <= '9');
      const bool scipy =
          numbers.size() > 1 && line.size() > 1 && line[0] == '<' && line[1] >= '0' && line[1] <= '9';
      if (octave || matlab || scipy) set_size(numbers[0], numbers[1]);
      from_zero_ = line.starts_with('<');
    }
    if (has("shape (")) {
      const std::vector<std::uint64_t> numbers = numbers_in(line.substr(line.find("shape (")));
      if (numbers.size() > 1) set_size(numbers[0], numbers[1]);
    }
    return sparse || has("shape (") || has("stored elements") || (has("Coords") && has("Values"));
  }

  void set_size(std::uint64_t rows, std::uint64_t columns) {
    found_.rows = rows;
    found_.columns = columns;
    found_.sized = true;
  }

  TextLines lines_;
  PrintedEntries found_;
  bool from_zero_ = false;
  bool sparse_type_ = false;  // as Octave saves it
  bool saved_ = false;
};

}  // namespace

bool names_edges(std::string_view name) {
  const std::string lower = ascii_lower(name);
  for (const std::string_view word : {"edge", "link", "arc", "pair"}) {
    if (lower.find(word) != std::string::npos) return true;
  }
  return false;
}

std::string without_comments(std::string_view text) {
  if (text.substr(0, 1024).find("# type:") != std::string_view::npos) return {};
  std::string result;
  bool begins_word = true;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const bool unit = text.substr(k, 2) == "%i";
    if (begins_word && (text[k] == '#' || (text[k] == '%' && !unit))) {
      if (result.empty()) result = text;
      for (; k < text.size() && text[k] != '\n'; ++k) result[k] = ' ';
    }
    begins_word = k < text.size() && (text[k] == ' ' || text[k] == '\t' || text[k] == '\n');
  }
  return result;
}

std::optional<PrintedEntries> printed_entries(std::string_view text) {
  return EntryLines(text).read();
}

}  // namespace countpm
