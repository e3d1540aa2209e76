// Matrices in tables: of complex numbers, of fields, with labels above and in front. O(bytes).
#include <fmt/format.h>

#include <algorithm>

#include "graph/errors.hpp"
#include "graph/formats/header_words.hpp"
#include "graph/formats/table_reading.hpp"
#include "graph/letters.hpp"
#include "graph/number_dialects.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

bool is_complex_field(std::string_view word) {
  return !is_real_literal(word) && is_number_literal(word);
}

// The number that the words from `first` on make, with blanks around its sign: "1.0000 + 2.0000i" of MATLAB,
// "1. + 2. I" of Mathematica. The number of its words; 1: none.
std::size_t words_of_number(const std::vector<std::string_view>& fields, std::size_t first,
                            std::string& number) {
  constexpr std::size_t longest = 5;
  for (std::size_t count = std::min(longest, fields.size() - first); count > 2; --count) {
    const auto begin = fields.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = begin + static_cast<std::ptrdiff_t>(count);
    if (std::none_of(begin + 1, end - 1, [](std::string_view word) { return word == "+" || word == "-"; }))
      continue;
    number = fmt::format("{}", fmt::join(begin, end, " "));
    if (is_complex_field(number)) return count;
  }
  return 1;
}

}  // namespace

void join_complex_words(std::vector<std::string_view>& fields, std::deque<std::string>& joined) {
  if (std::none_of(fields.begin(), fields.end(),
                   [](std::string_view word) { return word == "+" || word == "-"; }))
    return;
  std::vector<std::string_view> result;
  for (std::size_t k = 0; k < fields.size();) {
    std::string number;
    const std::size_t count = words_of_number(fields, k, number);
    result.push_back(count == 1 ? fields[k] : std::string_view(joined.emplace_back(std::move(number))));
    k += count;
  }
  fields = std::move(result);
}

namespace {

bool all_differ(std::vector<std::string_view> labels) {
  std::sort(labels.begin(), labels.end());
  return std::adjacent_find(labels.begin(), labels.end()) == labels.end();
}

class TableMatrix {
 public:
  TableMatrix(const TableSource& source, const WordTable& table)
      : source_(source), table_(table), rows_(table.rows) {
    for (TableRow& row : rows_) {
      if (table.delimiter == ' ') join_complex_words(row.fields, joined_);
      // A delimiter behind the last field.
      if (table.delimiter != ' ' && row.fields.size() > 2 && row.fields.back().empty()) row.fields.pop_back();
    }
    units_ = has_complex();
  }

  std::optional<Graph> read() {
    if (rows_.size() < 2) return rows_.size() == 1 ? one_row() : std::nullopt;
    const std::size_t width = rows_[1].fields.size();
    const bool even = std::all_of(rows_.begin() + 1, rows_.end(),
                                  [&](const TableRow& row) { return row.fields.size() == width; });
    if (!even || width < 2) return std::nullopt;
    const std::vector<std::string_view>& head = rows_[0].fields;
    if (numeric(0, 0)) return head.size() == width ? plain() : std::nullopt;
    if (numeric(1, 1) && (head.size() == width || head.size() + 1 == width)) {
      if (std::optional<Graph> graph = labelled(head.size() == width)) return graph;
    }
    if (numeric(1, 0) && head.size() == width) return headed();
    return std::nullopt;
  }

 private:
  // Whether all fields from this row and column on are numbers.
  bool numeric(std::size_t first_row, std::size_t first_column) const {
    for (std::size_t i = first_row; i < rows_.size(); ++i) {
      const std::vector<std::string_view>& fields = rows_[i].fields;
      if (fields.size() <= first_column) return false;
      if (!std::all_of(fields.begin() + static_cast<std::ptrdiff_t>(first_column), fields.end(),
                       [&](std::string_view word) { return is_number(word); }))
        return false;
    }
    return true;
  }

  // Beside complex numbers the unit alone is one, too, and else a letter or a label.
  bool is_number(std::string_view word) const {
    return is_number_literal(word) || (units_ && is_bare_unit(word));
  }

  bool has_complex_ends(std::size_t first_row) const {
    for (std::size_t i = first_row; i < rows_.size(); ++i) {
      if (rows_[i].fields.size() < 2) return false;
      if (is_complex_field(rows_[i].fields[0]) || is_complex_field(rows_[i].fields[1]))
        return numeric(first_row, 0);
    }
    return false;
  }

  bool has_complex() const {
    return std::any_of(rows_.begin(), rows_.end(), [](const TableRow& row) {
      return std::any_of(row.fields.begin(), row.fields.end(), is_complex_field);
    });
  }

  std::vector<TableRow> body(std::size_t first_row, std::size_t first_column) const {
    std::vector<TableRow> result;
    for (std::size_t i = first_row; i < rows_.size(); ++i) {
      const std::vector<std::string_view>& fields = rows_[i].fields;
      result.push_back(
          {rows_[i].line, {fields.begin() + static_cast<std::ptrdiff_t>(first_column), fields.end()}});
    }
    return result;
  }

  std::optional<Graph> without_labels(std::size_t first_row) {
    source_.info.format = Format::dense;
    return source_.matrix({body(first_row, 0), {}, {}}, false);
  }

  bool is_said(Format format) const { return source_.options.format == format; }

  std::optional<Graph> complex() {
    if (source_.info.format != Format::dense)
      source_.warn(rows_[0].line, "rows of complex numbers were taken for a matrix");
    return without_labels(0);
  }

  std::optional<Graph> one_row() {
    if (has_complex_ends(0)) return complex();
    if (numeric(0, 0)) ask_of_edges();
    return std::nullopt;
  }

  // Of two or three columns of numbers in CSV, the first two of which are no numbers of vertices.
  void ask_of_edges() {
    const std::size_t width = rows_[0].fields.size();
    if (table_.delimiter == ' ' || source_.info.format != Format::csv || is_said(Format::csv)) return;
    if (width < 2 || width > 3 || whole_ends()) return;
    source_.ask(rows_[0].line, fmt::format("{} columns of numbers, whose ends are not all whole", width),
                "--format csv (edges: source,target or source,target,weight)", "--format dense (a matrix)");
  }

  // Numbers alone.
  std::optional<Graph> plain() {
    const std::size_t width = rows_[0].fields.size();
    const bool square = rows_.size() == width;
    // Points of a grid as labels: "(0,0)","(0,1)".
    const bool pairs = width < 4 && std::all_of(rows_.begin(), rows_.end(), [](const TableRow& row) {
                         return row.fields[0].starts_with('(') && row.fields[1].starts_with('(');
                       });
    if (pairs && !source_.options.weights && source_.info.format == Format::csv && !is_said(Format::csv))
      source_.ask(rows_[0].line, "pairs in parentheses, which may be labels or complex numbers",
                  "--format csv (edges between such labels)", "--format dense --weights (a matrix)");
    if (has_complex_ends(0) || (has_complex() && width > 3)) return complex();
    // The reader of dense text takes no quotation marks.
    if (table_.delimiter == ' ' && !(table_.quoted && source_.info.format == Format::dense))
      return std::nullopt;
    if (source_.info.format == Format::dense) return without_labels(0);
    if (width < 4) {
      if (!square) {
        ask_of_edges();
        return std::nullopt;  // edges
      }
      if (source_.info.format != Format::csv) return std::nullopt;
      const bool edges = may_be_ends(rows_, 0, 1);
      if (!edges && !whole_ends()) return table_taken();
      source_.ask(0, fmt::format("a square of {} times {} numbers", width, width),
                  "--format csv (edges: source,target or source,target,weight)", "--format dense (a matrix)");
    }
    if (may_be_ends(rows_, 0, 1)) {
      source_.ask(rows_[0].line,
                  fmt::format("{} columns of numbers, the first two of which may be ends of edges", width),
                  "--ends 1,2 (edges)", "--format dense (a matrix)");
    }
    return table_taken();
  }

  std::optional<Graph> table_taken() {
    if (source_.info.format == Format::csv)
      source_.warn(0, fmt::format("a table of {} times {} numbers was taken for a matrix", rows_.size(),
                                  rows_[0].fields.size()));
    return without_labels(0);
  }

  // Who says that it is a matrix with a header need not be told.
  void tell_labels(const std::string& how) {
    if (is_said(Format::dense)) return source_.tell_head(rows_[0].line, how);
    source_.warn(rows_[0].line, how);
  }

  bool whole_ends() const {
    return std::all_of(rows_.begin(), rows_.end(), [](const TableRow& row) {
      return parse_number(row.fields[0]) && parse_number(row.fields[1]);
    });
  }

  bool names_ends(const std::vector<std::string_view>& head) const {
    bool from = false;
    bool to = false;
    for (const std::string_view word : head) {
      from = from || header_word(word) == HeaderWord::from;
      to = to || header_word(word) == HeaderWord::to;
    }
    return from && to;
  }

  // Whether a field is a weight, which may have letters.
  bool may_be_weight(std::string_view field) const {
    try {
      parse_weight_with_letters(field, source_.name, 0);
      return true;
    } catch (const InputError&) {
      return false;
    }
  }

  // Whether words above numbers are weights, as in a matrix with letters in its first row alone.
  bool letters_above() const {
    const std::vector<std::string_view>& head = rows_[0].fields;
    return source_.options.weights && (is_said(Format::dense) || rows_.size() == head.size()) &&
           std::all_of(head.begin(), head.end(),
                       [&](std::string_view field) { return may_be_weight(field); });
  }

  // With weights the words above and in front of numbers may be letters of a matrix that has no labels.
  bool letters_rather_than_labels() const {
    const std::vector<std::string_view>& head = rows_[0].fields;
    const auto is_weight = [&](std::string_view field) { return may_be_weight(field); };
    if (!source_.options.weights || !std::all_of(head.begin(), head.end(), is_weight)) return false;
    if (!std::all_of(rows_.begin(), rows_.end(),
                     [&](const TableRow& row) { return may_be_weight(row.fields[0]); }))
      return false;
    if (!is_number_literal(head[0]) && !is_said(Format::dense))
      source_.ask(rows_[0].line,
                  "letters in the first line and in the first column, which may be labels or weights",
                  "--format dense (weights)", "an empty corner (labels)");
    return true;
  }

  // Labels in front, and above; a corner where the first line has as many fields as the others.
  std::optional<Graph> labelled(bool corner) {
    const std::vector<std::string_view>& head = rows_[0].fields;
    TextMatrix matrix{body(1, 1), {}, {head.begin() + (corner ? 1 : 0), head.end()}};
    for (std::size_t i = 1; i < rows_.size(); ++i) matrix.row_labels.push_back(rows_[i].fields[0]);
    if (!all_differ(matrix.row_labels) || !all_differ(matrix.column_labels)) return std::nullopt;
    const std::size_t width = matrix.column_labels.size();
    const bool same = matrix.row_labels == matrix.column_labels;
    const bool names = std::none_of(matrix.row_labels.begin(), matrix.row_labels.end(), is_number_literal);
    if (!same && names_ends(head)) return std::nullopt;
    if (same && numeric(1, 0) && width < 3) return std::nullopt;
    if (!same) {
      // Numbers above are labels of a matrix only beside an empty corner; else the lines may be edges.
      if ((!corner || !head[0].empty()) && std::any_of(head.begin(), head.end(), is_number_literal)) {
        const bool either = corner && names && width == 2 && rows_.size() == 3 &&
                            !is_number_literal(head[0]) && !is_number_literal(head[1]);
        if (!either || is_said(Format::csv) || is_said(Format::edge_list)) return std::nullopt;
        if (!is_said(Format::dense))
          source_.ask(rows_[0].line,
                      "a square of numbers with labels above and in front, or edges with weights",
                      table_.delimiter == ' ' ? "--format edgelist (edges)" : "--format csv (edges)",
                      "--format dense (a matrix)");
      }
      // Numbers in front may be entries, and two or three columns edges.
      if (std::any_of(matrix.column_labels.begin(), matrix.column_labels.end(), is_number_literal) && !names)
        return std::nullopt;
      if (!names && corner && !head[0].empty()) return std::nullopt;
      if (width < 4 && !is_said(Format::dense) && may_be_ends(matrix.rows, 0, 1)) {
        if (matrix.rows.size() != width) return std::nullopt;
        source_.ask(rows_[0].line, "a square of numbers with labels above and in front, or edges with names",
                    "--ends 2,3 (edges)", "--format dense (a matrix)");
      }
      if (corner && names && !head[0].empty() && width == 1) return std::nullopt;  // a column of weights
      if (width == 1) return std::nullopt;
    }
    if (corner && letters_rather_than_labels()) return std::nullopt;
    source_.info.format = Format::dense;
    tell_labels(
        fmt::format("the first line and the first column were taken for labels of a matrix of {} rows "
                    "and {} columns",
                    matrix.rows.size(), width));
    return source_.matrix(matrix, false);
  }

  static bool has_loop(const std::vector<TableRow>& rows) {
    return std::any_of(rows.begin(), rows.end(), [](const TableRow& row) {
      return is_whole(row.fields[0]) && row.fields[0] == row.fields[1];
    });
  }

  // Names above numbers: a matrix where these are no edges.
  std::optional<Graph> headed() {
    const std::vector<std::string_view>& head = rows_[0].fields;
    const std::size_t width = head.size();
    // A number among names is one where the line is said to be a header.
    const bool said = is_said(Format::dense) && source_.options.first_line == FirstLine::header;
    if (!said && std::any_of(head.begin(), head.end(), is_number_literal)) return std::nullopt;
    if (names_ends(head)) return std::nullopt;
    if (!said && letters_above()) return table_.delimiter == ' ' ? std::nullopt : without_labels(0);
    const std::vector<TableRow> rows = body(1, 0);
    const bool square = rows.size() == width;
    const bool edges = may_be_ends(rows, 0, 1);
    if (has_complex_ends(1) || source_.info.format == Format::dense) edges_are_none_ = true;
    if (edges && !edges_are_none_) {
      if (!square && width < 4) return std::nullopt;
      source_.ask(rows_[0].line, fmt::format("names above {} columns of numbers", width),
                  "--ends 1,2 (edges)", "--format dense (a matrix)");
    }
    if (width < 4 && !square && source_.info.format != Format::dense) {
      // Three columns whose first two are no edges of a graph.
      if (width == 3 && !edges && source_.edge_kind() == GraphKind::undirected && has_loop(rows) &&
          !is_said(Format::csv) && !is_said(Format::edge_list) && source_.options.loops == LoopPolicy::reject)
        source_.ask(rows_[0].line, fmt::format("names above {} columns of numbers", width),
                    "--ends 1,2 (edges, some from a vertex to itself)", "--format dense (a matrix)");
      return std::nullopt;
    }
    source_.info.format = Format::dense;
    tell_labels(
        fmt::format("the first line was taken for labels of the columns of a matrix of "
                    "{} rows and {} columns",
                    rows.size(), width));
    return source_.matrix({rows, {}, head}, false);
  }

  const TableSource& source_;
  const WordTable& table_;
  std::vector<TableRow> rows_;
  std::deque<std::string> joined_;
  bool units_ = false;  // there are complex numbers
  bool edges_are_none_ = false;
};

}  // namespace

std::optional<Graph> read_table_matrix(const TableSource& source, const WordTable& table) {
  return TableMatrix(source, table).read();
}

}  // namespace countpm
