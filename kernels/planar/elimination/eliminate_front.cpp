#include "kernels/planar/elimination/front_matrix.hpp"

namespace countpm::planar {
namespace {

constexpr std::size_t strip_rows = 96;  // their left factors, 192 KiB, stay in the second-level cache

class Elimination {
 public:
  Elimination(FrontMatrix& front, const LaneArithmetic& lanes, Pivots& pivots)
      : front_(front), lanes_(lanes), pivots_(pivots), live_(front.summed_rows), inverse_(lanes.width()) {}

  std::size_t run(const StopSignal& stop) {
    while (done_ < live_ && done_ < front_.summed_columns) {
      stop.check();
      const std::size_t first = done_;
      panel(first);
      // the rows that no panel has brought up to date, all columns beyond the panel's pivots
      trailing_update(done_, live_, first, stop);
      trailing_update(front_.summed_rows, rows(), first, stop);
    }
    return done_;
  }

 private:
  std::size_t rows() const { return front_.row_vertex.size(); }
  std::size_t columns() const { return front_.column_vertex.size(); }

  void trailing_update(std::size_t from, std::size_t to, std::size_t first, const StopSignal& stop) {
    for (; from < to; from += strip_rows) {
      stop.check();
      update(from, std::min(from + strip_rows, to), first, done_, columns());
    }
  }

  /// Rows from .. to - 1, columns from_column .. to_column - 1 -= L U of the pivots first .. done_ - 1.
  void update(std::size_t from, std::size_t to, std::size_t first, std::size_t from_column,
              std::size_t to_column) {
    if (from >= to || from_column >= to_column) return;
    lanes_.subtract_product({front_.at(from, from_column), front_.stride, front_.at(from, first),
                             front_.stride, front_.at(first, from_column), front_.stride, to - from,
                             to_column - from_column, done_ - first});
  }

  /// Up to most_depth pivots. Row done_ and the pivot's column are brought up to date one by one.
  void panel(std::size_t first) {
    while (done_ < live_ && done_ < front_.summed_columns && done_ - first < most_depth) {
      update(done_, done_ + 1, first, done_, columns());
      const std::size_t column = pivot_column();
      if (column == front_.summed_columns) {
        // Dependent on the pivot rows where columns are complete, and so it will stay: delayed.
        --live_;
        swap_rows(done_, live_);
        continue;
      }
      if (column != done_) swap_columns(column);
      take_pivot(first);
    }
  }

  std::size_t pivot_column() const {
    bool differ = false;
    for (std::size_t column = done_; column < front_.summed_columns; ++column) {
      const Zeros zeros = lanes_.zeros(front_.at(done_, column));
      if (zeros == Zeros::none) return column;
      differ = differ || zeros == Zeros::some;
    }
    if (differ) throw PivotsDiffer();
    return front_.summed_columns;
  }

  void swap_rows(std::size_t a, std::size_t b) {
    if (a == b) return;
    std::uint64_t* row = front_.at(a, 0);
    std::swap_ranges(row, row + columns() * lanes_.width(), front_.at(b, 0));
    std::swap(front_.row_vertex[a], front_.row_vertex[b]);
  }

  /// Column done_ with `column`, in all rows: those of earlier panels are factors that an inverse needs.
  void swap_columns(std::size_t column) {
    for (std::size_t row = 0; row < rows(); ++row) lanes_.swap(front_.at(row, done_), front_.at(row, column));
    std::swap(front_.column_vertex[done_], front_.column_vertex[column]);
  }

  void take_pivot(std::size_t first) {
    const std::uint64_t* pivot = front_.at(done_, done_);
    lanes_.scale(pivots_.product.data(), 0, 1, pivot);
    pivots_.vertices.emplace_back(front_.row_vertex[done_], front_.column_vertex[done_]);
    const std::size_t next = done_ + 1;
    update(next, live_, first, done_, next);
    update(front_.summed_rows, rows(), first, done_, next);
    lanes_.invert(inverse_.data(), pivot);
    if (next < live_) lanes_.scale(front_.at(next, done_), front_.stride, live_ - next, inverse_.data());
    if (front_.summed_rows < rows()) {
      lanes_.scale(front_.at(front_.summed_rows, done_), front_.stride, rows() - front_.summed_rows,
                   inverse_.data());
    }
    done_ = next;
  }

  FrontMatrix& front_;
  const LaneArithmetic& lanes_;
  Pivots& pivots_;
  std::size_t done_ = 0;  // pivots
  std::size_t live_;      // complete rows done_ .. live_ - 1 may still give pivots; those behind are delayed
  std::vector<std::uint64_t> inverse_;
};

}  // namespace

std::size_t eliminate_front(FrontMatrix& front, const LaneArithmetic& lanes, Pivots& pivots,
                            const StopSignal& stop) {
  return Elimination(front, lanes, pivots).run(stop);
}

}  // namespace countpm::planar
