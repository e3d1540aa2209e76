// Dense text: a row a line. Without weights only 0 and 1, as one word ("0110") or parted by blanks ("0 1 1
// 0"); with weights numbers parted by blanks. The matrix is a biadjacency matrix unless options.kind says
// otherwise. O(bytes).
#include <fmt/format.h>

#include <stdexcept>

#include "graph/errors.hpp"
#include "graph/formats/reader.hpp"
#include "graph/graph_builder.hpp"
#include "graph/stop_poll.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

bool is_comment(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first != std::string_view::npos && (line[first] == '#' || line[first] == '%');
}

bool is_bits(std::string_view word) {
  return word.find_first_not_of("01") == std::string_view::npos;
}

// True where every row is one word of 0 and 1, which then is a packed row and not one number.
bool is_packed(std::string_view bytes) {
  TextLines lines(bytes);
  while (lines.next()) {
    if (lines.line_done() || is_comment(lines.line())) continue;
    if (!is_bits(lines.word()) || !lines.line_done()) return false;
  }
  return true;
}

// "01", among words of 0 and 1 alone: rows or parts of them, rather than numbers.
std::string_view word_with_leading_zero(std::string_view bytes) {
  std::string_view found;
  TextLines lines(bytes);
  while (lines.next()) {
    if (lines.line_done() || is_comment(lines.line())) continue;
    for (std::string_view word = lines.word(); !word.empty(); word = lines.word()) {
      if (!is_bits(word)) return {};
      if (found.empty() && word.size() > 1 && word.front() == '0') found = word;
    }
  }
  return found;
}

class DenseReader {
 public:
  DenseReader(std::string_view bytes, const std::string& name, const ReadOptions& options, InputInfo& info)
      : name_(name),
        numbers_(options.weights && !is_packed(bytes)),
        lines_(bytes),
        builder_(name, GraphKind::bipartite, options, info) {
    builder_.zeros_are_no_edges();
    if (!numbers_) {
      if (options.weights) refuse_numbers_of_bits(bytes);
      return;
    }
    if (const std::string_view word = word_with_leading_zero(bytes); !word.empty())
      throw InputError(name, 0, "a word of 0 and 1 for every row, or blanks between all numbers",
                       fmt::format("{} beside other words", shown(word)));
  }

  Graph read() {
    while (lines_.next()) {
      if (lines_.line_done() || is_comment(lines_.line())) continue;
      if (rows_ == no_index - 1) throw std::length_error("too many rows");
      const std::uint64_t width = read_row();
      if (rows_ == 0) columns_ = width;
      if (width != columns_)
        fail(fmt::format("{} entries, as in the first row", columns_), fmt::format("{}", width));
      ++rows_;
    }
    if (rows_ == 0) throw InputError(name_, 0, "rows of a matrix", "only blank lines and comments");
    builder_.number_vertices(rows_, static_cast<Index>(columns_));
    return builder_.finish();
  }

 private:
  [[noreturn]] void fail(std::string expected, std::string found) const {
    throw InputError(name_, lines_.number(), std::move(expected), std::move(found));
  }

  // "11" above "10" and "11": three rows of two entries, or a column of three numbers. A square is no column.
  void refuse_numbers_of_bits(std::string_view bytes) const {
    if (!word_with_leading_zero(bytes).empty()) return;
    TextLines lines(bytes);
    std::uint64_t rows = 0;
    std::string_view first;
    std::uint64_t line = 0;
    while (lines.next()) {
      if (lines.line_done() || is_comment(lines.line())) continue;
      if (rows++ == 0) {
        first = lines.word();
        line = lines.number();
      }
    }
    if (first.size() < 2 || first.size() == rows) return;
    throw InputError(name_, line, "blanks between the entries of a row; without --weights digits are entries",
                     fmt::format("{}, {} entries or one number", shown(first), first.size()));
  }

  // The number of entries in the row.
  std::uint64_t read_row() {
    std::uint64_t column = 0;
    for (std::string_view word = lines_.word(); !word.empty(); word = lines_.word()) {
      poll_.step();
      if (numbers_) {
        builder_.add(rows_, next_column(column), lines_.number(), word);
        continue;
      }
      if (!is_bits(word)) fail("0 or 1 (other values need --weights)", shown(word));
      if (word.size() > 1 && (column > 0 || !lines_.line_done()))
        fail("one word, or blanks between all digits", shown(word));
      for (const char c : word) {
        const Index at = next_column(column);
        if (c == '1') builder_.add(rows_, at, lines_.number());
      }
    }
    return column;
  }

  static Index next_column(std::uint64_t& column) {
    if (column >= no_index - 1) throw std::length_error("too many columns");
    return static_cast<Index>(column++);
  }

  const std::string& name_;
  bool numbers_;
  TextLines lines_;
  GraphBuilder builder_;
  StopPoll poll_;
  Index rows_ = 0;
  std::uint64_t columns_ = 0;
};

}  // namespace

Graph read_dense(std::string_view bytes, const std::string& name, const ReadOptions& options,
                 InputInfo& info) {
  return DenseReader(bytes, name, options, info).read();
}

}  // namespace countpm
