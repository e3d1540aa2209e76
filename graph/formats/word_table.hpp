#pragma once
// A text as rows of words (blanks between them) or fields (commas, semicolons or tabs between them), with
// what stands beside them: comments that may be none.
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/read_options.hpp"

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
  bool quoted = false;                // words whose quotation marks are gone
  bool partly_quoted = false;         // such words and others in one line
  bool parts_unlike_words = false;    // of these some that the plain reader of words would part or not take
  bool single_quoted = false;         // fields whose single quotation marks are gone, and others without any
  std::deque<std::string> unquoted;   // fields whose quotation marks are doubled, and other changed ones

  std::size_t width() const { return rows.empty() ? 0 : rows.front().fields.size(); }
  /// Whether all rows from number `first` on have this many fields.
  bool all_have(std::size_t fields, std::size_t first = 0) const;
};

/// Tab, semicolon, comma or bar: the first of these that the line has outside of quotation marks; else a
/// comma.
char delimiter_of_line(std::string_view line);
/// Semicolon, comma or blank, of these the first that the line has outside of parentheses, where commas are
/// within complex numbers.
char delimiter_of_matrix(std::string_view line);

/// What the first line "sep=;", as spreadsheets read it, says to stand between fields; nothing for other
/// lines.
std::optional<char> said_delimiter(std::string_view line);

/// The word within double, and within single quotation marks, if it has no others; else the word.
std::string_view without_quotes(std::string_view word);

/// "0.5" of "0,5"; nothing where it is no such number.
std::optional<std::string> with_decimal_point(std::string_view field);
/// Whether commas may be within numbers there: not between fields.
inline bool allows_decimal_commas(char delimiter) {
  return delimiter == ';' || delimiter == '\t' || delimiter == '|';
}

/// The end of a field in single quotation marks that begins at `at`: behind the mark that a delimiter or the
/// line's end follows; nothing where there is none.
std::optional<std::size_t> end_of_single_quotes(std::string_view line, std::size_t at, char delimiter);

/// delimiter ' ': words, blanks and tabs between them; quotation marks around words go. At most `limit`
/// bytes, up to the end of a line.
WordTable split_table(std::string_view bytes, char delimiter, std::size_t limit = std::string_view::npos);

/// -2, 1/2, 0.25, 1e-3, 1; and 1.0D0, unless the letters before exponents are others.
bool is_real_literal(std::string_view word, std::string_view exponents = "eEdD");
/// The same, and complex numbers: 1+2i, (1+2j), 2j, (1,2).
bool is_number_literal(std::string_view word);

}  // namespace countpm
