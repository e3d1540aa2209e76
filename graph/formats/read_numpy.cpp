// Matrices in NumPy's files: .npy, an array of two dimensions; .npz, a zip archive with one of these, or with
// what scipy.sparse.save_npz writes (csr, csc, coo). rows x columns, as dense text. O(bytes).
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "graph/errors.hpp"
#include "graph/formats/npy_array.hpp"
#include "graph/formats/reader.hpp"
#include "graph/formats/zip_members.hpp"
#include "graph/graph_builder.hpp"
#include "graph/stop_poll.hpp"

namespace countpm {
namespace {

class NumpyReader {
 public:
  NumpyReader(const std::string& name, const ReadOptions& options, InputInfo& info)
      : name_(name),
        options_(options),
        info_(info),
        weights_(options.weights),
        builder_(name, GraphKind::bipartite, options, info) {
    builder_.zeros_are_no_edges();
  }

  Graph dense(const NpyArray& array) {
    if (array.shape().size() != 2)
      fail("an array of two dimensions", fmt::format("{}", array.shape().size()));
    if (const std::optional<EdgeArray> edges = edges_in(array)) return read_edges(array, *edges);
    set_size(array.shape()[0], array.shape()[1]);
    const std::uint64_t columns = array.shape()[1];
    for (std::uint64_t k = 0; k < array.size(); ++k) add(k / columns, k % columns, array.at(k));
    return builder_.finish();
  }

  Graph archive(std::string_view bytes) {
    members_ = zip_members(bytes, name_);
    if (find("shape") != nullptr && (find("indices") != nullptr || find("row") != nullptr)) return sparse();
    if (members_.size() != 1) {
      std::string names;
      for (const ZipMember& member : members_) names += (names.empty() ? "" : ", ") + member.name;
      fail("one array, or a sparse matrix of SciPy (numpy.save of one of them)",
           members_.empty() ? "none" : names);
    }
    return dense(NpyArray(members_.front().bytes, name_));
  }

 private:
  [[noreturn]] void fail(std::string expected, std::string found) const {
    throw InputError(name_, 0, std::move(expected), std::move(found));
  }

  // Edges as rows (m x 2, m x 3 with weights) or as columns (2 x m).
  struct EdgeArray {
    std::uint64_t count = 0;
    bool by_columns = false;
    bool weights = false;
  };

  // Whether the array holds edges: whole numbers, not square, and not only 0 and 1. It is a matrix as well
  // unless
  // --kind says a graph, whose matrix would be square.
  std::optional<EdgeArray> edges_in(const NpyArray& array) const {
    const std::uint64_t rows = array.shape()[0];
    const std::uint64_t columns = array.shape()[1];
    EdgeArray found;
    if ((columns == 2 || columns == 3) && rows > columns) {
      found = {rows, false, columns == 3};
    } else if (rows == 2 && columns > 3) {
      found = {columns, true, false};
    } else {
      return std::nullopt;
    }
    const bool graph_said =
        options_.symmetric || options_.kind.value_or(GraphKind::bipartite) != GraphKind::bipartite;
    bool other_values = false;
    for (std::uint64_t k = 0; k < found.count; ++k) {
      const Weight from = array.at(end_at(found, k, 0));
      const Weight to = array.at(end_at(found, k, 1));
      const auto is_index = [](const Weight& weight) {
        const auto* whole = std::get_if<std::int64_t>(&weight.value);
        return weight.kind == WeightKind::integer && whole != nullptr && *whole >= 0;
      };
      if (!is_index(from) || !is_index(to)) return std::nullopt;
      other_values = other_values || (!from.is_zero() && !from.is_one()) || (!to.is_zero() && !to.is_one());
      if (from.value == to.value && !graph_said) return std::nullopt;
    }
    if (graph_said) return found;
    if (options_.kind || !other_values) return std::nullopt;
    fail(
        "one reading: --kind undirected (edges, by the numbers of their ends), or --kind bipartite (a "
        "matrix, "
        "rows x "
        "columns)",
        fmt::format("an array of {} times {} whole numbers", rows, columns));
  }

  static std::uint64_t end_at(const EdgeArray& edges, std::uint64_t edge, std::uint64_t end) {
    if (edges.by_columns) return end * edges.count + edge;
    return edge * (edges.weights ? 3 : 2) + end;
  }

  Graph read_edges(const NpyArray& array, const EdgeArray& edges) {
    info_.warnings.push_back(fmt::format(
        "{}: the {} of an array were taken for edges, by the numbers of their ends{}", quoted(name_, 400),
        edges.by_columns ? "columns" : "rows", edges.weights ? ", and their weights" : ""));
    const GraphKind kind =
        options_.symmetric ? GraphKind::undirected : options_.kind.value_or(GraphKind::undirected);
    GraphBuilder builder(name_, kind, options_, info_);
    for (std::uint64_t k = 0; k < edges.count; ++k) {
      poll_.step();
      const Index from = builder.left(std::to_string(array.index_at(end_at(edges, k, 0))));
      const Index to = builder.right(std::to_string(array.index_at(end_at(edges, k, 1))));
      if (edges.weights) {
        builder.add(from, to, 0, array.at(end_at(edges, k, 2)));
      } else {
        builder.add(from, to, 0);
      }
    }
    return builder.finish();
  }

  void set_size(std::uint64_t rows, std::uint64_t columns) {
    if (rows >= no_index || columns >= no_index) throw std::length_error("too many rows or columns");
    rows_ = rows;
    columns_ = columns;
    builder_.number_vertices(static_cast<Index>(rows), static_cast<Index>(columns));
  }

  void add(std::uint64_t row, std::uint64_t column, const Weight& weight) {
    poll_.step();
    if (row >= rows_ || column >= columns_)
      fail(fmt::format("a row below {} and a column below {}, counted from 0", rows_, columns_),
           fmt::format("{}, {}", row, column));
    if (!weights_ && !weight.is_zero() && !weight.is_one())
      fail("0 or 1 (other values need --weights)",
           fmt::format("another value in row {} and column {}", row + 1, column + 1));
    if (!weight.is_zero()) builder_.add(static_cast<Index>(row), static_cast<Index>(column), 0, weight);
  }

  const ZipMember* find(const std::string& name) const {
    const auto found = std::find_if(members_.begin(), members_.end(),
                                    [&](const ZipMember& m) { return m.name == name + ".npy"; });
    return found == members_.end() ? nullptr : &*found;
  }

  NpyArray array(const std::string& name) const {
    const ZipMember* const member = find(name);
    if (member == nullptr) fail(fmt::format("a sparse matrix with a member {}.npy", name), "none");
    return NpyArray(member->bytes, name_);
  }

  Graph sparse() {
    const NpyArray shape = array("shape");
    if (shape.size() != 2) fail("two sizes", fmt::format("{}", shape.size()));
    set_size(shape.index_at(0), shape.index_at(1));
    const std::string format = find("format") != nullptr ? array("format").text() : "coo";
    const NpyArray data = array("data");
    if (format == "coo") {
      const NpyArray row = array("row");
      const NpyArray column = array(find("col") != nullptr ? "col" : "column");
      if (row.size() != data.size() || column.size() != data.size())
        fail("as many rows and columns as values", "others");
      for (std::uint64_t k = 0; k < data.size(); ++k) add(row.index_at(k), column.index_at(k), data.at(k));
      return builder_.finish();
    }
    if (format != "csr" && format != "csc")
      fail("a sparse matrix in csr, csc or coo (scipy.sparse.save_npz(FILE, m.tocsr()))", format);
    const NpyArray start = array("indptr");
    const NpyArray other = array("indices");
    const std::uint64_t lines = format == "csr" ? rows_ : columns_;
    if (start.size() != lines + 1 || other.size() != data.size() || start.index_at(lines) != data.size())
      fail("as many indices as values", "others");
    for (std::uint64_t i = 0; i < lines; ++i) {
      const std::uint64_t end = start.index_at(i + 1);
      if (end > data.size()) fail("as many indices as values", "others");
      for (std::uint64_t k = start.index_at(i); k < end; ++k) {
        if (format == "csr") {
          add(i, other.index_at(k), data.at(k));
        } else {
          add(other.index_at(k), i, data.at(k));
        }
      }
    }
    return builder_.finish();
  }

  const std::string& name_;
  const ReadOptions& options_;
  InputInfo& info_;
  bool weights_;
  GraphBuilder builder_;
  StopPoll poll_;
  std::uint64_t rows_ = 0;
  std::uint64_t columns_ = 0;
  std::vector<ZipMember> members_;
};

}  // namespace

Graph read_npy(std::string_view bytes, const std::string& name, const ReadOptions& options, InputInfo& info) {
  return NumpyReader(name, options, info).dense(NpyArray(bytes, name));
}

Graph read_npz(std::string_view bytes, const std::string& name, const ReadOptions& options, InputInfo& info) {
  return NumpyReader(name, options, info).archive(bytes);
}

}  // namespace countpm
