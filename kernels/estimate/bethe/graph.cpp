#include "kernels/estimate/bethe/graph.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "graph/errors.hpp"

namespace countpm {
namespace {

using EdgeNumber = BetheGraph::EdgeNumber;
using Vertex = BetheGraph::Vertex;

// Walks on fewer rows have exact tails, or are cheap.
constexpr std::uint32_t fewest_forking = 256;
constexpr std::uint32_t rows_over_forked = 4;
constexpr std::uint32_t fewest_forked = 16;
// Where more edges a row are left a walk does not fork: vertices of degree 2 are contracted to no more.
constexpr std::uint32_t most_kept_degree = 8;

std::uint32_t degree_in(const SparsePattern& pattern, std::uint32_t row) {
  return static_cast<std::uint32_t>(pattern.row_start[row + std::size_t{1}] - pattern.row_start[row]);
}

/// Parts of a block of memory, each on a cache line of its own.
class Parts {
 public:
  template <class T>
  std::size_t of(std::size_t count) {
    constexpr std::size_t line = 64;
    const std::size_t at = bytes_;
    bytes_ = (at + count * sizeof(T) + line - 1) / line * line;
    return at;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

}  // namespace

BetheLayout::BetheLayout(const SampleMatrix& matrix, std::uint32_t waiting_vertices)
    : size(matrix.rows.rows), most_degree(BetheGraph::most_contracted_degree), waiting(waiting_vertices) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max() / 2;
  const std::uint64_t entries = matrix.rows.entries();
  if (size > most || entries > most)
    throw UnableError("the sampler bethe takes blocks of fewer than 2^31 rows and entries",
                      "--sampler scaling+ has no such limit");
  std::size_t in_long_lists = 0;
  for (const SparsePattern* pattern : {&matrix.rows, &matrix.columns}) {
    for (std::uint32_t i = 0; i < size; ++i) {
      const std::uint32_t degree = degree_in(*pattern, i);
      most_degree = std::max(most_degree, degree);
      if (degree > BetheGraph::most_contracted_degree) in_long_lists += degree;
    }
  }
  const std::size_t vertices = 2 * std::size_t{size};
  Parts parts;
  parts.of<BetheGraph::Head>(1);
  edges = parts.of<BetheGraph::Edge>(entries);
  places = parts.of<std::uint32_t>(2 * entries);
  records = parts.of<BetheGraph::Record>(vertices);
  first_of_degree = parts.of<Vertex>(most_degree + std::size_t{1});
  mates = parts.of<BetheGraph::Mate>(vertices);
  long_lists = parts.of<EdgeNumber>(in_long_lists);
  image_bytes = parts.bytes();
  lists = parts.of<Vertex>(std::size_t{2} * BetheGraph::levels * waiting);
  reached_rows = parts.of<Vertex>(size);
  reached_columns = parts.of<Vertex>(size);
  brought = parts.of<double>(std::size_t{32} * most_degree);
  pairs = parts.of<BetheGraph::Pair>(std::size_t{32} * most_degree);
  shares = parts.of<double>(most_degree);
  forks = 0;
  for (std::uint32_t rows = size / rows_over_forked; size >= fewest_forking && rows >= fewest_forked;
       rows /= rows_over_forked) {
    const auto most_edges =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(entries, most_kept_degree * std::uint64_t{rows}));
    Fork& own = fork[forks++];
    own.rows = rows;
    own.most_edges = most_edges;
    own.head = parts.of<BetheGraph::KeptHead>(1);
    own.first_of_degree = parts.of<Vertex>(most_degree + std::size_t{1});
    own.vertices = parts.of<Vertex>(2 * std::size_t{rows});
    own.records = parts.of<BetheGraph::Record>(2 * std::size_t{rows});
    own.mates = parts.of<BetheGraph::Mate>(2 * std::size_t{rows});
    own.numbers = parts.of<EdgeNumber>(most_edges);
    own.edges = parts.of<BetheGraph::Edge>(most_edges);
    own.places = parts.of<BetheGraph::Places>(most_edges);
  }
  bytes = parts.bytes();
}

void BetheGraph::begin(const SampleMatrix& matrix) const {
  *head_ = {};
  head_->left = size_;
  EdgeNumber long_lists = 0;
  for (unsigned s = 0; s < 2; ++s) {
    const SparsePattern& pattern = s == 0 ? matrix.rows : matrix.columns;
    for (std::uint32_t i = 0; i < size_; ++i) {
      Record& record = records_[s * size_ + i];
      record = {};
      record.level = nowhere;
      record.left = 1;
      record.degree = degree_in(pattern, i);
      if (record.degree > most_contracted_degree) {
        record.edge[0] = long_lists;
        long_lists += record.degree;
      }
    }
  }
  std::fill_n(mates_, 2 * std::size_t{size_}, Mate{no_vertex, 0, 0});
  std::fill_n(first_of_degree_, most_degree_ + std::size_t{1}, no_vertex);
  std::vector<std::uint32_t> column_degree(size_, 0);
  for (Vertex i = 0; i < size_; ++i) {
    const std::uint64_t start = matrix.rows.row_start[i];
    for (std::uint64_t k = start; k < start + degree(i); ++k) {
      const auto number = static_cast<EdgeNumber>(k);
      const std::uint32_t column = matrix.rows.column[k];
      const auto in_row = static_cast<std::uint32_t>(k - start);
      const std::uint32_t in_column = column_degree[column]++;
      edges_[k] = {matrix.weight.empty() ? 1.0 : matrix.weight[k], {1, 1}, {i, size_ + column}};
      places_[k] = {{in_row, in_column}};
      list(records_[i])[in_row] = number;
      list(records_[size_ + column])[in_column] = number;
    }
  }
  for (Vertex v = 0; v < 2 * size_; ++v) enter_bin(v);
}

BetheMemory::BetheMemory(const BetheLayout& layout, const SampleMatrix& matrix) : BetheMemory(layout) {
  graph().begin(matrix);
}

void BetheMemory::copy_image(const BetheMemory& other) {
  std::memcpy(memory_.data(), other.memory_.data(), layout_.image_bytes);
}

}  // namespace countpm
