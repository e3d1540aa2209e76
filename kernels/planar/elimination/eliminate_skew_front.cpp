// A front of a Pfaffian: pairs of pivots eliminated modulo several primes at once.
#include "kernels/planar/elimination/front_matrix.hpp"
#include "kernels/planar/elimination/skew_swap.hpp"

namespace countpm::planar {
namespace {

constexpr std::size_t skew_strip_rows =
    12;  // of a triangle: updated as a rectangle that starts at the diagonal

class SkewElimination {
 public:
  SkewElimination(FrontMatrix& front, const LaneArithmetic& lanes, Pivots& pivots)
      : front_(front),
        lanes_(lanes),
        pivots_(pivots),
        live_(front.summed_rows),
        left_(front.row_vertex.size() * most_depth * lanes.width()),
        inverse_(lanes.width()) {}

  std::size_t run(const StopSignal& stop) {
    while (done_ + 1 < live_) {
      const std::size_t first = done_;
      panel(first);
      for (std::size_t row = done_; row < live_; row += skew_strip_rows) {
        const std::size_t end = std::min(row + skew_strip_rows, live_);
        update(row, end, first, row, live_);
        update(row, end, first, front_.summed_rows, size());
      }
      for (std::size_t row = front_.summed_rows; row < size(); row += skew_strip_rows) {
        stop.check();
        update(row, std::min(row + skew_strip_rows, size()), first, row, size());
      }
    }
    return done_;
  }

 private:
  std::size_t size() const { return front_.row_vertex.size(); }
  std::uint64_t* left(std::size_t row, std::size_t depth) {
    return left_.data() + (row * most_depth + depth) * lanes_.width();
  }

  /// Rows from .. to - 1, columns from_column .. to_column - 1 of the square that has the triangle in it.
  void update(std::size_t from, std::size_t to, std::size_t first, std::size_t from_column,
              std::size_t to_column) {
    if (from >= to || from_column >= to_column) return;
    lanes_.subtract_product({front_.at(from, from_column), front_.stride, left(from, 0), most_depth,
                             front_.at(first, from_column), front_.stride, to - from, to_column - from_column,
                             done_ - first});
  }

  void update_row(std::size_t row, std::size_t first) {
    update(row, row + 1, first, row + 1, live_);
    update(row, row + 1, first, front_.summed_rows, size());
  }

  /// Up to most_depth vertices. Columns of delayed vertices are zero in all rows that are still alive.
  void panel(std::size_t first) {
    while (done_ + 1 < live_ && done_ + 2 - first <= most_depth) {
      update_row(done_, first);
      const std::size_t partner = find_partner();
      if (partner == live_) {
        --live_;
        swap_vertices(done_, live_);
        continue;
      }
      swap_vertices(done_ + 1, partner);
      take_pair(first);
    }
  }

  std::size_t find_partner() const {
    bool differ = false;
    for (std::size_t k = done_ + 1; k < live_; ++k) {
      const Zeros zeros = lanes_.zeros(front_.at(done_, k));
      if (zeros == Zeros::none) return k;
      differ = differ || zeros == Zeros::some;
    }
    if (differ) throw PivotsDiffer();
    return live_;
  }

  /// Vertices a < b, in rows and columns at once; in the pivots' rows, too, which front_inverse.hpp reads.
  void swap_vertices(std::size_t a, std::size_t b) {
    if (a == b) return;
    swap_in_upper_triangle(
        0, size(), a, b,
        [&](std::size_t i, std::size_t j, std::size_t k, std::size_t l) {
          lanes_.swap(front_.at(i, j), front_.at(k, l));
        },
        [&](std::size_t i, std::size_t j) { lanes_.negate(front_.at(i, j)); });
    std::swap_ranges(left(a, 0), left(a, 0) + most_depth * lanes_.width(), left(b, 0));
    std::swap(front_.row_vertex[a], front_.row_vertex[b]);
  }

  /// Pivot (i, j) = (done_, done_ + 1). left[k] = (-A_jk, A_ik) / a against the rows i and j.
  void take_pair(std::size_t first) {
    const std::size_t i = done_;
    const std::size_t j = done_ + 1;
    update_row(j, first);
    const std::uint64_t* pivot = front_.at(i, j);
    lanes_.scale(pivots_.product.data(), 0, 1, pivot);
    pivots_.vertices.emplace_back(front_.row_vertex[i], front_.row_vertex[j]);
    lanes_.invert(inverse_.data(), pivot);
    fill_left(j + 1, live_, first);
    fill_left(front_.summed_rows, size(), first);
    done_ += 2;
  }

  void fill_left(std::size_t from, std::size_t to, std::size_t first) {
    if (from >= to) return;
    const std::size_t depth = done_ - first;
    for (std::size_t k = from; k < to; ++k) {
      lanes_.copy(left(k, depth), front_.at(done_ + 1, k));
      lanes_.negate(left(k, depth));
      lanes_.copy(left(k, depth + 1), front_.at(done_, k));
    }
    lanes_.scale(left(from, depth), most_depth, to - from, inverse_.data());
    lanes_.scale(left(from, depth + 1), most_depth, to - from, inverse_.data());
  }

  FrontMatrix& front_;
  const LaneArithmetic& lanes_;
  Pivots& pivots_;
  std::size_t done_ = 0;  // vertices eliminated
  std::size_t live_;  // complete vertices done_ .. live_ - 1 may still be paired; those behind are delayed
  std::vector<std::uint64_t> left_;
  std::vector<std::uint64_t> inverse_;
};

}  // namespace

std::size_t eliminate_skew_front(FrontMatrix& front, const LaneArithmetic& lanes, Pivots& pivots,
                                 const StopSignal& stop) {
  return SkewElimination(front, lanes, pivots).run(stop);
}

}  // namespace countpm::planar
