// Every character of a line is a place of a square grid.
//   board  # (or X, or a full block; 1 in plain PBM) a cell, . or a blank none; cells beside or below each
//   other are neighbours, so that perfect
//          matchings are domino tilings
//   vax    X V A < > a vertex, a blank none; neighbours on the grid are joined where both allow it: X in all
//   four
//          directions, V not downwards, A not upwards, < not to the left, > not to the right. % begins a
//          comment, and so does # at the start of a line; a first line of two numbers is vaxrandom's upper
//          bound for rows and columns. J. Propp, G. Kuperberg, D. Wilson, vaxmaple (1990s).
// Labels are r0c0, r0c1, ... as of a square lattice. O(bytes).
#include "graph/formats/picture_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "graph/errors.hpp"
#include "graph/formats/reader.hpp"
#include "graph/graph_builder.hpp"
#include "graph/stop_poll.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

constexpr std::string_view vax_letters = "XVA<>";
constexpr std::string_view full_block = "\xe2\x96\x88";

std::string_view without_end_blanks(std::string_view line) {
  const std::size_t last = line.find_last_not_of(" \t\r");
  return last == std::string_view::npos ? std::string_view{} : line.substr(0, last + 1);
}

bool opens(char letter, char direction) {
  switch (letter) {
    case 'V':
      return direction != 'd';
    case 'A':
      return direction != 'u';
    case '<':
      return direction != 'l';
    case '>':
      return direction != 'r';
    default:
      return true;
  }
}

class PictureReader {
 public:
  PictureReader(std::string_view bytes, const std::string& name, const ReadOptions& options, InputInfo& info,
                bool vax)
      : name_(name),
        lines_(bytes),
        builder_(name, GraphKind::undirected, options, info),
        info_(info),
        vax_(vax) {}

  Graph read() {
    while (lines_.next()) {
      std::string_view line = lines_.line();
      if ((vax_ && line.starts_with('#')) || is_size_line(line)) continue;
      if (vax_) line = line.substr(0, line.find('%'));
      line = without_end_blanks(line);
      if (!vax_) line = with_cells_of_board(line);
      if (vax_ && row_ == 0 && line.empty()) continue;
      read_row(line);
    }
    check_size();
    if (positions_.empty()) fail(vax_ ? "a vertex: X, V, A, < or >" : "a cell: #", "none");
    warn_of_blanks();
    builder_.place(std::move(positions_));
    return builder_.finish();
  }

 private:
  [[noreturn]] void fail(std::string expected, std::string found) const {
    throw InputError(name_, lines_.number(), std::move(expected), std::move(found));
  }

  // "8 16": rows and columns at most, before the picture.
  bool is_size_line(std::string_view line) {
    if (!positions_.empty() || most_rows_) return false;
    TextLines words(line);
    if (!words.next()) return false;
    const auto rows = parse_number(words.word());
    const auto columns = parse_number(words.word());
    if (!rows || !columns || !words.line_done()) return false;
    most_rows_ = rows;
    most_columns_ = *columns;
    row_ = 0;
    return true;
  }

  void check_size() const {
    if (most_rows_ && row_ > *most_rows_)
      fail(fmt::format("at most {} rows, as the first line says", *most_rows_), fmt::format("{}", row_));
  }

  // "X X X": with blanks between characters no two cells are beside each other.
  void warn_of_blanks() {
    if (!apart_ || !blanks_between_) return;
    info_.warnings.push_back(fmt::format(
        "{}: blanks were taken for holes, so that no two cells stand beside each other; without them between "
        "characters they do",
        quoted(name_, 400)));
  }

  bool is_cell(char c) const { return vax_ ? vax_letters.find(c) != std::string_view::npos : c == '#'; }

  // X or a full block in the place of #: one for the whole board. A character is a column.
  std::string_view with_cells_of_board(std::string_view line) {
    if (line.find_first_not_of("#. ") == std::string_view::npos) {
      if (line.find('#') != std::string_view::npos) take_cell("#");
      return line;
    }
    board_line_.clear();
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t length = std::max<std::size_t>(utf8_length(line.substr(at)), 1);
      const std::string_view character = line.substr(at, length);
      at += length;
      if (character == "." || character == " ") {
        board_line_ += character;
      } else if (character == "#" || character == "X" || character == full_block) {
        take_cell(character);
        board_line_ += '#';
      } else {
        return line;  // whose character is refused
      }
    }
    return board_line_;
  }

  void take_cell(std::string_view character) {
    if (cell_.empty()) cell_ = character;
    if (cell_ != character)
      fail("one character for all cells", fmt::format("{} and {}", shown(cell_), shown(character)));
  }

  bool is_hole(char c) const { return c == ' ' || (!vax_ && c == '.'); }

  void read_row(std::string_view line) {
    if (most_rows_ && line.size() > most_columns_)
      fail(fmt::format("at most {} columns, as the first line says", most_columns_),
           fmt::format("{}", line.size()));
    current_.assign(line.size(), no_index);
    for (std::size_t c = 0; c < line.size(); ++c) {
      poll_.step();
      if (is_hole(line[c])) {
        blanks_between_ = blanks_between_ || (line[c] == ' ' && c > 0 && current_[c - 1] != no_index);
        continue;
      }
      if (!is_cell(line[c])) {
        fail(
            vax_ ? "X, V, A, < and > for vertices, blanks for none" : "# for a cell, . or a blank for none",
            fmt::format("{} in column {}",
                        shown(line.substr(c, std::max<std::size_t>(utf8_length(line.substr(c)), 1))), c + 1));
      }
      const Index here = builder_.left(fmt::format("r{}c{}", row_, c));
      positions_.push_back({static_cast<double>(c), static_cast<double>(row_)});
      current_[c] = here;
      apart_ = apart_ && (c == 0 || current_[c - 1] == no_index);
      if (c > 0 && current_[c - 1] != no_index && opens(line[c - 1], 'r') && opens(line[c], 'l'))
        builder_.add(current_[c - 1], here, lines_.number());
      if (c < above_.size() && above_[c] != no_index &&
          (!vax_ || (opens(above_line_[c], 'd') && opens(line[c], 'u'))))
        builder_.add(above_[c], here, lines_.number());
    }
    above_.swap(current_);
    above_line_ = line;
    ++row_;
  }

  const std::string& name_;
  TextLines lines_;
  StopPoll poll_;
  GraphBuilder builder_;
  InputInfo& info_;
  bool vax_;
  bool apart_ = true;            // no cell beside another
  bool blanks_between_ = false;  // a blank behind a cell, and something behind it
  std::optional<std::uint64_t> most_rows_;
  std::uint64_t most_columns_ = 0;
  std::uint64_t row_ = 0;
  std::vector<Index> above_;
  std::vector<Index> current_;
  std::string_view above_line_;  // of vax
  std::string cell_;             // the character of cells, once one has been met
  std::string board_line_;
  std::vector<Point> positions_;
};

}  // namespace

Graph read_vax(std::string_view bytes, const std::string& name, const ReadOptions& options, InputInfo& info) {
  return PictureReader(bytes, name, options, info, true).read();
}

namespace {

// Plain PBM: "P1", the numbers of columns and rows, and a 0 or 1 for each place, with blanks between them or
// without; comments from # to the line's end.
class PbmReader {
 public:
  PbmReader(std::string_view bytes, const std::string& name) : left_(bytes), name_(name) {}

  /// As a board.
  std::string rows() {
    if (word() != "P1")
      fail("plain PBM, which begins with P1 ('pnmtoplainpnm' of Netpbm writes it)", "another picture");
    const auto columns = parse_number(word());
    const auto rows = parse_number(word());
    constexpr std::uint64_t most = std::uint64_t{1} << 28U;
    if (!columns || !rows || *columns == 0 || *rows == 0) fail("numbers of columns and rows", "others");
    if (*rows > most / *columns) fail(fmt::format("at most {} places", most), "more");
    std::string board;
    board.reserve((*columns + 1) * *rows);
    for (std::uint64_t row = 0; row < *rows; ++row) {
      for (std::uint64_t column = 0; column < *columns; ++column) {
        poll_.step();
        const char c = place();
        if (c != '0' && c != '1')
          fail("0 or 1 for each place",
               c == '\0' ? fmt::format("the end after {} of {} rows", row, *rows) : shown(std::string(1, c)));
        board += c == '1' ? '#' : '.';
      }
      board += '\n';
    }
    if (place() != '\0') fail(fmt::format("{} times {} places", *columns, *rows), "more");
    return board;
  }

 private:
  [[noreturn]] void fail(std::string expected, std::string found) const {
    throw InputError(name_, 0, std::move(expected), std::move(found));
  }

  void drop_blanks() {
    for (;;) {
      left_.remove_prefix(std::min(left_.find_first_not_of(" \t\r\n"), left_.size()));
      if (!left_.starts_with('#')) return;
      left_.remove_prefix(std::min(left_.find('\n'), left_.size()));
    }
  }

  std::string_view word() {
    drop_blanks();
    const std::size_t end = std::min(left_.find_first_of(" \t\r\n#"), left_.size());
    const std::string_view result = left_.substr(0, end);
    left_.remove_prefix(end);
    return result;
  }

  // The next character that is no blank; NUL at the end.
  char place() {
    drop_blanks();
    if (left_.empty()) return '\0';
    const char c = left_.front();
    left_.remove_prefix(1);
    return c;
  }

  std::string_view left_;
  const std::string& name_;
  StopPoll poll_;
};

// "P1" and two numbers, and 0 and 1 alone behind them.
bool looks_like_pbm(std::string_view head) {
  if (!head.starts_with("P1")) return false;
  int numbers = 0;
  TextLines lines(head);
  for (bool first = true; lines.next(); first = false) {
    if (lines.line().starts_with('#')) continue;
    if (first && lines.word() != "P1") return false;
    for (std::string_view word = lines.word(); !word.empty() && word[0] != '#'; word = lines.word()) {
      if (numbers < 2 ? !parse_number(word) : word.find_first_not_of("01") != std::string_view::npos)
        return false;
      ++numbers;
    }
  }
  return numbers > 2;
}

}  // namespace

Graph read_board(std::string_view bytes, const std::string& name, const ReadOptions& options,
                 InputInfo& info) {
  const bool netpbm = bytes.size() > 1 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '7';
  if (netpbm || name.ends_with(".pbm")) {
    const std::string board = PbmReader(bytes, name).rows();
    info.assumptions.emplace_back("the picture's black places (1) are the cells");
    return PictureReader(board, name, options, info, false).read();
  }
  return PictureReader(bytes, name, options, info, false).read();
}

// A character of cells beside holes: # alone, with blanks, are comments in other formats, but of a text that
// has nothing else and more than is_comments_of_cells().
bool is_board_of(std::string_view head, std::string_view cell) {
  bool any = false;
  bool hole = false;
  for (std::size_t at = 0; at < head.size();) {
    if (head.substr(at).starts_with(cell)) {
      any = true;
      at += cell.size();
      continue;
    }
    const char c = head[at++];
    hole = hole || c == '.';
    if (c != '.' && c != ' ' && c != '\n' && c != '\r') return false;
  }
  // X and blanks are vax, which is the same region.
  return any && (hole || cell != "X");
}

bool is_comments_of_cells(std::string_view text) {
  constexpr std::size_t most_beside_each_other = 2;  // ## begins comments, too
  std::uint64_t lines_of_cells = 0;
  std::size_t longest = 0;
  TextLines lines(text);
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (line.find_first_not_of("#. \t\r") != std::string_view::npos) return false;
    std::size_t run = 0;
    for (const char c : line) longest = std::max(longest, run = c == '#' ? run + 1 : 0);
    lines_of_cells += line.find('#') != std::string_view::npos ? 1 : 0;
  }
  const bool holes = text.find('.') != std::string_view::npos;
  return lines_of_cells == 1 || (lines_of_cells > 1 && !holes && longest <= most_beside_each_other);
}

// "2 4", and two lines of # and holes of at most four characters, of which one has four.
bool is_board_below_size(std::string_view text) {
  TextLines lines(text);
  std::optional<std::uint64_t> rows;
  std::optional<std::uint64_t> columns;
  std::uint64_t count = 0;
  std::size_t first = std::string_view::npos;
  std::size_t end = 0;
  while (lines.next()) {
    const std::string_view line = without_end_blanks(lines.line());
    if (line.empty()) continue;
    const bool cells = line.find_first_not_of("#. ") == std::string_view::npos;
    if (!rows) {
      if (line.front() == '#' && !cells) continue;  // a comment
      rows = parse_number(lines.word());
      columns = parse_number(lines.word());
      if (!rows || !columns || !lines.line_done()) return false;
      continue;
    }
    if (!cells || line.find('#') == std::string_view::npos) return false;
    first = std::min(first, line.find_first_not_of(' '));
    end = std::max(end, line.size());
    ++count;
  }
  return count > 0 && count == rows && end - first == columns;
}

// Of letters, at least two lines, the first of several letters without a blank between: no edge list has a
// line of one word, graph6 and dense have others. Of # and ., one . at least: lines of # alone are comments.
std::optional<Format> guess_picture(std::string_view head) {
  if (is_board_below_size(head)) return Format::board;
  if (is_comments_of_cells(head)) return std::nullopt;
  if (looks_like_pbm(head)) return Format::board;
  std::uint64_t rows = 0;
  bool vax = true;
  bool board = true;
  bool hole = false;
  TextLines lines(head);
  while (lines.next() && (vax || board)) {
    const std::string_view line = without_end_blanks(lines.line());
    if (line.empty()) continue;
    vax = vax && line.find_first_not_of("XVA<> ") == std::string_view::npos;
    board = board && line.find_first_not_of("#.") == std::string_view::npos;
    hole = hole || line.find('.') != std::string_view::npos;
    if (rows == 0) {
      const std::string_view word = line.substr(line.find_first_not_of(' '));
      vax = vax && word.size() > 1 && word.find(' ') == std::string_view::npos;
    }
    ++rows;
  }
  if (vax && rows > 1) return Format::vax;
  if (board && hole && rows > 0) return Format::board;
  for (const std::string_view cell : {std::string_view("#"), std::string_view("X"), full_block}) {
    if (is_board_of(head, cell)) return Format::board;
  }
  return std::nullopt;
}

}  // namespace countpm
