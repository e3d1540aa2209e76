// A front of a determinant: its pivots eliminated modulo several primes at once, strip by strip.
#include <algorithm>
#include <array>

#include "kernels/planar/elimination/front_matrix.hpp"

namespace countpm::planar {
namespace {

constexpr std::size_t strip_rows = 96;  // their left factors, 192 KiB, stay in the second-level cache
// An inverse takes as long as some hundred multiplications: those of so many pivots are found together.
constexpr std::size_t most_ahead = 4;

/// The inverses of the next few pivots, for one inversion. The pivots d_0, d_1, ... of a corner of the front
/// are found without divisions, each step multiplying the rows below by its pivot, so that D_s = D_0 ...
/// D_(s-1) d_s stands in place of d_s. Then 1 / d_s = (D_0 ... D_(s-1))^2 / (D_0 ... D_s), and the inverses
/// of these products follow from the last one's (P. L. Montgomery's trick).
class InversesAhead {
 public:
  explicit InversesAhead(const LaneArithmetic& lanes) : lanes_(lanes) {}

  /// Where the pivot's inverse is not known yet: looks at rows and columns done .. done + size - 1, whose
  /// pivots are chosen as the elimination will choose them, the first in the row that is not zero. `first`:
  /// the panel's; pivots from there on are not in these rows yet.
  const std::uint64_t* of(const FrontMatrix& front, std::size_t done, std::size_t first, std::size_t size) {
    if (done < from_ || done >= from_ + known_) look(front, done, first, std::min(size, most_ahead));
    return element(inverse_, done - from_);
  }

 private:
  template <std::size_t count>
  using Elements = std::array<std::uint64_t, count * most_lanes>;

  template <class Some>
  std::uint64_t* element(Some& elements, std::size_t k) const {
    return elements.data() + k * lanes_.width();
  }
  std::uint64_t* corner(std::size_t row, std::size_t column) {
    return element(corner_, row * most_ahead + column);
  }
  void multiply(std::uint64_t* target, const std::uint64_t* factor) const {
    lanes_.scale(target, 0, 1, factor);
  }

  void look(const FrontMatrix& front, std::size_t done, std::size_t first, std::size_t size) {
    from_ = done;
    for (std::size_t row = 0; row < size; ++row) {
      for (std::size_t column = 0; column < size; ++column)
        lanes_.copy(corner(row, column), front.at(done + row, done + column));
    }
    // Row `done` is up to date.
    lanes_.subtract_product({corner(1, 0), most_ahead, front.at(done + 1, first), front.stride,
                             front.at(first, done), front.stride, size - 1, size, done - first});
    known_ = 0;
    while (known_ < size && take(known_, size)) ++known_;
    invert();
  }

  /// Whether there is a pivot in row s of the corner.
  bool take(std::size_t s, std::size_t size) {
    std::size_t column = s;
    while (column < size && lanes_.zeros(corner(s, column)) == Zeros::all) ++column;
    if (column == size || lanes_.zeros(corner(s, column)) != Zeros::none) return false;
    for (std::size_t row = s; row < size && column != s; ++row)
      lanes_.swap(corner(row, s), corner(row, column));
    for (std::size_t row = s + 1; row < size; ++row) {
      lanes_.condense(
          {corner(row, s + 1), corner(s, s), corner(row, s), corner(s, s + 1), most_ahead, size - s - 1, 1});
    }
    return true;
  }

  void invert() {
    lanes_.copy(whole_.data(), corner(0, 0));
    for (std::size_t s = 1; s < known_; ++s) {
      lanes_.copy(element(before_, s), whole_.data());
      multiply(whole_.data(), corner(s, s));
    }
    lanes_.invert(element(inverse_, 0), whole_.data());
    for (std::size_t s = known_; s-- > 1;) {
      std::uint64_t* const inverse = element(inverse_, s);
      lanes_.copy(inverse, element(inverse_, 0));
      multiply(inverse, element(before_, s));
      multiply(inverse, element(before_, s));
      multiply(element(inverse_, 0), corner(s, s));
    }
  }

  const LaneArithmetic& lanes_;
  Elements<most_ahead * most_ahead> corner_{};
  Elements<most_ahead> before_{};   // D_0 ... D_(s-1)
  Elements<most_ahead> inverse_{};  // of pivots from_ .. from_ + known_ - 1
  Elements<1> whole_{};
  std::size_t from_ = 0;
  std::size_t known_ = 0;
};

class Elimination {
 public:
  Elimination(FrontMatrix& front, const LaneArithmetic& lanes, Pivots& pivots)
      : front_(front), lanes_(lanes), pivots_(pivots), live_(front.summed_rows), inverses_(lanes) {}

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
    // before column done_ of the other rows is brought up to date
    const std::uint64_t* const inverse =
        inverses_.of(front_, done_, first, std::min(live_, front_.summed_columns) - done_);
    update(next, live_, first, done_, next);
    update(front_.summed_rows, rows(), first, done_, next);
    if (next < live_) lanes_.scale(front_.at(next, done_), front_.stride, live_ - next, inverse);
    if (front_.summed_rows < rows())
      lanes_.scale(front_.at(front_.summed_rows, done_), front_.stride, rows() - front_.summed_rows, inverse);
    done_ = next;
  }

  FrontMatrix& front_;
  const LaneArithmetic& lanes_;
  Pivots& pivots_;
  std::size_t done_ = 0;  // pivots
  std::size_t live_;      // complete rows done_ .. live_ - 1 may still give pivots; those behind are delayed
  InversesAhead inverses_;
};

}  // namespace

std::size_t eliminate_front(FrontMatrix& front, const LaneArithmetic& lanes, Pivots& pivots,
                            const StopSignal& stop) {
  return Elimination(front, lanes, pivots).run(stop);
}

}  // namespace countpm::planar
