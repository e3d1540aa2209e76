#include "graph/formats/csv_records.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "graph/errors.hpp"
#include "graph/formats/word_table.hpp"

namespace countpm {

bool CsvRecords::next() {
  while (lines_.next()) {
    poll_.step();
    if (lines_.line().size() > text_line_limit) fail("a line of at most 1 MiB", "a longer line");
    if (lines_.line_done() || lines_.line().front() == '#') continue;
    if (const auto said =
            lines_.number() == 1 && delimiter_ != ' ' ? said_delimiter(lines_.line()) : std::nullopt) {
      delimiter_ = *said;
      continue;
    }
    if (delimiter_ == '\0') delimiter_ = delimiter_of_line(lines_.line());
    if (delimiter_ != ' ') {
      split(lines_.line());
    } else if (!split_words(lines_.line())) {
      continue;
    }
    return true;
  }
  return false;
}

void CsvRecords::fail(std::string expected, std::string found) const {
  throw InputError(name_, lines_.number(), std::move(expected), std::move(found));
}

// False: a comment. Words in quotation marks may have blanks.
bool CsvRecords::split_words(std::string_view line) {
  fields_.clear();
  std::size_t at = 0;
  for (;;) {
    while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
    if (at >= line.size() || line[at] == '#' || line[at] == '%') break;
    std::string& field = fields_.emplace_back();
    if (line[at] == '"') {
      at = take_quoted(line, at + 1, field);
    } else {
      const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
      field = line.substr(at, end - at);
      at = end;
    }
  }
  return !fields_.empty();
}

void CsvRecords::split(std::string_view line) {
  const auto is_blank = [this](char c) { return c != delimiter_ && (c == ' ' || c == '\t'); };
  fields_.clear();
  std::size_t at = 0;
  for (;;) {
    while (at < line.size() && is_blank(line[at])) ++at;
    std::string& field = fields_.emplace_back();
    if (at < line.size() && line[at] == '"') {
      at = take_quoted(line, at + 1, field);
      while (at < line.size() && is_blank(line[at])) ++at;
      if (at < line.size() && line[at] != delimiter_)
        fail("the end of a field after its closing quotation mark", shown(line.substr(at)));
    } else if (const auto behind = at < line.size() && line[at] == '\''
                                       ? end_of_single_quotes(line, at, delimiter_)
                                       : std::nullopt) {
      field = line.substr(at + 1, *behind - at - 2);
      at = std::min(line.find(delimiter_, *behind), line.size());
    } else {
      const std::size_t end = std::min(line.find(delimiter_, at), line.size());
      field = line.substr(at, end - at);
      field.resize(field.find_last_not_of(" \t") + 1);  // npos + 1 is 0
      at = end;
    }
    if (at >= line.size()) return;
    ++at;  // the delimiter
  }
}

// A quotation mark within stands twice.
std::size_t CsvRecords::take_quoted(std::string_view line, std::size_t at, std::string& field) const {
  for (;; ++at) {
    if (at >= line.size()) fail("a closing quotation mark on the same line", shown(line));
    if (line[at] != '"') {
      field += line[at];
    } else if (at + 1 < line.size() && line[at + 1] == '"') {
      field += line[++at];
    } else {
      return at + 1;
    }
  }
}

}  // namespace countpm
