// Matrices in NumPy's files: .npy, an array of two dimensions; .npz, a zip archive with one of these, or with
// what scipy.sparse.save_npz writes (csr, csc, coo). rows x columns, as dense text. O(bytes).
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "graph/errors.hpp"
#include "graph/graph_builder.hpp"
#include "graph/npy_array.hpp"
#include "graph/reader.hpp"
#include "graph/stop_poll.hpp"
#include "graph/zip_members.hpp"

namespace countpm {
namespace {

class NumpyReader {
 public:
  NumpyReader(const std::string& name, const ReadOptions& options, InputInfo& info)
      : name_(name), weights_(options.weights), builder_(name, GraphKind::bipartite, options, info) {
    builder_.zeros_are_no_edges();
  }

  Graph dense(const NpyArray& array) {
    if (array.shape().size() != 2)
      fail("an array of two dimensions", fmt::format("{}", array.shape().size()));
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
