// Matrices as MATLAB, Octave, Julia, R, SageMath, PARI, Maxima, SymPy and LaTeX print them: a row a line,
// with what these write above and around the rows. O(bytes).
#include "graph/formats/printed_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "graph/formats/table_reading.hpp"
#include "graph/text.hpp"
#include "graph/without_space.hpp"

namespace countpm {
namespace {

using Words = std::vector<std::string_view>;

struct Line {
  std::uint64_t number = 0;
  std::string_view text;  // without blanks around it
};

// Lines that are not blank.
std::vector<Line> filled_lines(std::string_view text, std::size_t most = std::string_view::npos) {
  std::vector<Line> lines;
  TextLines reader(text);
  bool first = true;
  while (lines.size() < most && reader.next()) {
    if (reader.line_done()) continue;
    const std::string_view line = without_space(reader.line());
    if (line.empty()) continue;  // of CR alone
    // What was typed before it was printed.
    const bool typed =
        first && (line.starts_with(">") || line.starts_with("octave:") || line.starts_with("julia>") ||
                  line.starts_with("sage:") || line.starts_with("In ["));
    first = false;
    if (!typed) lines.push_back({reader.number(), line});
  }
  return lines;
}

bool is_name_line(std::string_view line) {
  return line.ends_with('=') && line.size() > 1 &&
         is_assigned_name(without_space(line.substr(0, line.size() - 1)));
}

// "3x3 Matrix{Int64}:", "4x4 logical array", "3x3 int32 matrix", with either sign of times.
bool is_size_heading(std::string_view line) {
  const std::size_t blank = line.find_first_of(" \t");
  if (blank == std::string_view::npos) return false;
  const std::string_view size = line.substr(0, blank);
  const std::string_view kind = line.substr(blank);
  for (const std::string_view times : {std::string_view("x"), std::string_view("\xc3\x97")}) {
    const std::size_t at = size.find(times);
    if (at == std::string_view::npos || !parse_number(size.substr(0, at)) ||
        !parse_number(size.substr(at + times.size())))
      continue;
    return kind.find("atrix") != std::string_view::npos || kind.find("rray") != std::string_view::npos;
  }
  return false;
}

// "1.0e+03 *": the factor.
std::string_view factor_of(std::string_view line) {
  const Words words = words_in(line);
  const bool is_one = words.size() == 2 && words[1] == "*" && is_real_literal(words[0]);
  return is_one ? words[0] : std::string_view();
}

// "Columns 1 through 8:", "Columns 9 and 10", "Column 11".
bool heads_columns(std::string_view line) {
  const Words words = words_in(line);
  return words.size() > 1 && (words[0] == "Columns" || words[0] == "Column") &&
         words[1].find_first_of("0123456789") == 0;
}

// "rows = 4", "cols: 4", "n = 4": the size.
std::optional<std::uint64_t> size_in(std::string_view line) {
  const std::size_t at = line.find_first_of("=:");
  if (at == std::string_view::npos) return std::nullopt;
  const std::string name = ascii_lower(without_space(line.substr(0, at)));
  constexpr std::array<std::string_view, 10> names = {"rows", "cols", "columns", "nrows", "ncols",
                                                      "n",    "m",    "size",    "dim",   "dimension"};
  if (std::find(names.begin(), names.end(), name) == names.end()) return std::nullopt;
  return parse_number(without_space(line.substr(at + 1)));
}

// What Octave saves above rows: "# type: matrix".
bool heads_saved_rows(const Line& line) {
  if (!line.text.starts_with('#')) return false;
  const std::size_t at = line.text.find("type:");
  if (at == std::string_view::npos) {
    const auto has = [&](std::string_view word) { return line.text.find(word) != std::string_view::npos; };
    return has("Created by Octave") || has("name:") || has("rows:") || has("columns:");
  }
  const std::string_view kind = without_space(line.text.substr(at + 5));
  if (kind != "matrix" && kind != "complex matrix" && kind != "bool matrix")
    throw PrintedFault{line.number, "a matrix, as Octave saves it (double(A) makes one of another type)",
                       shown(kind)};
  return true;
}

bool is_cut_mark(std::string_view word) {
  return word == "..." || word == "\xe2\x80\xa6" || word == "\xe2\x8b\xae" || word == "\xe2\x8b\xaf" ||
         word == "\xe2\x8b\xb1";
}

/// Sections of columns, one beside the other.
class Sections {
 public:
  Sections(PrintedMatrix& matrix) : matrix_(matrix) {}

  void begin(std::uint64_t line) {
    finish(line);
    row_ = 0;
    ++section_;
  }

  void add(TableRow row) {
    if (section_ < 2) {
      matrix_.rows.push_back(std::move(row));
    } else if (row_ >= matrix_.rows.size()) {
      throw PrintedFault{row.line, fmt::format("{} rows, as of the first columns", matrix_.rows.size()),
                         "more"};
    } else {
      Words& fields = matrix_.rows[row_].fields;
      fields.insert(fields.end(), row.fields.begin(), row.fields.end());
    }
    ++row_;
  }

  void finish(std::uint64_t line) const {
    if (section_ > 0 && row_ != matrix_.rows.size())
      throw PrintedFault{line, fmt::format("{} rows, as of the first columns", matrix_.rows.size()),
                         fmt::format("{}", row_)};
  }

 private:
  PrintedMatrix& matrix_;
  std::size_t row_ = 0;
  std::size_t section_ = 0;
};

constexpr std::string_view zero_of_julia = "\u22c5";

// Rows of numbers under a heading.
std::optional<PrintedMatrix> headed_rows(std::string_view text) {
  const std::vector<Line> first = filled_lines(text, 2);
  const auto is_heading = [](std::string_view line) {
    return is_name_line(line) || is_size_heading(line) || line == "Diagonal Matrix" ||
           line == "Permutation Matrix" || !factor_of(line).empty() || heads_columns(line) || size_in(line);
  };
  if (first.size() < 2 || (!is_heading(first[0].text) && !heads_saved_rows(first[0]))) return std::nullopt;
  const std::vector<Line> lines = filled_lines(text);
  PrintedMatrix matrix;
  matrix.certain = true;
  Sections sections(matrix);
  bool named = false;
  bool sparse = false;
  bool only_counts = true;  // "n = 4", which may stand above edges
  std::vector<std::uint64_t> sizes;
  for (const Line& line : lines) {
    only_counts = only_counts && !line.text.starts_with('#');
    if (matrix.rows.empty() && heads_saved_rows(line)) continue;
    if (const auto size = size_in(line.text); size && matrix.rows.empty()) {
      sizes.push_back(*size);
      only_counts = only_counts && line.text.find_first_of("=: \t") == 1;
      continue;
    }
    only_counts = only_counts && !is_heading(line.text);
    if (is_name_line(line.text)) {
      if (named || !matrix.rows.empty()) throw PrintedFault{line.number, "one matrix", shown(line.text)};
      named = true;
      continue;
    }
    if (heads_columns(line.text)) {
      sections.begin(line.number);
      continue;
    }
    if (const std::string_view factor = factor_of(line.text); !factor.empty() && matrix.rows.empty()) {
      matrix.factor = factor;
      continue;
    }
    if (matrix.rows.empty() && is_heading(line.text)) {
      sparse = sparse || line.text.find("parse") != std::string_view::npos;
      continue;
    }
    TableRow row{line.number, {}};
    std::string dots;
    std::string_view words = line.text;
    if (sparse && words.find(zero_of_julia) != std::string_view::npos) {
      dots = words;
      for (std::size_t at = 0; (at = dots.find(zero_of_julia, at)) != std::string::npos;)
        dots.replace(at, zero_of_julia.size(), "0");
      words = matrix.texts.emplace_back(std::move(dots));
    }
    const bool bracketed = words.starts_with('[') || words.starts_with('{') || words.starts_with('(');
    if (bracketed && matrix.rows.empty()) return std::nullopt;  // a literal, or entries
    if (!take_printed_row(words, words.find(',') != std::string_view::npos, row, matrix.texts)) {
      if (only_counts) return std::nullopt;
      const Words all = words_in(words);
      if (std::any_of(all.begin(), all.end(), is_cut_mark))
        throw PrintedFault{line.number, "all of a matrix",
                           fmt::format("one printed in short ({})", shown(words))};
      throw PrintedFault{line.number, "a row of numbers below the heading", shown(words)};
    }
    sections.add(std::move(row));
  }
  if (matrix.rows.empty()) return std::nullopt;
  sections.finish(0);
  matrix.certain = !only_counts;
  for (const std::uint64_t size : sizes) {
    const bool of_rows = size == matrix.rows.size();
    const bool of_columns = size == matrix.rows[0].fields.size();
    if (only_counts && !(of_rows && of_columns)) return std::nullopt;
    if (!of_rows && !of_columns)
      throw PrintedFault{0, fmt::format("{} rows or columns, as the lines above them say", size),
                         fmt::format("{} and {}", matrix.rows.size(), matrix.rows[0].fields.size())};
  }
  return matrix;
}

// pandas: columns and rows under their numbers, from 0.
std::optional<PrintedMatrix> numbered_rows(std::string_view text) {
  const std::vector<Line> first = filled_lines(text, 2);
  const auto counts = [](const Words& words) {
    for (std::size_t k = 0; k < words.size(); ++k) {
      if (parse_number(words[k]) != k) return false;
    }
    return words.size() > 2;
  };
  if (first.size() < 2) return std::nullopt;
  const std::size_t width = words_in(first[0].text).size();
  if (!counts(words_in(first[0].text)) || words_in(first[1].text).size() != width + 1) return std::nullopt;
  PrintedMatrix matrix;
  matrix.certain = true;
  const std::vector<Line> lines = filled_lines(text);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    TableRow row{lines[i].number, {}};
    if (!take_printed_row(lines[i].text, false, row, matrix.texts) || row.fields.size() != width + 1 ||
        parse_number(row.fields[0]) != i - 1)
      return std::nullopt;
    row.fields.erase(row.fields.begin());
    matrix.rows.push_back(std::move(row));
  }
  return matrix;
}

// Complex numbers with blanks within, and commas, semicolons or tabs between them.
std::optional<PrintedMatrix> complex_fields(std::string_view text) {
  const std::vector<Line> first = filled_lines(text, 1);
  if (first.empty() || first[0].text.find_first_of("iIj") == std::string_view::npos) return std::nullopt;
  const std::size_t at = std::min(first[0].text.find('\t'), first[0].text.find_first_of(",;"));
  if (at == std::string_view::npos) return std::nullopt;
  // Others are told from tables, but for "(1+2j),(3-1j)".
  const bool brackets = first[0].text.find("),(") != std::string_view::npos;
  if (!brackets && first[0].text.find(' ', first[0].text.find_first_of("+-")) == std::string_view::npos)
    return std::nullopt;
  PrintedMatrix matrix;
  matrix.certain = true;
  for (const Line& line : filled_lines(text)) {
    TableRow row{line.number, {}};
    for (const std::string_view field : split(line.text, first[0].text[at])) {
      row.fields.push_back(without_space(field));
      if (!printed_number(row.fields.back())) return std::nullopt;
    }
    matrix.rows.push_back(std::move(row));
  }
  return matrix;
}

// "0110", or 0110 and a comma.
std::optional<PrintedMatrix> packed_rows(std::string_view text) {
  const std::vector<Line> first = filled_lines(text, 2);
  if (first.size() < 2 || first[0].text.find_first_of("\",'") == std::string_view::npos) return std::nullopt;
  PrintedMatrix matrix;
  matrix.certain = true;
  for (const Line& line : filled_lines(text)) {
    std::string_view word = line.text;
    if (word.ends_with(',')) word.remove_suffix(1);
    if (word.size() > 2 && (word.front() == '"' || word.front() == '\'') && word.back() == word.front())
      word = word.substr(1, word.size() - 2);
    if (word.size() < 2 || word.find_first_not_of("01") != std::string_view::npos) return std::nullopt;
    TableRow row{line.number, {}};
    for (std::size_t k = 0; k < word.size(); ++k) row.fields.push_back(word.substr(k, 1));
    matrix.rows.push_back(std::move(row));
  }
  return matrix;
}

// Decimal commas, with semicolons, tabs or blanks between the numbers.
std::optional<PrintedMatrix> decimal_commas(std::string_view text) {
  const std::vector<Line> first = filled_lines(text, 2);
  if (first.size() < 2 || first[0].text.find_first_not_of("0123456789+-,;eE \t") != std::string_view::npos)
    return std::nullopt;
  bool thousands = true;
  const char separator = first[0].text.find(';') != std::string_view::npos    ? ';'
                         : first[0].text.find('\t') != std::string_view::npos ? '\t'
                                                                              : ' ';
  PrintedMatrix matrix;
  for (const Line& line : filled_lines(text)) {
    TableRow row{line.number, {}};
    for (std::string_view field : separator == ' ' ? words_in(line.text) : split(line.text, separator)) {
      field = without_space(field);
      const std::size_t comma = field.find(',');
      if (comma == std::string_view::npos) {
        if (!is_real_literal(field)) return std::nullopt;
        row.fields.push_back(field);
        continue;
      }
      std::string point(field);
      point[comma] = '.';
      const bool between = comma > 0 && comma + 1 < field.size() && field[comma - 1] >= '0' &&
                           field[comma - 1] <= '9' && field[comma + 1] >= '0' && field[comma + 1] <= '9';
      if (!between || !is_real_literal(point)) return std::nullopt;
      matrix.decimal_columns = std::max(matrix.decimal_columns, row.fields.size() + 1);
      thousands = thousands && field.find_first_not_of("0123456789", comma + 1) == std::string_view::npos &&
                  field.size() - comma == 4;
      matrix.decimal_ends = matrix.decimal_ends || row.fields.size() < 2;
      row.fields.push_back(matrix.texts.emplace_back(std::move(point)));
    }
    if (row.fields.size() < 2) return std::nullopt;  // "1,5" alone: two fields
    matrix.rows.push_back(std::move(row));
  }
  if (matrix.decimal_columns == 0) return std::nullopt;
  if (thousands && matrix.rows.size() == matrix.rows[0].fields.size())
    throw PrintedFault{matrix.rows[0].line,
                       "numbers with decimal points, and without commas in front of three digits",
                       "commas that may be either"};
  return matrix;
}

// R: "[,1] [,2]" above, "[1,]" in front of every row; of sparse matrices . is 0 and | is 1.
std::optional<PrintedMatrix> rows_of_r(std::string_view text) {
  const std::vector<Line> first = filled_lines(text, 2);
  const auto is_row = [](std::string_view word) {
    return word.size() > 3 && word.front() == '[' && word.ends_with(",]") &&
           parse_number(word.substr(1, word.size() - 3));
  };
  const auto is_column = [](std::string_view word) {
    return word.size() > 3 && word.starts_with("[,") && word.back() == ']' &&
           parse_number(word.substr(2, word.size() - 3));
  };
  const bool sparse =
      !first.empty() && first[0].text.find("sparse Matrix of class") != std::string_view::npos;
  if (first.size() < 2) return std::nullopt;
  const std::vector<Line> lines = filled_lines(text);
  const std::size_t head = sparse ? 1 : 0;
  const Words top = words_in(lines[head].text);
  if (top.empty() || (!is_column(top.front()) && !(sparse && is_row(top.front())))) return std::nullopt;
  PrintedMatrix matrix;
  matrix.certain = true;
  Sections sections(matrix);
  for (std::size_t k = head; k < lines.size(); ++k) {
    Words words = words_in(lines[k].text);
    if (words.empty()) continue;  // a byte order mark
    if (is_column(words.front())) {
      sections.begin(lines[k].number);
      continue;
    }
    if (!is_row(words.front()) && printed_number(words.front()))
      throw PrintedFault{lines[k].number, "a row that begins with its number, as in [1,]",
                         shown(lines[k].text)};
    TableRow row{lines[k].number, {}};
    for (std::size_t j = 1; j < words.size(); ++j) {
      const std::string_view word = sparse && words[j] == "."   ? "0"
                                    : sparse && words[j] == "|" ? "1"
                                                                : words[j];
      const auto number = printed_number(word);
      if (!number) throw PrintedFault{lines[k].number, "a row of numbers", shown(words[j])};
      row.fields.push_back(*number);
    }
    sections.add(std::move(row));
  }
  if (matrix.rows.empty())
    throw PrintedFault{lines[head].number, "rows below the numbers of the columns", "none"};
  sections.finish(0);
  return matrix;
}

constexpr std::array<std::string_view, 15> opening = {"[",      "{",      "(",      "|",      "\u23a1",
                                                      "\u23a2", "\u23a3", "\u239b", "\u239c", "\u239d",
                                                      "\u2502", "\u250c", "\u2514", "\u27e8", "<"};
constexpr std::array<std::string_view, 15> closing = {"]",      "}",      ")",      "|",      "\u23a4",
                                                      "\u23a5", "\u23a6", "\u239e", "\u239f", "\u23a0",
                                                      "\u2502", "\u2510", "\u2518", "\u27e9", ">"};

// What is in the brackets around the line, of which the first of all and the last may be two: [[1 2]. A comma
// or semicolon may follow. Nothing where there are none.
std::optional<std::string_view> within_brackets(std::string_view line, std::string_view& open) {
  while (line.ends_with(',') || line.ends_with(';')) line = without_space(line.substr(0, line.size() - 1));
  for (std::size_t k = 0; k < opening.size(); ++k) {
    if (!line.starts_with(opening[k])) continue;
    // Of pieces of large brackets any may end the line.
    const bool pieces = opening[k].size() > 1;
    for (std::size_t end = 0; end < closing.size(); ++end) {
      if ((pieces ? closing[end].size() == 1 : end != k) || !line.ends_with(closing[end])) continue;
      if (line.size() < opening[k].size() + closing[end].size()) return std::nullopt;
      open = opening[k];
      line.remove_prefix(opening[k].size());
      line.remove_suffix(closing[end].size());
      return without_space(line);
    }
    return std::nullopt;
  }
  return std::nullopt;
}

// Every line in brackets.
std::optional<PrintedMatrix> bracketed_lines(std::string_view text) {
  std::string_view open;
  const std::vector<Line> first = filled_lines(text, 2);
  if (first.empty() || !within_brackets(first[0].text, open)) return std::nullopt;
  // One line with parentheses within is a list of pairs.
  if (first.size() == 1 && first[0].text.find('(', 1) != std::string_view::npos) return std::nullopt;
  PrintedMatrix matrix;
  for (const Line& line : filled_lines(text)) {
    const std::optional<std::string_view> inner = within_brackets(line.text, open);
    if (!inner) return std::nullopt;
    if (inner->empty()) continue;  // between rows
    TableRow row{line.number, {}};
    if (!take_printed_row(*inner, inner->find(',') != std::string_view::npos, row, matrix.texts))
      return std::nullopt;
    matrix.rows.push_back(std::move(row));
  }
  if (matrix.rows.empty()) return std::nullopt;
  matrix.certain = open.size() > 1 || open == "|";
  return matrix;
}

// a & b \\ of LaTeX.
std::optional<PrintedMatrix> latex(std::string_view text) {
  const std::vector<Line> first = filled_lines(text, 3);
  const bool begins = std::any_of(first.begin(), first.end(), [](const Line& line) {
    return line.text.find("\\begin{") != std::string_view::npos ||
           line.text.find('&') != std::string_view::npos;
  });
  if (!begins) return std::nullopt;
  PrintedMatrix matrix;
  matrix.certain = true;
  for (const Line& line : filled_lines(text)) {
    std::string_view left = line.text;
    if (left == "\\[" || left == "\\]" || left == "$$") continue;
    // The last beginning of an environment, and the columns that it may name: \left[\begin{array}{cc}.
    if (const std::size_t at = left.rfind("\\begin{"); at != std::string_view::npos) {
      const std::size_t end = left.find('}', at);
      if (end == std::string_view::npos) return std::nullopt;
      left = without_space(left.substr(end + 1));
      if (left.starts_with('{'))
        left = without_space(left.substr(std::min(left.find('}'), left.size() - 1) + 1));
    }
    if (const std::size_t end = left.find("\\end{"); end != std::string_view::npos)
      left = without_space(left.substr(0, end));
    while (!left.empty()) {
      const std::size_t end = std::min(left.find("\\\\"), left.size());
      const std::string_view part = without_space(left.substr(0, end));
      left = without_space(left.substr(std::min(end + 2, left.size())));
      if (part.empty() || part == "\\hline") continue;
      TableRow row{line.number, {}};
      for (const std::string_view field : split(part, '&')) {
        const auto number = printed_number(without_space(field));
        if (!number) return std::nullopt;
        row.fields.push_back(*number);
      }
      matrix.rows.push_back(std::move(row));
    }
  }
  if (matrix.rows.empty() || matrix.rows[0].fields.size() < 2) return std::nullopt;
  return matrix;
}

}  // namespace

std::optional<PrintedMatrix> matrix_lines(std::string_view text) {
  for (const auto& read : {headed_rows, rows_of_r, bracketed_lines, latex, numbered_rows, complex_fields,
                           packed_rows, decimal_commas}) {
    std::optional<PrintedMatrix> matrix = read(text);
    if (!matrix) continue;
    const std::size_t width = matrix->rows.front().fields.size();
    for (const TableRow& row : matrix->rows) {
      if (row.fields.size() == width) continue;
      if (!matrix->certain) return std::nullopt;
      throw PrintedFault{row.line, fmt::format("{} entries, as in the first row", width),
                         fmt::format("{}", row.fields.size())};
    }
    return matrix;
  }
  return std::nullopt;
}

}  // namespace countpm
