#include "kernels/planar/passes/front_inverse.hpp"

#include <algorithm>

namespace countpm::planar {
namespace {

constexpr std::size_t inverse_strip_rows = 96;  // as in eliminate_front.cpp

class Inversion {
 public:
  Inversion(FactoredFront& front, const LaneArithmetic& lanes)
      : front_(front.matrix),
        done_(front.done),
        counted_from_(front.counted_from),
        lanes_(lanes),
        width_(lanes.width()) {
    result_.column_vertex = front_.column_vertex;
    result_.row_vertex = front_.row_vertex;
    result_.stride = rows() | 1;
    result_.width = width_;
    result_.words.reserve(columns() * result_.stride * width_, 0);
    std::fill_n(result_.words.data(), columns() * result_.stride * width_, 0);
  }

  InverseFront run(const InverseFront* parent, const std::vector<Index>& place) {
    for (std::size_t k = counted_from_; k < done_; ++k) lanes_.copy(result_.at(k, k), lanes_.primes().one);
    solve_upper();
    solve_lower(result_.at(0, 0), result_.stride, done_);                               // A^-1
    solve_lower(front_.at(done_, 0), front_.stride, front_.row_vertex.size() - done_);  // C A^-1
    if (parent != nullptr) add_border(*parent, place);
    return std::move(result_);
  }

 private:
  std::size_t rows() const { return front_.row_vertex.size(); }
  std::size_t columns() const { return front_.column_vertex.size(); }

  /// The identity in the result becomes U^-1, and L^-1 B in the front U^-1 L^-1 B.
  void solve_upper() {
    std::vector<std::uint64_t> inverse(width_);
    for (std::size_t end = done_; end > 0;) {
      const std::size_t begin = (end - 1) / most_depth * most_depth;
      for (std::size_t i = end; i-- > begin;) {
        lanes_.invert(inverse.data(), front_.at(i, i));
        const std::size_t after = i + 1;
        const auto solve = [&](std::uint64_t* row, const std::uint64_t* rows_after, std::size_t stride,
                               std::size_t count) {
          lanes_.subtract_product(
              {row, stride, front_.at(i, after), front_.stride, rows_after, stride, 1, count, end - after});
          lanes_.scale(row, 1, count, inverse.data());
        };
        // U^-1 is upper triangular.
        solve(result_.at(i, i), result_.at(after, i), result_.stride, done_ - i);
        solve(front_.at(i, done_), front_.at(after, done_), front_.stride, columns() - done_);
      }
      subtract_any_product({result_.at(0, begin), result_.stride, front_.at(0, begin), front_.stride,
                            result_.at(begin, begin), result_.stride, begin, done_ - begin, end - begin},
                           lanes_);
      subtract_any_product({front_.at(0, done_), front_.stride, front_.at(0, begin), front_.stride,
                            front_.at(begin, done_), front_.stride, begin, columns() - done_, end - begin},
                           lanes_);
      end = begin;
    }
  }

  /// The `count` rows of done_ elements at `data` times L^-1, L the front's, with ones on its diagonal.
  void solve_lower(std::uint64_t* data, std::size_t stride, std::size_t count) {
    for (std::size_t end = done_; end > 0;) {
      const std::size_t begin = (end - 1) / most_depth * most_depth;
      for (std::size_t j = end; j-- > begin;) {
        lanes_.subtract_product({data + j * width_, stride, data + (j + 1) * width_, stride,
                                 front_.at(j + 1, j), front_.stride, count, 1, end - j - 1});
      }
      subtract_any_product({data, stride, data + begin * width_, stride, front_.at(begin, 0), front_.stride,
                            count, begin, end - begin},
                           lanes_);
      end = begin;
    }
  }

  void add_border(const InverseFront& parent, const std::vector<Index>& place) {
    const std::size_t border_rows = rows() - done_;
    const std::size_t border_columns = columns() - done_;
    for (std::size_t c = done_; c < columns(); ++c) {
      for (std::size_t r = done_; r < rows(); ++r)
        lanes_.copy(result_.at(c, r), parent.at(place[front_.column_vertex[c]], place[front_.row_vertex[r]]));
    }
    subtract_any_product({result_.at(done_, 0), result_.stride, result_.at(done_, done_), result_.stride,
                          front_.at(done_, 0), front_.stride, border_columns, done_, border_rows},
                         lanes_);
    subtract_any_product({result_.at(0, done_), result_.stride, front_.at(0, done_), front_.stride,
                          result_.at(done_, done_), result_.stride, done_, border_rows, border_columns},
                         lanes_);
    subtract_any_product({result_.at(0, 0), result_.stride, front_.at(0, done_), front_.stride,
                          result_.at(done_, 0), result_.stride, done_, done_, border_columns},
                         lanes_);
  }

  FrontMatrix& front_;
  std::size_t done_;
  std::size_t counted_from_;
  const LaneArithmetic& lanes_;
  std::size_t width_;
  InverseFront result_;
};

}  // namespace

void subtract_any_product(ProductTask task, const LaneArithmetic& lanes) {
  const std::size_t width = lanes.width();
  const ProductTask whole = task;
  for (std::size_t row = 0; row < whole.rows; row += inverse_strip_rows) {
    task.rows = std::min(inverse_strip_rows, whole.rows - row);
    task.target = whole.target + row * whole.target_stride * width;
    for (std::size_t first = 0; first < whole.depth; first += most_depth) {
      task.depth = std::min(most_depth, whole.depth - first);
      task.left = whole.left + (row * whole.left_stride + first) * width;
      task.right = whole.right + first * whole.right_stride * width;
      lanes.subtract_product(task);
    }
  }
}

FactoredFront::FactoredFront(const FrontMatrix& front, std::size_t pivots) : matrix(front), done(pivots) {
  const std::size_t size = front.row_vertex.size() * front.stride * front.width;
  if (size == 0) return;
  words.reserve(size, 0);
  matrix.data = words.data();
  std::memcpy(matrix.data, front.data, size * sizeof(std::uint64_t));
}

FactoredFront factored_skew_front(const FrontMatrix& front, std::size_t pivots, Index vertices,
                                  const LaneArithmetic& lanes) {
  FactoredFront result(front, pivots);
  FrontMatrix& matrix = result.matrix;
  const std::size_t size = front.row_vertex.size();
  matrix.column_vertex = front.row_vertex;
  for (Index& v : matrix.column_vertex) v += vertices;
  const auto row_of = [&](std::size_t k) { return k < pivots ? k ^ 1U : k; };
  for (std::size_t k = 0; k < size; ++k) matrix.row_vertex[row_of(k)] = front.row_vertex[k];
  std::vector<std::uint64_t> inverse(lanes.width());
  for (std::size_t i = 0; i < pivots; i += 2) {
    const std::size_t j = i + 1;
    lanes.copy(matrix.at(i, i), front.at(i, j));
    lanes.negate(matrix.at(i, i));
    std::fill_n(matrix.at(i, j), lanes.width(), 0);
    std::fill_n(matrix.at(j, i), lanes.width(), 0);
    lanes.copy(matrix.at(j, j), front.at(i, j));
    lanes.invert(inverse.data(), front.at(i, j));
    for (std::size_t k = j + 1; k < size; ++k) {
      lanes.copy(matrix.at(i, k), front.at(j, k));
      lanes.copy(matrix.at(j, k), front.at(i, k));
      std::uint64_t* const below = matrix.at(row_of(k), i);
      lanes.copy(below, front.at(i, k));
      lanes.copy(below + lanes.width(), front.at(j, k));
      lanes.negate(below + lanes.width());
      lanes.scale(below, 1, 2, inverse.data());
    }
  }
  return result;
}

FactoredFront factored_front(const BlockGraph& graph, const FrontMatrix& front, std::size_t pivots,
                             const LaneArithmetic& lanes) {
  if (graph.bipartite) return {front, pivots};
  return factored_skew_front(front, pivots, graph.vertices, lanes);
}

InverseFront inverse_front(FactoredFront& front, const InverseFront* parent, const std::vector<Index>& place,
                           const LaneArithmetic& lanes) {
  return Inversion(front, lanes).run(parent, place);
}

}  // namespace countpm::planar
