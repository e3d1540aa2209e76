// Printed matrices as graphs, and what is said about them.
#include <fmt/format.h>

#include <algorithm>

#include "graph/formats/printed_matrix.hpp"
#include "graph/formats/table_reading.hpp"
#include "graph/number_dialects.hpp"
#include "graph/without_space.hpp"

namespace countpm {
namespace {

constexpr std::size_t largest_printed = std::size_t{64} << 20U;

/// "0 1 2 ...": what pandas prints above columns.
bool counts_from_zero(std::string_view line) {
  TextLines words(line);
  words.next();
  std::uint64_t count = 0;
  for (std::string_view word = words.word(); !word.empty(); word = words.word(), ++count) {
    if (parse_number(word) != count) return false;
  }
  return count > 2;
}

/// Whether the first line with words is two or three of letters, digits, points and signs, as nearly all edge
/// lists have it: then the text is nothing printed.
bool begins_as_edges(std::string_view text) {
  TextLines lines(text);
  while (lines.next()) {
    if (lines.line_done()) continue;
    const std::string_view line = without_space(lines.line());
    if (line.empty()) continue;  // of CR alone
    if (line.front() == '#') {
      if (line.find("Created by Octave") != std::string_view::npos ||
          line.find("name:") != std::string_view::npos)
        return false;
      continue;
    }
    if (line.front() == '%') continue;
    const std::string_view first = lines.word();
    if (first == "import" || first == "from" || first == "using") return false;
    return line.find_first_not_of(
               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-/ \t\r") ==
               std::string_view::npos &&
           line.find("Matri") == std::string_view::npos && line.find("olumn") == std::string_view::npos &&
           line.find("rray") == std::string_view::npos && !counts_from_zero(line);
  }
  return true;
}

/// The number times the power of ten that the factor is.
std::string scaled(std::string_view entry, std::int64_t power) {
  // The exponents of both parts of a complex number.
  std::string result;
  std::size_t at = 0;
  while (at < entry.size()) {
    const std::size_t start = at;
    while (at < entry.size() && ((entry[at] >= '0' && entry[at] <= '9') || entry[at] == '.')) ++at;
    if (at == start) {
      result += entry[at++];
      continue;
    }
    result += entry.substr(start, at - start);
    std::int64_t exponent = 0;
    if (at + 1 < entry.size() && (entry[at] == 'e' || entry[at] == 'E')) {
      const std::size_t digits = at + (entry[at + 1] == '-' || entry[at + 1] == '+' ? 2 : 1);
      std::size_t end = digits;
      while (end < entry.size() && entry[end] >= '0' && entry[end] <= '9') ++end;
      exponent = static_cast<std::int64_t>(parse_number(entry.substr(digits, end - digits)).value_or(0));
      if (entry[at + 1] == '-') exponent = -exponent;
      at = end;
    }
    result += fmt::format("e{}", exponent + power);
  }
  return result;
}

class PrintedReader {
 public:
  explicit PrintedReader(const TableSource& source) : source_(source) {}

  std::optional<Graph> read() {
    std::string_view text = source_.bytes;
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    if (text.size() > largest_printed || begins_as_edges(text)) return std::nullopt;
    if (said_delimiter(text.substr(0, text.find_first_of("\r\n")))) return std::nullopt;
    const std::string plain = without_comments(text);
    if (!plain.empty()) text = plain;
    try {
      if (!edges_said()) {
        if (std::optional<PrintedEntries> entries = printed_entries(text)) return of_entries(*entries);
      }
      if (std::optional<PrintedMatrix> matrix = matrix_literal(text)) return of_matrix(*matrix);
      if (std::optional<PrintedMatrix> matrix = matrix_lines(text)) return of_matrix(*matrix);
    } catch (const PrintedFault& fault) {
      source_.fail(fault.line, fault.expected, fault.found);
    }
    return std::nullopt;
  }

 private:
  // By --format or by the ending.
  bool dense_said() const { return dense_said_; }

  bool edges_said() const { return source_.options.format == Format::edge_list; }

  bool csv_said() const {
    return source_.info.format == Format::csv && source_.info.format_by != FormatBy::content;
  }

  // Edges cannot be meant.
  bool matrix_said() const { return dense_said() || source_.options.kind == GraphKind::bipartite; }

  std::optional<Graph> of_matrix(PrintedMatrix& matrix) {
    const std::vector<TableRow>& rows = matrix.rows;
    const std::size_t width = rows.front().fields.size();
    const bool square = rows.size() == width;
    if (matrix.decimal_columns > 0) {
      if (edges_said() || csv_said() || !is_decimal_matrix(matrix)) return std::nullopt;
      source_.warn(rows[0].line, "commas in numbers of a matrix were taken for decimal points");
      source_.info.format = Format::dense;
      return source_.matrix({std::move(matrix.rows), {}, {}}, false);
    }
    const bool whole_ends = width > 1 && std::all_of(rows.begin(), rows.end(), [](const TableRow& row) {
                              return is_whole(row.fields[0]) && is_whole(row.fields[1]);
                            });
    const bool ends = (width == 2 || width == 3) && whole_ends && (!matrix.certain || !square);
    if (edges_said()) return matrix.certain || !ends ? std::nullopt : std::optional<Graph>(edges(rows));
    if (ends && !dense_said() && !(square && matrix_said())) {
      if (!matrix.certain && !square) return edges(rows);
      if (square)
        source_.ask(rows[0].line, fmt::format("a list of {} times {} numbers", width, width),
                    "--format edgelist (edges)", "--format dense (a matrix)");
      if (!source_.options.kind && may_be_ends(rows, 0, 1))
        source_.ask(
            rows[0].line,
            fmt::format("a matrix of {} rows and {} columns, whose rows may be edges", rows.size(), width),
            "--kind undirected (edges)", "--kind bipartite (a matrix, rows x columns)");
      if (source_.options.kind != GraphKind::bipartite && may_be_ends(rows, 0, 1)) return edges(rows);
    }
    if (!matrix.factor.empty()) scale(matrix);
    source_.info.format = Format::dense;
    return source_.matrix({std::move(matrix.rows), {}, {}}, false);
  }

  // Numbers with decimal commas, or edges whose labels have commas, or whose weights have.
  bool is_decimal_matrix(const PrintedMatrix& matrix) const {
    const std::size_t width = matrix.rows.front().fields.size();
    if (source_.info.format == Format::dense || width > 3) return true;
    if (width == 3 && matrix.decimal_columns == 3) return matrix.decimal_ends;
    const bool counts =
        source_.options.weights ||
        std::all_of(matrix.rows.begin(), matrix.rows.end(), [](const TableRow& row) {
          return std::all_of(row.fields.begin(), row.fields.end(), [](std::string_view field) {
            const Weight value = parse_weight(field, "", 0);
            return value.is_zero() || value.is_one();
          });
        });
    // cppcheck-suppress missingReturn ; ask() throws
    if (width < 2 || matrix.rows.size() != width || !counts) return false;
    source_.ask(matrix.rows[0].line, "numbers with commas, which may be decimal points",
                "--format dense (a matrix of decimals, 1,5 for 1.5)",
                source_.bytes.find(';') == std::string_view::npos && source_.info.format != Format::csv
                    ? "--format edgelist (edges, the commas parts of labels)"
                    : "--format csv (edges, the commas parts of labels)");
  }

  Graph edges(const std::vector<TableRow>& rows) const {
    std::vector<TableEdge> edges;
    edges.reserve(rows.size());
    for (const TableRow& row : rows)
      edges.push_back({row.line, row.fields[0], row.fields[1],
                       row.fields.size() == 3 ? row.fields[2] : std::string_view()});
    source_.info.format = Format::edge_list;
    if (edges_said()) {
      source_.info.assumptions.emplace_back("the lists in brackets were taken for edges");
    } else {
      source_.warn(0, "a list in brackets was taken for edges");
    }
    return source_.edges(edges);
  }

  void scale(PrintedMatrix& matrix) const {
    const std::size_t e = matrix.factor.find_first_of("eE");
    const std::string_view mantissa = matrix.factor.substr(0, e);
    const bool one = mantissa.starts_with('1') &&
                     mantissa.find_first_not_of("0.", 1) == std::string_view::npos && mantissa.find('.') <= 1;
    if (!one || e == std::string_view::npos)
      source_.fail(0, "a power of ten as the factor of all entries, as 1.0e+03 *",
                   fmt::format("{} *", matrix.factor));
    std::string_view digits = matrix.factor.substr(e + 1);
    const bool negative = digits.starts_with('-');
    if (negative || digits.starts_with('+')) digits.remove_prefix(1);
    const auto power = static_cast<std::int64_t>(parse_number(digits).value_or(0));
    for (TableRow& row : matrix.rows) {
      for (std::string_view& field : row.fields) {
        const std::optional<std::string> plain = rewritten_number(field);
        field = matrix.texts.emplace_back(
            scaled(plain ? std::string_view(*plain) : field, negative ? -power : power));
      }
    }
    source_.warn(
        0, fmt::format("all entries were multiplied by {}, the factor printed above them", matrix.factor));
  }

  std::optional<Graph> of_entries(const PrintedEntries& found) {
    // Without a heading they may be edges, which the reader of joined ends knows.
    if (!found.certain && !matrix_said()) return std::nullopt;
    if (found.rows >= no_index || found.columns >= no_index)
      source_.fail(0, "at most 4294967294 rows and columns", "more");
    source_.info.format = Format::dense;
    if (!found.sized)
      source_.warn(
          0, fmt::format("the size of a sparse matrix was taken from its entries: {} rows and {} columns",
                         found.rows, found.columns));
    GraphBuilder builder(source_.name, GraphKind::bipartite, source_.options, source_.info);
    builder.zeros_are_no_edges();
    builder.must_be_symmetric();
    builder.number_vertices(static_cast<Index>(found.rows), static_cast<Index>(found.columns));
    for (const PrintedEntries::Entry& one : found.entries) {
      const Weight value = parse_weight(one.value, source_.name, one.line);
      if (!source_.options.weights && !value.is_zero() && !value.is_one())
        source_.fail(one.line, "0 or 1 (other values need --weights)", fmt::format("'{}'", one.value));
      builder.add(static_cast<Index>(one.row), static_cast<Index>(one.column), one.line, value);
    }
    return builder.finish();
  }

  const TableSource& source_;
  bool dense_said_ = source_.info.format == Format::dense && source_.info.format_by != FormatBy::content;
};

}  // namespace

std::optional<Graph> read_printed(const TableSource& source) {
  return PrintedReader(source).read();
}

}  // namespace countpm
