#pragma once
// A text as rows of words (blanks between them) or fields (commas, semicolons or tabs between them), with
// what stands beside them: comments that may be none.
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/read.hpp"

namespace countpm {

struct TableRow {
  std::uint64_t line = 0;
  std::vector<std::string_view> fields;
};

struct WordTable {
  char delimiter = ' ';
  bool whole = true;                  // all of the text, and not its beginning alone
  bool plain = false;                 // has what only edge lists of countpm and networkx have
  std::vector<TableRow> rows;         // without comments and blank lines
  std::vector<TableRow> glued;        // comments such as "#1 #2": words of the line, the first with its #
  std::vector<std::uint64_t> rules;   // lines of # alone
  std::vector<std::uint64_t> blanks;  // empty lines
  std::deque<std::string> unquoted;   // fields whose quotation marks are doubled

  std::size_t width() const { return rows.empty() ? 0 : rows.front().fields.size(); }
  /// Whether all rows from number `first` on have this many fields.
  bool all_have(std::size_t fields, std::size_t first = 0) const;
};

/// Tab, semicolon or comma: the first of these that the line has outside of quotation marks; else a comma.
char delimiter_of_line(std::string_view line);

/// delimiter ' ': words, blanks and tabs between them; quotation marks around words go. At most `limit`
/// bytes, up to the end of a line.
WordTable split_table(std::string_view bytes, char delimiter, std::size_t limit = std::string_view::npos);

/// -2, 1/2, 0.25, 1e-3, 1; and 1.0D0, unless the letters before exponents are others.
bool is_real_literal(std::string_view word, std::string_view exponents = "eEdD");
/// The same, and complex numbers: 1+2i, (1+2j), 2j, (1,2).
bool is_number_literal(std::string_view word);

}  // namespace countpm
