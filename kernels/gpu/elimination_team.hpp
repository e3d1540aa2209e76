#pragma once
// dense_elimination.hpp by a team of a GPU's threads, a warp or a block, in shared or global memory: the same
// pivots, and every entry by the same operations in the same order, so that it rounds as on the CPU
// (kernels/gpu/cpu_executor.hpp says how a kernel is written).
//
// Some columns, a panel, are eliminated one by one, a thread looking after rows; then their rows are taken
// from all entries to the right at once, a lane looking after a column: it has the panel's rows in registers,
// and reads and writes every entry once a panel. The panel's rows themselves are not written: nothing needs
// them again.
#include <cstddef>
#include <cstdint>

#include "kernels/gpu/dense_elimination.hpp"

namespace countpm {

/// Entry (order[i], j), component c, is at values[(c * size + order[i]) * step + j]. Rows are exchanged in
/// `order`. An odd step: the banks of shared memory that a column lies in are different ones.
template <unsigned D>
struct DensePlanes {
  double* values = nullptr;        // D * size * step
  std::uint32_t* order = nullptr;  // size
  std::uint32_t size = 0;
  std::uint32_t step = 1;

  static COUNTPM_HD std::uint32_t step_of(std::uint32_t size) { return size | 1U; }
  COUNTPM_HD std::uint32_t plane() const { return size * step; }
  COUNTPM_HD std::uint32_t at(std::uint32_t i, std::uint32_t j) const { return order[i] * step + j; }
  COUNTPM_HD void load(std::uint32_t at, double (&entry)[D]) const {
    COUNTPM_UNROLL
    for (unsigned c = 0; c < D; ++c) entry[c] = values[c * plane() + at];
  }
  COUNTPM_HD void store(std::uint32_t at, const double (&entry)[D]) const {
    COUNTPM_UNROLL
    for (unsigned c = 0; c < D; ++c) values[c * plane() + at] = entry[c];
  }
};

/// A row and the squared absolute value of its entry in a column.
struct PivotChoice {
  double square = -1;
  std::uint32_t row = ~std::uint32_t{0};
  std::uint32_t unused = 0;

  /// The larger; of equals the one of the lower row.
  static COUNTPM_HD PivotChoice better(const PivotChoice& a, const PivotChoice& b) {
    return b.square > a.square || (b.square == a.square && b.row < a.row) ? b : a;
  }
};

/// A warp as a team.
template <class Warp>
class WarpTeam {
 public:
  static constexpr unsigned threads = 32;
  explicit COUNTPM_HD WarpTeam(Warp& warp) : warp_(warp) {}

  template <class F>
  COUNTPM_HD void each(const F& f) const {
    warp_.each(f);
  }
  template <class F>
  COUNTPM_HD void once(const F& f) const {
    warp_.once(f);
  }
  COUNTPM_HD void sync() const { warp_.sync(); }
  /// The best of what the threads have.
  template <class F>
  COUNTPM_HD PivotChoice best(const F& of_thread) const {
    typename Warp::template PerLane<PivotChoice> own;
    warp_.each([&](unsigned lane) { own[lane] = of_thread(lane); });
    return warp_.reduce(own, PivotChoice::better);
  }

 private:
  Warp& warp_;
};

/// A block of T threads as a team; `choices`: T / 32 of the block's shared memory.
template <class Block, unsigned T>
class BlockTeam {
 public:
  static constexpr unsigned threads = T;
  COUNTPM_HD BlockTeam(Block& block, PivotChoice* choices) : block_(block), choices_(choices) {}

  template <class F>
  COUNTPM_HD void each(const F& f) const {
    block_.each(f);
  }
  template <class F>
  COUNTPM_HD void once(const F& f) const {
    block_.each([&](unsigned t) {
      if (t == 0) f();
    });
  }
  COUNTPM_HD void sync() const { block_.sync(); }
  /// A sync() comes before it is asked again.
  template <class F>
  COUNTPM_HD PivotChoice best(const F& of_thread) const {
    block_.each_warp([&](auto& warp) {
      const auto first = static_cast<unsigned>(warp.index() % (T / 32)) * 32;
      typename Block::Warp::template PerLane<PivotChoice> own;
      warp.each([&](unsigned lane) { own[lane] = of_thread(first + lane); });
      const PivotChoice all = warp.reduce(own, PivotChoice::better);
      warp.once([&] { choices_[first / 32] = all; });
    });
    block_.sync();
    PivotChoice result = choices_[0];
    for (unsigned w = 1; w < T / 32; ++w) result = PivotChoice::better(result, choices_[w]);
    return result;
  }

 private:
  Block& block_;
  PivotChoice* choices_;
};

/// Columns: 8 doubles of registers for their rows.
template <unsigned D>
inline constexpr std::uint32_t team_panel = 8 / D;

template <class Team, unsigned D>
class TeamElimination {
 public:
  COUNTPM_HD TeamElimination(const Team& team, const DensePlanes<D>& matrix, double least_square)
      : team_(team), matrix_(matrix), least_square_(least_square) {}

  /// Eliminates columns first .. end - 1, and multiplies the squared absolute values of their pivots into
  /// `product`. False where one is at most least_square. Precondition: first is a multiple of team_panel, and
  /// so is `end`, or it is the last.
  COUNTPM_HD bool eliminate(std::uint32_t first, std::uint32_t end, Scaled& product) const {
    for (; first < end; first += panel) {
      const std::uint32_t beyond = first + panel < matrix_.size ? first + panel : matrix_.size;
      for (std::uint32_t k = first; k < beyond; ++k) {
        if (!eliminate_column(k, beyond, product)) return false;
      }
      if (beyond < matrix_.size) take_panel(first);
    }
    return true;
  }

 private:
  static constexpr std::uint32_t panel = team_panel<D>;
  // A lane's entries at a time: independent sums hide one another's latency.
  static constexpr unsigned rows_together = D == 1 ? 4 : D == 2 ? 2 : 1;
  static constexpr unsigned warps = Team::threads / 32;

  COUNTPM_HD bool eliminate_column(std::uint32_t k, std::uint32_t end, Scaled& product) const {
    const PivotChoice pivot = team_.best([&](unsigned t) {
      PivotChoice best;
      for (std::uint32_t i = k + t; i < matrix_.size; i += Team::threads) {
        double entry[D];
        matrix_.load(matrix_.at(i, k), entry);
        best = PivotChoice::better(best, {squared<D>(entry), i, 0});
      }
      return best;
    });
    if (!(pivot.square > least_square_)) return false;
    product.multiply(pivot.square);
    team_.once([&] {
      const std::uint32_t row = matrix_.order[pivot.row];
      matrix_.order[pivot.row] = matrix_.order[k];
      matrix_.order[k] = row;
    });
    team_.sync();
    team_.each([&](unsigned t) {
      const std::uint32_t above = matrix_.at(k, 0);
      double entry[D];
      double inverse[D];
      matrix_.load(above + k, entry);
      invert<D>(entry, pivot.square, inverse);
      for (std::uint32_t i = k + 1 + t; i < matrix_.size; i += Team::threads) {
        const std::uint32_t own = matrix_.at(i, 0);
        double left[D];
        matrix_.load(own + k, entry);
        multiply<D>(entry, inverse, left);
        matrix_.store(own + k, left);
        for (std::uint32_t j = k + 1; j < end; ++j) {
          double from[D];
          matrix_.load(above + j, from);
          matrix_.load(own + j, entry);
          subtract_product<D>(entry, left, from);
          matrix_.store(own + j, entry);
        }
      }
    });
    team_.sync();
    return true;
  }

  /// The rows of the panel from column `first` on, from all entries below and to the right of it.
  COUNTPM_HD void take_panel(std::uint32_t first) const {
    const std::uint32_t end = first + panel;
    team_.each([&](unsigned t) {
      for (std::uint32_t j = end + t % 32; j < matrix_.size; j += 32) {
        double above[panel][D];
        COUNTPM_UNROLL
        for (unsigned m = 0; m < panel; ++m) {
          const std::uint32_t row = matrix_.at(first + m, 0);
          matrix_.load(row + j, above[m]);
          COUNTPM_UNROLL
          for (unsigned e = 0; e < m; ++e) {
            double left[D];
            matrix_.load(row + first + e, left);
            subtract_product<D>(above[m], left, above[e]);
          }
        }
        for (std::uint32_t i = end + t / 32; i < matrix_.size; i += warps * rows_together)
          take_from(above, first, i, j);
      }
    });
    team_.sync();
  }

  /// From row i and those `warps` apart after it.
  COUNTPM_HD void take_from(const double (&above)[panel][D], std::uint32_t first, std::uint32_t i,
                            std::uint32_t j) const {
    std::uint32_t row[rows_together];
    double entry[rows_together][D];
    COUNTPM_UNROLL
    for (unsigned r = 0; r < rows_together; ++r) {
      const std::uint32_t own = i + r * warps;
      row[r] = matrix_.at(own < matrix_.size ? own : i, 0);
      matrix_.load(row[r] + j, entry[r]);
    }
    COUNTPM_UNROLL
    for (unsigned m = 0; m < panel; ++m) {
      COUNTPM_UNROLL
      for (unsigned r = 0; r < rows_together; ++r) {
        double left[D];
        matrix_.load(row[r] + first + m, left);
        subtract_product<D>(entry[r], left, above[m]);
      }
    }
    COUNTPM_UNROLL
    for (unsigned r = 0; r < rows_together; ++r) {
      if (i + r * warps < matrix_.size) matrix_.store(row[r] + j, entry[r]);
    }
  }

  const Team& team_;
  const DensePlanes<D>& matrix_;
  double least_square_;
};

}  // namespace countpm
