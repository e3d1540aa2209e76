#include "kernels/planar/elimination/determinant_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/stop_signal.hpp"
#include "kernels/arithmetic/up_float.hpp"
#include "kernels/support/task_pool.hpp"

namespace countpm::planar {
namespace {

constexpr double unit_roundoff = 0x1p-53;
// UpFloat::of() is above a fraction by less than this.
constexpr double entry_error = 0x1p-50;
constexpr double largest_coefficient = 0x1p30;
// More than all that underflow can have lost of a squared norm: an entry below 2^-1000 of its row's largest
// may be 0 here, times 2^30, in sums of at most 2^20 such products, next to values of at most 2^50, in at
// most 2^32 columns.
constexpr double underflow = 0x1p-800;
// Of a task: their fits take about a millisecond.
constexpr std::uint64_t rows_at_a_time = 1024;

/// The rows, each scaled by a power of two so that its largest entry is between 1/2 and 1.
struct ScaledRows {
  Index rows = 0;
  Adjacency adjacent;          // entry k of row v is in the column of vertex adjacent.neighbour[k]
  std::vector<double> value;   // beside adjacent.neighbour
  std::int64_t exponents = 0;  // the sum of the rows'
};

ScaledRows scaled_rows(const SignedMatrix& matrix) {
  const BlockGraph& graph = matrix.graph;
  std::vector<UpFloat> magnitude;
  magnitude.reserve(matrix.values.size());
  for (const mpq_class& value : matrix.values) magnitude.push_back(UpFloat::of(value));
  ScaledRows result;
  result.rows = graph.bipartite ? graph.rows : graph.vertices;
  result.adjacent = adjacency(graph);
  result.value.assign(result.adjacent.neighbour.size(), 0);
  for (Index v = 0; v < result.rows; ++v) {
    check_stop();
    const std::uint64_t first = result.adjacent.start[v];
    const std::uint64_t last = result.adjacent.start[v + std::size_t{1}];
    const auto of = [&](std::uint64_t k) { return matrix.value_of[result.adjacent.edge[k]]; };
    std::int64_t top = std::numeric_limits<std::int64_t>::min();
    for (std::uint64_t k = first; k < last; ++k) {
      if (magnitude[of(k)].mantissa != 0) top = std::max(top, magnitude[of(k)].exponent);
    }
    for (std::uint64_t k = first; k < last; ++k) {
      const UpFloat& size = magnitude[of(k)];
      if (size.mantissa == 0) continue;
      const std::int64_t down = std::min<std::int64_t>(top - size.exponent, 2000);
      const double scaled = std::ldexp(size.mantissa, -static_cast<int>(down));
      const Index e = result.adjacent.edge[k];
      const bool positive =
          (matrix.values[of(k)] > 0) == ((matrix.orientation[e] != 0) == (graph.edges[e].a == v));
      result.value[k] = positive ? scaled : -scaled;
    }
    if (top != std::numeric_limits<std::int64_t>::min()) result.exponents += top;
  }
  return result;
}

class Fit {
 public:
  Fit(const ScaledRows& rows, unsigned near, const std::vector<std::uint8_t>& open)
      : rows_(rows),
        adjacent_(rows.adjacent),
        near_(near),
        open_(open),
        sum_(rows.adjacent.start.size() - 1, 0),
        magnitude_(rows.adjacent.start.size() - 1, 0),
        seen_(rows.adjacent.start.size() - 1, no_index),
        last_(rows.adjacent.start.size() - 1, no_index) {}

  /// An upper bound on the squared distance of row v from the rows before it.
  double distance_squared(Index v) {
    gather(v);
    if (!solve(v)) chosen_.clear();
    return residual_squared(v);
  }

 private:
  bool is_open(Index row) const { return !open_.empty() && open_[row] != 0; }

  /// chosen_: rows before v, the nearest first.
  void gather(Index v) {
    chosen_.clear();
    if (is_open(v)) return;
    queue_.assign(1, v);
    seen_[v] = v;
    const std::size_t looked_at = 4 * std::size_t{near_};
    for (std::size_t head = 0; head < queue_.size() && queue_.size() < looked_at; ++head) {
      const Index row = queue_[head];
      for (std::uint64_t k = adjacent_.start[row]; k < adjacent_.start[row + std::size_t{1}]; ++k) {
        const Index column = adjacent_.neighbour[k];
        for (std::uint64_t l = adjacent_.start[column]; l < adjacent_.start[column + std::size_t{1}]; ++l) {
          const Index other = adjacent_.neighbour[l];
          if (seen_[other] == v) continue;
          seen_[other] = v;
          queue_.push_back(other);
          if (other > v || is_open(other)) continue;
          chosen_.push_back(other);
          if (chosen_.size() == near_) return;
        }
      }
    }
  }

  /// gram_: the chosen rows' products with each other, on and above the diagonal; coefficient_: with row v.
  void multiply_rows(Index v) {
    const std::size_t n = chosen_.size();
    gram_.assign(n * n, 0);
    coefficient_.assign(n, 0);
    for (std::uint64_t k = adjacent_.start[v]; k < adjacent_.start[v + std::size_t{1}]; ++k)
      sum_[adjacent_.neighbour[k]] = rows_.value[k];
    entries_.clear();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::uint64_t k = adjacent_.start[chosen_[i]]; k < adjacent_.start[chosen_[i] + std::size_t{1}];
           ++k) {
        const Index column = adjacent_.neighbour[k];
        const double value = rows_.value[k];
        coefficient_[i] += value * sum_[column];
        entries_.push_back({i, last_[column], value});
        last_[column] = static_cast<Index>(entries_.size()) - 1;
        for (Index e = last_[column]; e != no_index; e = entries_[e].before)
          gram_[entries_[e].row * n + i] += entries_[e].value * value;
      }
    }
    for (const Index row : chosen_) clear(row);
    clear(v);
  }
  void clear(Index row) {
    for (std::uint64_t k = adjacent_.start[row]; k < adjacent_.start[row + std::size_t{1}]; ++k) {
      sum_[adjacent_.neighbour[k]] = 0;
      last_[adjacent_.neighbour[k]] = no_index;
    }
  }

  /// coefficient_: of the least-squares fit of row v by the chosen rows (normal equations, Cholesky row by
  /// row: products of nothing are many). False where that fails.
  bool solve(Index v) {
    multiply_rows(v);
    const std::size_t n = chosen_.size();
    for (std::size_t k = 0; k < n; ++k) {
      double* const row = gram_.data() + k * n;
      if (!(row[k] > 1e-12)) return false;
      const double inverse = 1 / std::sqrt(row[k]);
      for (std::size_t j = k; j < n; ++j) row[j] *= inverse;
      coefficient_[k] *= inverse;
      for (std::size_t i = k + 1; i < n; ++i) {
        const double factor = row[i];
        if (factor == 0) continue;
        double* const other = gram_.data() + i * n;
        for (std::size_t j = i; j < n; ++j) other[j] -= factor * row[j];
        coefficient_[i] -= factor * coefficient_[k];
      }
    }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t k = i + 1; k < n; ++k) coefficient_[i] -= gram_[i * n + k] * coefficient_[k];
      coefficient_[i] /= gram_[i * n + i];
      if (!(std::abs(coefficient_[i]) < largest_coefficient)) return false;
    }
    return true;
  }

  void add(Index row, double times) {
    for (std::uint64_t k = adjacent_.start[row]; k < adjacent_.start[row + std::size_t{1}]; ++k) {
      const double term = times * rows_.value[k];
      sum_[adjacent_.neighbour[k]] += term;
      magnitude_[adjacent_.neighbour[k]] += std::abs(term);
    }
  }

  // A sum of t products, computed in doubles, is wrong by at most (t + 1) u times the sum of their
  // magnitudes, to first order (N. J. Higham, Accuracy and Stability of Numerical Algorithms, section 3.1);
  // twice that covers the higher orders for t <= 2^20 and the rounding of the magnitudes' own sum.
  double residual_squared(Index v) {
    add(v, 1);
    for (std::size_t i = 0; i < chosen_.size(); ++i) add(chosen_[i], -coefficient_[i]);
    const auto terms = static_cast<double>(chosen_.size() + 1);
    const double relative = 2 * ((terms + 1) * unit_roundoff + entry_error);
    double squares = 0;
    std::size_t columns = 0;
    const auto take = [&](Index row) {
      for (std::uint64_t k = adjacent_.start[row]; k < adjacent_.start[row + std::size_t{1}]; ++k) {
        const Index column = adjacent_.neighbour[k];
        const double largest = std::abs(sum_[column]) + relative * magnitude_[column];
        squares += largest * largest;
        ++columns;
        sum_[column] = magnitude_[column] = 0;
      }
    };
    take(v);
    for (const Index row : chosen_) take(row);
    // each square's four roundings and the sum's
    return underflow + squares * (1 + 2 * unit_roundoff * static_cast<double>(columns + 6));
  }

  const ScaledRows& rows_;
  const Adjacency& adjacent_;
  unsigned near_;
  const std::vector<std::uint8_t>& open_;
  std::vector<double> sum_;  // by column, zero between uses
  std::vector<double> magnitude_;
  std::vector<Index> seen_;
  std::vector<Index> queue_;
  std::vector<Index> chosen_;
  struct Entry {
    std::size_t row;  // which of chosen_
    Index before;     // in the same column: another of entries_, or none
    double value;
  };
  std::vector<Entry> entries_;  // of chosen_
  std::vector<Index> last_;     // by column: of entries_; none between uses
  std::vector<double> gram_;
  std::vector<double> coefficient_;
};

}  // namespace

double log2_determinant_bound(const SignedMatrix& matrix, unsigned near, int threads,
                              const std::vector<std::uint8_t>& open) {
  const ScaledRows rows = scaled_rows(matrix);
  std::vector<double> distance_squared(rows.rows);
  std::vector<std::uint64_t> starts;
  for (std::uint64_t first = 0; first < rows.rows; first += rows_at_a_time) starts.push_back(first);
  const int useful = static_cast<int>(
      std::min<std::uint64_t>(static_cast<std::uint64_t>(std::max(threads, 1)), starts.size()));
  work_through(useful, std::move(starts), [&] {
    return [&, fit = Fit(rows, near, open)](std::uint64_t first, const auto& /*add*/) mutable {
      for (std::uint64_t v = first; v < std::min<std::uint64_t>(first + rows_at_a_time, rows.rows); ++v) {
        check_stop();
        distance_squared[v] = fit.distance_squared(static_cast<Index>(v));
      }
    };
  });
  UpFloat squared{0.5, 1};
  for (const double one : distance_squared) squared = squared * UpFloat::normalised(one, 0);
  double bound = log2_up(squared) / 2;
  if (rows.exponents != 0) bound = UpFloat::up(bound + static_cast<double>(rows.exponents));
  return matrix.graph.bipartite ? bound : bound / 2;
}

}  // namespace countpm::planar
