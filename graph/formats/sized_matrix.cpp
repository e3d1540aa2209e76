// A matrix below its size: "4" or "3 4", and then the rows. O(bytes).
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "graph/formats/table_reading.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

class SizedMatrix {
 public:
  SizedMatrix(const TableSource& source, const WordTable& table)
      : source_(source), head_(table.rows.front()), body_(table.rows.begin() + 1, table.rows.end()) {}

  std::optional<Graph> read() {
    if (!take_size() || !take_rows()) return std::nullopt;
    const bool may_be_edges = head_.fields.size() == 2 && !packed_;
    // Then a header is the numbers of vertices and edges, and what is wrong with the edges is said.
    if (may_be_edges && source_.options.first_line == FirstLine::header && !is_matrix_alone())
      return std::nullopt;
    if (may_be_edges && !is_certain()) {
      source_.ask(head_.line,
                  fmt::format("{} {} above {} lines of {} numbers", rows_, columns_, rows_, columns_),
                  "--format dense (numbers of rows and columns, and a matrix)",
                  rows_ == columns_ ? "--first-line header (numbers of vertices and edges)"
                                    : "--first-line edge (an edge without a weight)");
    }
    source_.tell_head(head_.line, head_.fields.size() == 1
                                      ? "the first line was taken for the number of rows"
                                      : "the first line was taken for the numbers of rows and columns");
    source_.info.format = Format::dense;
    return source_.matrix({std::move(body_), {}, {}}, true);
  }

 private:
  bool take_size() {
    if (head_.fields.empty() || head_.fields.size() > 2 || body_.size() < 2) return false;
    const auto rows = parse_number(head_.fields.front());
    const auto columns = parse_number(head_.fields.back());
    if (!rows || !columns || *rows != body_.size()) return false;
    rows_ = *rows;
    columns_ = *columns;
    return true;
  }

  bool take_rows() {
    const auto are_packed = [&](const TableRow& row) {
      return row.fields.size() == 1 && row.fields[0].size() == columns_ &&
             row.fields[0].find_first_not_of("01") == std::string_view::npos;
    };
    packed_ = columns_ > 1 && std::all_of(body_.begin(), body_.end(), are_packed);
    if (packed_) {
      for (TableRow& row : body_) {
        // cppcheck-suppress containerOutOfBounds ; are_packed() says that it has one
        const std::string_view word = row.fields[0];
        row.fields.clear();
        for (std::size_t k = 0; k < word.size(); ++k) row.fields.push_back(word.substr(k, 1));
      }
      return true;
    }
    return std::all_of(body_.begin(), body_.end(), [&](const TableRow& row) {
      return row.fields.size() == columns_ &&
             (head_.fields.size() == 1 ||
              std::all_of(row.fields.begin(), row.fields.end(), is_number_literal));
    });
  }

  bool is_matrix_alone() const { return columns_ > 3 || source_.info.format == Format::dense; }

  // Whether the lines are neither edges below their number nor such with the first.
  bool is_certain() const {
    if (is_matrix_alone()) return true;
    if (columns_ == 1) return false;
    const bool undirected = source_.edge_kind() == GraphKind::undirected;
    if (rows_ != columns_ || !undirected) return false;
    return !are_edges_so_numbered();
  }

  // Edges of vertices up to the number of rows, none of them twice. Loops may be among them where the numbers
  // reach that far: those of a matrix of 0 and 1 do not.
  bool are_edges_so_numbered() const {
    std::set<std::pair<std::uint64_t, std::uint64_t>> edges;
    std::uint64_t most = 0;
    bool loops = false;
    for (const TableRow& row : body_) {
      const auto from = parse_number(row.fields[0]);
      const auto to = parse_number(row.fields[1]);
      if (!from || !to || !edges.insert(std::minmax(*from, *to)).second) return false;
      most = std::max({most, *from, *to});
      loops = loops || from == to;
    }
    return most <= rows_ && (!loops || most + 1 >= rows_);
  }

  const TableSource& source_;
  TableRow head_;
  std::vector<TableRow> body_;
  bool packed_ = false;  // a word a row
  std::uint64_t rows_ = 0;
  std::uint64_t columns_ = 0;
};

}  // namespace

std::optional<Graph> read_sized_matrix(const TableSource& source, const WordTable& table) {
  if (table.rows.size() < 3 || source.options.first_line == FirstLine::edge) return std::nullopt;
  // "n m" and edges of two ends each: the other reader of first lines knows more.
  if (table.rows[0].fields.size() > 2) return std::nullopt;
  return SizedMatrix(source, table).read();
}

}  // namespace countpm
