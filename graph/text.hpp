#pragma once
// Lines and words of text formats.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countpm {

/// Lines longer than this are refused in line-based formats: 1 MiB.
inline constexpr std::uint64_t text_line_limit = std::uint64_t{1} << 20U;

/// Length of the well-formed UTF-8 sequence at the start of `text` (Unicode 15, table 3-7), or 0 where there
/// is none.
std::size_t utf8_length(std::string_view text);

/// A decimal number of digits alone, up to 2^64 - 1; nothing where the text is anything else or larger.
std::optional<std::uint64_t> parse_number(std::string_view text);

/// The parts between the separators, one more than there are of them; empty ones too.
std::vector<std::string_view> split(std::string_view text, char separator);

/// The words of a line, which blanks and tabs part.
std::vector<std::string_view> words_in(std::string_view line);

/// Lower-case copy, ASCII letters only, in every locale.
std::string ascii_lower(std::string_view text);

/// A piece of the input as error messages show it: in quotation marks, safe, and cut where it is long.
std::string shown(std::string_view text);

// What is written where a terminal or a program that reads lines sees it (docs/list.md). Three rules for
// three places; in each, what would not be seen (control characters, C1 controls, line separators, marks of
// direction and other invisible formatting, bytes that are no UTF-8) stands as \xNN, byte by byte.

/// Length of the character at the start of `text` that may be written as it is, or 0 where its first byte
/// must stand as \xNN.
std::size_t visible_length(std::string_view text);

/// For sentences and reports: nothing else is changed.
std::string printable(std::string_view text);

/// For a field that ends with its line, or stands in quotes: tab, line feed and carriage return are \t, \n
/// and \r, and a backslash is \\, so that it can be undone.
std::string escaped(std::string_view text);

/// For a field between blanks or tabs: as escaped(), and blanks of every kind are bytes \xNN too; nothing at
/// all is \c. bash's printf %b undoes it.
std::string escaped_word(std::string_view text);

/// Walks over the lines of a text, LF or CRLF, a byte order mark skipped, and over the words of each.
class TextLines {
 public:
  explicit TextLines(std::string_view bytes);

  /// Goes to the next line; false at the end of the text. A last line without a newline counts.
  bool next();
  /// The line's number, from 1; after next() has returned false, the number of the last line.
  std::uint64_t number() const { return number_; }
  std::string_view line() const { return line_; }
  /// The next word (blanks and tabs part words), empty where there is none.
  std::string_view word();
  /// True where only blanks are left of the line.
  bool line_done();

 private:
  std::string_view left_;
  std::string_view line_;
  std::string_view unread_;
  std::uint64_t number_ = 0;
};

}  // namespace countpm
