// Matrices as a line of a program makes them: Python with NumPy, SymPy or SageMath, MATLAB, Octave, Julia,
// PARI, Maxima, Maple, Mathematica, R, C. O(bytes).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "graph/formats/printed_matrix.hpp"
#include "graph/formats/table_reading.hpp"
#include "graph/number_dialects.hpp"
#include "graph/text.hpp"
#include "graph/without_space.hpp"

namespace countpm {
namespace {

using Parts = std::vector<std::string_view>;

bool is_white(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

bool is_in_brackets(std::string_view text, char open, char close) {
  return text.size() > 1 && text.front() == open && text.back() == close;
}

/// Splits where no bracket is open; nothing where brackets do not match.
std::optional<Parts> split_outside(std::string_view text, char separator) {
  Parts parts;
  std::string open;
  std::size_t start = 0;
  char quote = '\0';
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
      continue;
    }
    if (c == '"' || c == '\'') quote = c;
    if (c == '[') open += ']';
    if (c == '(') open += ')';
    if (c == '{') open += '}';
    if (c == ']' || c == ')' || c == '}') {
      if (open.empty() || open.back() != c) return std::nullopt;
      open.pop_back();
    }
    if (c == separator && open.empty()) {
      parts.push_back(without_space(text.substr(start, k - start)));
      start = k + 1;
    }
  }
  if (!open.empty() || quote != '\0') return std::nullopt;
  parts.push_back(without_space(text.substr(start)));
  return parts;
}

class LiteralMatrix {
 public:
  explicit LiteralMatrix(std::string_view text) : whole_(text) {}

  std::optional<PrintedMatrix> read() {
    std::string_view text = without_space(whole_);
    if (!take_name(text)) return std::nullopt;
    while (text.ends_with(';') || text.ends_with('$')) text = without_space(text.substr(0, text.size() - 1));
    if (text.empty()) return std::nullopt;
    if (text.front() == '(' && text.find_first_of("[(", 1) == std::string_view::npos) return std::nullopt;
    const bool read = is_word_character(text.front()) ? call(text)
                      : text.front() == '<'           ? angles(text)
                                                      : list(text);
    if (!read || matrix_.rows.empty()) return std::nullopt;
    const std::size_t width = matrix_.rows.front().fields.size();
    const bool even = std::all_of(matrix_.rows.begin(), matrix_.rows.end(),
                                  [&](const TableRow& row) { return row.fields.size() == width; });
    if (!even || width == 0) return std::nullopt;
    // False and true, and complex numbers of several words, stand elsewhere than in the text.
    const auto is_word = [&](std::string_view field) {
      return field.data() < whole_.data() || field.data() >= whole_.data() + whole_.size();
    };
    matrix_.certain = matrix_.certain || is_word(matrix_.rows[0].fields[0]);
    return std::move(matrix_);
  }

 private:
  // Lines around it, and what it is given to. False: the text is something else.
  static bool take_name(std::string_view& text) {
    const auto first_line = [&] { return text.substr(0, text.find('\n')); };
    constexpr std::array<std::string_view, 6> before = {"import", "from", "using", "library(", "with(", "//"};
    for (bool any = true; any && text.find('\n') != std::string_view::npos;) {
      any = std::any_of(before.begin(), before.end(),
                        [&](std::string_view word) {
                          return text.starts_with(word) && text.size() > word.size() &&
                                 (word.ends_with('(') || is_white(text[word.size()]));
                        }) ||
            (text.starts_with(">>> ") && first_line().find_first_of("[{(") == std::string_view::npos);
      if (any) text = without_space(text.substr(text.find('\n')));
    }
    for (const std::string_view prompt : {">>> ", "julia> ", "sage: ", "> "}) {
      if (text.starts_with(prompt)) text = without_space(text.substr(prompt.size()));
    }
    if (text.starts_with("(%o") || text.starts_with("(%i")) {
      const std::size_t end = text.find(')');
      if (end != std::string_view::npos) text = without_space(text.substr(end + 1));
    }
    if (text.starts_with("Out[") || text.starts_with("In[") || text.starts_with("In [")) {
      const std::size_t end = text.find(']');
      if (end != std::string_view::npos && end + 1 < text.size() &&
          (text[end + 1] == ':' || text[end + 1] == '='))
        text = without_space(text.substr(end + 2));
    }
    const std::size_t last = text.rfind('\n');
    if (last != std::string_view::npos) {
      const std::string_view line = without_space(text.substr(last));
      if ((line.starts_with("print(") || line.starts_with("disp(")) &&
          line.find_first_of("[{") == std::string_view::npos)
        text = without_space(text.substr(0, last));
    }
    // In front of the first bracket, but for those of "int A[3][3] =".
    const std::size_t equals = text.find('=');
    const std::string_view head = text.substr(0, equals == std::string_view::npos ? 0 : equals);
    if (!head.empty() &&
        is_assigned_name(without_space(head.ends_with(':') ? head.substr(0, head.size() - 1) : head))) {
      text = without_space(text.substr(equals + 1));
      return !text.empty();
    }
    for (const std::string_view mark : {std::string_view("<-"), std::string_view(":")}) {
      const std::size_t at = text.find(mark);
      if (at == std::string_view::npos || !is_assigned_name(without_space(text.substr(0, at)))) continue;
      text = without_space(text.substr(at + mark.size()));
      break;
    }
    return !text.empty();
  }

  std::uint64_t line_of(std::string_view part) const {
    const auto end = whole_.begin() + (part.data() - whole_.data());
    if (counted_ > end) {
      counted_ = whole_.begin();
      line_ = 1;
    }
    line_ += static_cast<std::uint64_t>(std::count(counted_, end, '\n'));
    counted_ = end;
    return line_;
  }

  bool add_row(std::string_view text, bool commas) {
    TableRow row{line_of(text), {}};
    if (!take_printed_row(text, commas, row, matrix_.texts)) return false;
    matrix_.rows.push_back(std::move(row));
    return true;
  }

  // [[1, 2], [3, 4]], [[1 2] [3 4]], {{1, 2}, {3, 4}}; [1 2; 3 4] and [1 2 <new line> 3 4].
  bool list(std::string_view text) {
    const bool braces = is_in_brackets(text, '{', '}') || is_in_brackets(text, '(', ')');
    if (!braces && !is_in_brackets(text, '[', ']')) return false;
    const std::string_view inner = without_space(text.substr(1, text.size() - 2));
    if (inner.empty()) return false;
    if (inner.front() == '[' || inner.front() == '{' || inner.front() == '(') return nested(inner);
    return !braces && semicolons(inner);
  }

  bool nested(std::string_view inner) {
    const char open = inner.front();
    const char close = open == '[' ? ']' : open == '{' ? '}' : ')';
    while (!inner.empty()) {
      const std::size_t end = inner.find(close);
      if (inner.front() != open || end == std::string_view::npos) return false;
      const std::string_view row = inner.substr(1, end - 1);
      if (!add_row(row, row.find(',') != std::string_view::npos)) return false;
      inner = without_space(inner.substr(end + 1));
      if (inner.starts_with(',')) inner = without_space(inner.substr(1));
    }
    // Two or three in parentheses are an edge, or a complex number.
    return open != '(' || matrix_.rows.front().fields.size() > 3;
  }

  // Rows end with a semicolon or with their line.
  bool semicolons(std::string_view inner) {
    while (!inner.empty()) {
      const std::size_t end = std::min(inner.find_first_of(";\n"), inner.size());
      const bool by_line = end < inner.size() && inner[end] == '\n';
      std::string_view row = without_space(inner.substr(0, end));
      inner = without_space(inner.substr(std::min(end + 1, inner.size())));
      const bool goes_on = row.ends_with("...");
      if (goes_on) row = without_space(row.substr(0, row.size() - 3));
      if (row.empty()) continue;
      if (goes_on || (by_line && row.ends_with(','))) return false;  // a row over several lines
      refuse_decimal_commas(row);
      if (!add_row(row, row.find(',') != std::string_view::npos)) return false;
    }
    return matrix_.rows.size() > 1;
  }

  // "1,5 2,0": commas without a blank, and blanks without a comma.
  void refuse_decimal_commas(std::string_view row) const {
    bool commas = false;
    bool blanks = false;
    for (std::size_t k = 1; k + 1 < row.size(); ++k) {
      const bool between = row[k - 1] >= '0' && row[k - 1] <= '9' && row[k + 1] >= '0' && row[k + 1] <= '9';
      commas = commas || (between && row[k] == ',');
      blanks = blanks || (between && (row[k] == ' ' || row[k] == '\t'));
    }
    if (commas && blanks)
      throw PrintedFault{line_of(row), "entries parted by commas, or by blanks and with decimal points",
                         shown(row)};
  }

  // Maple: <<1|2>,<3|4>>, <<1,3>|<2,4>>, <1,3|2,4>.
  bool angles(std::string_view text) {
    if (!is_in_brackets(text, '<', '>')) return false;
    std::string_view inner = without_space(text.substr(1, text.size() - 2));
    matrix_.certain = true;
    const bool nested = inner.starts_with('<');
    const std::size_t first_end = inner.find('>');
    if (nested && first_end == std::string_view::npos) return false;
    const std::string_view first = nested ? inner.substr(1, first_end - 1) : inner;
    const bool by_rows =
        nested && (first.find('|') != std::string_view::npos ||
                   (first.find(',') == std::string_view::npos && inner.find(">,") != std::string_view::npos));
    std::vector<Parts> lines;
    while (!inner.empty()) {
      std::size_t end = std::min(inner.find(nested ? '>' : '|'), inner.size());
      if (nested && (!inner.starts_with('<') || end == inner.size())) return false;
      const std::string_view line = inner.substr(nested ? 1 : 0, nested ? end - 1 : end);
      lines.push_back(split(line, by_rows ? '|' : ','));
      inner = without_space(inner.substr(std::min(end + 1, inner.size())));
      if (nested && !inner.empty()) {
        if (inner.front() != (by_rows ? ',' : '|')) return false;
        inner = without_space(inner.substr(1));
      }
    }
    return by_rows ? add_lines(lines) : add_columns(lines);
  }

  bool add_lines(const std::vector<Parts>& lines) {
    for (const Parts& line : lines) {
      TableRow row{line_of(line.front()), {}};
      for (const std::string_view part : line) {
        if (!add_entry(row, part)) return false;
      }
      matrix_.rows.push_back(std::move(row));
    }
    return true;
  }

  bool add_columns(const std::vector<Parts>& columns) {
    for (std::size_t i = 0; i < columns.front().size(); ++i) {
      TableRow row{line_of(columns.front()[i]), {}};
      for (const Parts& column : columns) {
        if (column.size() != columns.front().size() || !add_entry(row, column[i])) return false;
      }
      matrix_.rows.push_back(std::move(row));
    }
    return true;
  }

  static bool add_entry(TableRow& row, std::string_view part) {
    part = without_space(part);
    if (part.size() > 1 && part.ends_with('L')) part.remove_suffix(1);  // R's whole numbers
    const std::optional<std::string_view> number = printed_number(part);
    if (!number) return false;
    row.fields.push_back(*number);
    return true;
  }

  struct Arguments {
    Parts lists;    // in brackets
    Parts vectors;  // what is within c(...)
    std::vector<std::uint64_t> sizes;
    std::optional<std::uint64_t> rows;
    std::optional<std::uint64_t> columns;
    bool by_row = false;
  };

  static std::optional<std::uint64_t> whole(std::string_view text) {
    if (text.ends_with('L')) text.remove_suffix(1);
    return parse_number(text);
  }

  // Within c(...); nothing where it is no such call.
  static std::optional<std::string_view> vector_of(std::string_view text) {
    if (!text.starts_with("c(") || !text.ends_with(')')) return std::nullopt;
    return text.substr(2, text.size() - 3);
  }

  static bool take_size(Arguments& found, std::string_view value) {
    if (const auto number = whole(value)) {
      found.sizes.push_back(*number);
      return true;
    }
    const auto within = vector_of(value);
    if (!within) return false;
    for (const std::string_view part : split(*within, ',')) {
      const auto number = whole(without_space(part));
      if (!number) return false;
      found.sizes.push_back(*number);
    }
    return true;
  }

  static bool is_true(std::string_view text) { return text == "TRUE" || text == "T" || text == "True"; }

  static std::optional<Arguments> arguments(std::string_view inner) {
    const std::optional<Parts> parts = split_outside(inner, ',');
    if (!parts) return std::nullopt;
    Arguments found;
    for (const std::string_view part : *parts) {
      const std::size_t equals = part.find('=');
      if (part.empty()) return std::nullopt;
      if (part.front() == '[' || part.front() == '{' || part.front() == '"' || part.front() == '\'') {
        found.lists.push_back(part);
      } else if (const auto vector = vector_of(part)) {
        found.vectors.push_back(*vector);
      } else if (equals != std::string_view::npos) {
        const std::string_view name = without_space(part.substr(0, equals));
        const std::string_view value = without_space(part.substr(equals + 1));
        if (name == "nrow" || name == "nr") {
          found.rows = whole(value);
        } else if (name == "ncol" || name == "nc") {
          found.columns = whole(value);
        } else if (name == "byrow") {
          found.by_row = is_true(value);
        } else if (name == "dim" || name == ".Dim") {
          if (!take_size(found, value)) return std::nullopt;
        } else if (name == "data") {
          const auto data = vector_of(value);
          if (!data) return std::nullopt;
          found.vectors.push_back(*data);
        } else if (name != "dtype" && name != "device" && name != "dimnames" && name != ".Dimnames" &&
                   name != "copy") {
          return std::nullopt;
        }
      } else if (const auto number = whole(part)) {
        found.sizes.push_back(*number);
      } else if (is_true(part) || part == "FALSE") {
        found.by_row = is_true(part);
      } else if (!std::all_of(part.begin(), part.end(), [](char c) { return is_word_character(c); })) {
        return std::nullopt;  // not the name of a ring or of a type
      }
    }
    return found;
  }

  // matrix(...), np.array(...).
  bool call(std::string_view text) {
    const std::size_t open = text.find_first_of("([");
    if (open == std::string_view::npos) return false;
    std::string_view name = text.substr(0, open);
    if (!std::all_of(name.begin(), name.end(), is_word_character)) return false;
    constexpr std::array<std::string_view, 6> types = {"Float64",    "Int",  "Int64",
                                                       "ComplexF64", "Bool", "Float32"};
    if (text[open] == '[' && std::find(types.begin(), types.end(), name) != types.end())
      return list(text.substr(open));
    const std::size_t point = name.rfind('.');
    if (point != std::string_view::npos) name = name.substr(point + 1);
    constexpr std::array<std::string_view, 17> names = {"array",
                                                        "asarray",
                                                        "matrix",
                                                        "mat",
                                                        "Matrix",
                                                        "tensor",
                                                        "rbind",
                                                        "cbind",
                                                        "structure",
                                                        "ImmutableMatrix",
                                                        "csr_matrix",
                                                        "csc_matrix",
                                                        "coo_matrix",
                                                        "csr_array",
                                                        "DataFrame",
                                                        "Array",
                                                        "MutableDenseMatrix"};
    if (std::find(names.begin(), names.end(), name) == names.end()) return false;
    if (!is_in_brackets(text.substr(open), text[open], text[open] == '(' ? ')' : ']')) return false;
    const std::optional<Arguments> found = arguments(text.substr(open + 1, text.size() - open - 2));
    if (!found) return false;
    matrix_.certain = name == "matrix" || name == "mat" || name == "Matrix" || name == "ImmutableMatrix" ||
                      !found->vectors.empty();
    if (name == "rbind" || name == "cbind") {
      if (!found->lists.empty() || found->vectors.empty()) return false;
      std::vector<Parts> lines;
      for (const std::string_view vector : found->vectors) lines.push_back(split(vector, ','));
      return name == "rbind" ? add_lines(lines) : add_columns(lines);
    }
    if (found->vectors.size() == 1 && found->lists.empty())
      return filled(split(found->vectors[0], ','), *found,
                    name == "array" || name == "structure" || !found->by_row);
    if (found->lists.empty() || !found->vectors.empty() || found->rows || found->columns) return false;
    const std::string_view first = found->lists[0];
    if (found->lists.size() == 1) {
      if (first.front() == '"' || first.front() == '\'')
        return first.size() > 2 && semicolons(first.substr(1, first.size() - 2));
      if (list(first)) return true;
      matrix_.rows.clear();
      if (found->sizes.size() != 2 || !is_in_brackets(first, '[', ']')) return false;
      return filled(split(first.substr(1, first.size() - 2), ','), *found, false);
    }
    if (name != "matrix") return false;
    // Maxima: a row each.
    for (const std::string_view row : found->lists) {
      if (!is_in_brackets(row, '[', ']') || !add_row(row.substr(1, row.size() - 2), true)) return false;
    }
    return true;
  }

  bool filled(const Parts& entries, const Arguments& sizes, bool by_column) {
    std::uint64_t rows = sizes.rows.value_or(sizes.sizes.empty() ? 0 : sizes.sizes[0]);
    std::uint64_t columns = sizes.columns.value_or(sizes.sizes.size() > 1 ? sizes.sizes[1] : 0);
    if (rows == 0 && columns == 0) return false;
    if (rows == 0) rows = entries.size() / columns;
    if (columns == 0) columns = entries.size() / rows;
    if (rows == 0 || columns == 0 || entries.size() % rows != 0 || entries.size() / rows != columns)
      return false;
    for (std::uint64_t i = 0; i < rows; ++i) {
      TableRow row{line_of(entries[0]), {}};
      for (std::uint64_t j = 0; j < columns; ++j) {
        if (!add_entry(row, entries[by_column ? i + j * rows : i * columns + j])) return false;
      }
      matrix_.rows.push_back(std::move(row));
    }
    return true;
  }

  std::string_view whole_;
  PrintedMatrix matrix_;
  mutable std::string_view::const_iterator counted_ = whole_.begin();
  mutable std::uint64_t line_ = 1;
};

}  // namespace

std::optional<std::string_view> printed_number(std::string_view word) {
  if (word == "True" || word == "true" || word == "TRUE") return "1";
  if (word == "False" || word == "false" || word == "FALSE") return "0";
  if (is_number_literal(word) || is_bare_unit(word)) return word;
  return std::nullopt;
}

namespace {

bool is_no_finite_number(std::string_view word) {
  const std::string lower = ascii_lower(word);
  return lower == "nan" || lower == "inf" || lower == "-inf" || lower == "infinity" || lower == "-infinity";
}

// NumPy fills up numbers with blanks: "1. +0.j" is one.
void join_padded_words(std::vector<std::string_view>& fields, std::deque<std::string>& texts) {
  std::vector<std::string_view> result;
  for (const std::string_view word : fields) {
    const bool part = !result.empty() && (word.front() == '+' || word.front() == '-') && word.back() == 'j' &&
                      word.find('.') != std::string_view::npos;
    if (part && is_real_literal(result.back()) && result.back().find('.') != std::string_view::npos) {
      result.back() = texts.emplace_back(fmt::format("{}{}", result.back(), word));
    } else {
      result.push_back(word);
    }
  }
  fields = std::move(result);
}

}  // namespace

bool take_printed_row(std::string_view text, bool commas, TableRow& row, std::deque<std::string>& texts) {
  if (commas) {
    std::optional<Parts> parts = split_outside(text, ',');
    if (!parts) return false;
    if (parts->size() > 1 && parts->back().empty()) parts->pop_back();
    row.fields = *std::move(parts);
  } else {
    std::size_t at = 0;
    while (at < text.size()) {
      std::size_t end = at;
      while (end < text.size() && !is_white(text[end])) ++end;
      if (end > at) row.fields.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    join_padded_words(row.fields, texts);
    join_complex_words(row.fields, texts);
  }
  const bool any = std::any_of(row.fields.begin(), row.fields.end(), is_number_literal);
  for (std::string_view& field : row.fields) {
    if (any && is_no_finite_number(field)) throw PrintedFault{row.line, "finite numbers", shown(field)};
    const std::optional<std::string_view> number = printed_number(field);
    if (!number) return false;
    field = *number;
  }
  return !row.fields.empty();
}

bool is_assigned_name(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (text.empty() || text.size() > 80 || !is_letter(text.front())) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) {
                       return is_word_character(c) ||
                              std::string_view(" []<>:,*&").find(c) != std::string_view::npos;
                     }) &&
         text.find('\n') == std::string_view::npos;
}

std::optional<PrintedMatrix> matrix_literal(std::string_view text) {
  return LiteralMatrix(text).read();
}

}  // namespace countpm
