// Matrix Market: coordinate and array; pattern, integer, real, complex; general, symmetric, skew-symmetric,
// hermitian. The matrix is a biadjacency matrix, rows x columns, unless options.kind says otherwise.
// Reference: R. Boisvert, R. Pozo, K. Remington, The Matrix Market Exchange Formats, NISTIR 5935 (1996).
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "graph/errors.hpp"
#include "graph/formats/reader.hpp"
#include "graph/graph_builder.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

enum class Field { pattern, integer, real, complex };
enum class Symmetry { general, symmetric, skew, hermitian };

class MatrixMarketReader {
 public:
  MatrixMarketReader(std::string_view bytes, const std::string& name, const ReadOptions& options,
                     InputInfo& info)
      : name_(name),
        options_(options),
        info_(info),
        lines_(bytes),
        builder_(name, GraphKind::bipartite, options, info) {
    builder_.reserve(bytes.size() / 32);
    builder_.zeros_are_no_edges();
  }

  Graph read() {
    read_header();
    read_size();
    if (array_) {
      read_array();
    } else {
      read_coordinates();
    }
    if (next_data_line()) {
      fail(fmt::format("the end after {} {} ({})", entries_, entries_ == 1 ? "entry" : "entries",
                       stored_text()),
           fmt::format(
               "another line, {}{}", shown(lines_.line()),
               array_ && symmetry_ == Symmetry::skew ? " (does the file have the diagonal, too?)" : ""));
    }
    if (symmetry_ != Symmetry::general && !options_.kind) {
      info_.assumptions.emplace_back(
          "the header says that the matrix is symmetric: it was taken as rows x columns all the same (its "
          "permanent); "
          "--kind undirected takes it for the adjacency matrix of a graph");
    }
    return builder_.finish();
  }

 private:
  [[noreturn]] void fail(std::string expected, std::string found) const {
    throw InputError(name_, lines_.number(), std::move(expected), std::move(found));
  }

  std::size_t choose(std::string_view word, const std::vector<std::string_view>& names) const {
    const std::string lower = ascii_lower(word);
    const auto at = std::find(names.begin(), names.end(), lower);
    if (at == names.end())
      fail(fmt::format("one of {}", fmt::join(names, ", ")), word.empty() ? "nothing" : shown(word));
    return static_cast<std::size_t>(at - names.begin());
  }

  void read_header() {
    const bool any = lines_.next();
    const std::string mark = any ? ascii_lower(lines_.word()) : "";
    if (mark == "%matrixmarket")
      info_.warnings.push_back(fmt::format(
          "{}:1: a header with one % for two was taken for that of Matrix Market", quoted(name_, 400)));
    if (mark != "%%matrixmarket" && mark != "%matrixmarket") {
      fail("the header '%%MatrixMarket matrix ...'", any ? shown(lines_.line()) : "nothing");
    }
    choose(lines_.word(), {"matrix"});
    array_ = choose(lines_.word(), {"coordinate", "array"}) == 1;
    // The last two are what fast_matrix_market and SciPy's older writers say for the second and the third.
    const std::size_t field =
        choose(lines_.word(), {"pattern", "integer", "real", "complex", "unsigned-integer", "double"});
    field_ = field == 4 ? Field::integer : field == 5 ? Field::real : static_cast<Field>(field);
    symmetry_ =
        static_cast<Symmetry>(choose(lines_.word(), {"general", "symmetric", "skew-symmetric", "hermitian"}));
    if (!lines_.line_done()) fail("the end of the header", shown(lines_.word()));
    if (array_ && field_ == Field::pattern) fail("integer, real or complex values in an array", "pattern");
    if (symmetry_ == Symmetry::hermitian && field_ != Field::complex)
      fail("complex values in a hermitian matrix", "another field");
    if (symmetry_ == Symmetry::skew && field_ == Field::pattern)
      fail("values in a skew-symmetric matrix", "pattern");
  }

  /// Which entries a file has.
  std::string stored_text() const {
    if (!array_) return "as the size line says";
    switch (symmetry_) {
      case Symmetry::skew:
        return "a skew-symmetric array has those below the diagonal alone";
      case Symmetry::symmetric:
      case Symmetry::hermitian:
        return "a symmetric array has those on and below the diagonal alone";
      default:
        return fmt::format("{} rows and {} columns", rows_, columns_);
    }
  }

  // The next line that is neither blank nor a comment.
  bool next_data_line() {
    while (lines_.next()) {
      if (lines_.line().size() > text_line_limit) fail("a line of at most 1 MiB", "a longer line");
      if (!lines_.line_done() && lines_.line().front() != '%') return true;
    }
    return false;
  }

  Index read_dimension(const char* what) {
    const std::string_view word = lines_.word();
    const std::optional<std::uint64_t> value = parse_number(word);
    if (!value || *value >= no_index) {
      fail(fmt::format("the number of {}, at most {}", what, no_index - 1),
           word.empty() ? "nothing" : shown(word));
    }
    return static_cast<Index>(*value);
  }

  void read_size() {
    if (!next_data_line()) fail("a line with the size of the matrix", "the end");
    rows_ = read_dimension("rows");
    columns_ = read_dimension("columns");
    if (array_) {
      expected_ = std::uint64_t{rows_} * columns_;
    } else {
      const std::string_view word = lines_.word();
      const std::optional<std::uint64_t> value = parse_number(word);
      if (!value) fail("the number of entries", word.empty() ? "nothing" : shown(word));
      expected_ = *value;
    }
    if (!lines_.line_done()) fail("the end of the size line", shown(lines_.word()));
    const bool must_be_square = symmetry_ != Symmetry::general ||
                                options_.kind.value_or(GraphKind::bipartite) != GraphKind::bipartite;
    if (must_be_square && rows_ != columns_) {
      fail(symmetry_ != Symmetry::general ? "a square matrix, as its symmetry demands"
                                          : "a square matrix, as an adjacency matrix is",
           fmt::format("{} rows and {} columns", rows_, columns_));
    }
    if (array_ && symmetry_ == Symmetry::skew)
      expected_ = rows_ == 0 ? 0 : std::uint64_t{rows_} * (rows_ - 1) / 2;
    if (array_ && (symmetry_ == Symmetry::symmetric || symmetry_ == Symmetry::hermitian)) {
      expected_ = std::uint64_t{rows_} * (std::uint64_t{rows_} + 1) / 2;
    }
    builder_.number_vertices(rows_, columns_);
  }

  Index read_index(const char* what, Index most) {
    const std::string_view word = lines_.word();
    const std::optional<std::uint64_t> value = parse_number(word);
    if (!value || *value == 0 || *value > most) {
      fail(fmt::format("a {} from 1 to {}", what, most), word.empty() ? "nothing" : shown(word));
    }
    return static_cast<Index>(*value - 1);
  }

  void read_coordinates() {
    for (; entries_ < expected_; ++entries_) {
      next_entry();
      const Index row = read_index("row", rows_);
      const Index column = read_index("column", columns_);
      if (symmetry_ != Symmetry::general && column > row) {
        fail("an entry on or below the diagonal of a symmetric matrix", shown(lines_.line()));
      }
      read_value(row, column);
    }
  }

  // Column by column; of symmetric kinds the lower triangle alone. Columns without entries, which may be
  // 2^32, are not walked.
  void read_array() {
    for (Index column = 0; entries_ < expected_; ++column) {
      const Index first = symmetry_ == Symmetry::general ? 0
                          : symmetry_ == Symmetry::skew  ? column + 1
                                                         : column;
      for (Index row = first; row < rows_; ++row, ++entries_) {
        next_entry();
        read_value(row, column);
      }
    }
  }

  void next_entry() {
    if (!next_data_line())
      fail(fmt::format("{} entries", expected_), fmt::format("the end after {}", entries_));
  }

  // The value on the rest of the line, and the entries that it stands for.
  void read_value(Index row, Index column) {
    if (field_ == Field::pattern) {
      end_entry();
      add(row, column, std::nullopt);
      return;
    }
    const std::string_view re = lines_.word();
    const std::string_view im = field_ == Field::complex ? lines_.word() : std::string_view();
    if (re.empty()) fail("a value", "none");
    end_entry();
    if (field_ == Field::complex) {
      add(row, column, parse_complex_weight(re, im, name_, lines_.number()));
      return;
    }
    Weight weight = parse_weight(re, name_, lines_.number());
    if (weight.kind > WeightKind::integer && (field_ == Field::integer || weight.kind != WeightKind::real)) {
      fail(field_ == Field::integer ? "an integer" : "a real number", shown(re));
    }
    // The header decides: 3 in a real matrix is a real number.
    weight.kind = field_ == Field::integer ? WeightKind::integer : WeightKind::real;
    add(row, column, weight);
  }

  void end_entry() {
    if (!lines_.line_done()) fail("the end of the entry", shown(lines_.word()));
  }

  void add(Index row, Index column, const std::optional<Weight>& weight) {
    const std::uint64_t line = lines_.number();
    if (row == column && symmetry_ == Symmetry::skew)
      fail("no diagonal entry in a skew-symmetric matrix", shown(lines_.line()));
    if (!weight) {
      builder_.add(row, column, line);
      if (row != column && symmetry_ != Symmetry::general) builder_.add(column, row, line);
      return;
    }
    if (row == column && symmetry_ == Symmetry::hermitian &&
        std::get<ComplexRational>(weight->value).im != 0) {
      fail("a real value on the diagonal of a hermitian matrix", shown(lines_.line()));
    }
    builder_.add(row, column, line, *weight);
    if (row == column || symmetry_ == Symmetry::general) return;
    if (symmetry_ == Symmetry::symmetric) builder_.add(column, row, line, *weight);
    if (symmetry_ == Symmetry::skew) builder_.add(column, row, line, negated(*weight));
    if (symmetry_ == Symmetry::hermitian) builder_.add(column, row, line, conjugated(*weight));
  }

  const std::string& name_;
  const ReadOptions& options_;
  InputInfo& info_;
  TextLines lines_;
  GraphBuilder builder_;
  bool array_ = false;
  Field field_ = Field::pattern;
  Symmetry symmetry_ = Symmetry::general;
  Index rows_ = 0;
  Index columns_ = 0;
  std::uint64_t expected_ = 0;
  std::uint64_t entries_ = 0;
};

}  // namespace

Graph read_matrix_market(std::string_view bytes, const std::string& name, const ReadOptions& options,
                         InputInfo& info) {
  return MatrixMarketReader(bytes, name, options, info).read();
}

}  // namespace countpm
