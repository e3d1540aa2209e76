#pragma once
// One sample: a walk over the rows that picks a column for each and multiplies up one over the chance that it
// had. Written once for the CPU and for CUDA: no allocation, no library call beyond arithmetic; what only the
// CPU can do (pruning, the exact tail) comes in from outside.
//
// With R the open rows and C the free columns, weights a_ij and column factors c_j (0 for taken columns), row
// i takes column j with probability p_j = a_ij c_j / t, t = sum over C of a_ij c_j, and the sample X is
// multiplied by a_ij / p_j = t / c_j. So E[X] = per(A), whatever the positive c_j and the order of the rows
// are.
// - rasmussen: c = 1. L. E. Rasmussen, Approximating the permanent: a simple approach, Random Structures and
//   Algorithms 5 (1994).
// - rasmussen+: the row with the fewest free entries, ties at random.
// - scaling, scaling+: every `interval` steps `steps` sweeps of Sinkhorn's scaling of R x C (columns, then
// rows)
//   give c. The factors go on from where they were. J. Y. Beichl, F. Sullivan, J. Comput. Phys. 149 (1999).
#include <cstdint>

#include "kernels/arithmetic/host_device.hpp"
#include "kernels/arithmetic/scaled.hpp"
#include "kernels/estimate/walks/strata.hpp"

namespace countpm {

/// The matrix by rows and by columns; weight == nullptr: all 1.
struct WalkMatrix {
  std::uint32_t size = 0;
  const std::uint64_t* row_start = nullptr;
  const std::uint32_t* column = nullptr;
  const double* weight = nullptr;
  const std::uint64_t* column_start = nullptr;
  const std::uint32_t* row = nullptr;
};

struct WalkSettings {
  bool least_degree = false;
  bool scaling = false;
  bool scan = false;  // least_degree by a look at every row, ties in ascending order
  std::uint32_t interval = 1;
  std::uint32_t steps = 1;
};

/// What a walk changes; arrays of `size` (bin_start: size + 2). order[front ..] are the open rows, for
/// least_degree without scan sorted by degree: those of degree d begin at max(bin_start[d], front).
struct WalkState {
  std::uint32_t* order = nullptr;
  std::uint32_t* position = nullptr;
  std::uint32_t* degree = nullptr;
  std::uint32_t* bin_start = nullptr;
  double* row_factor = nullptr;
  double* column_factor = nullptr;
  double* column_sum = nullptr;
  std::uint32_t front = 0;
};

/// Where the factors of a scaling walk begin; nullptr: all 1.
struct StartFactors {
  const double* row = nullptr;
  const double* column = nullptr;
};

/// Which entries count: all (here), or those that pruning leaves (pruning.hpp).
struct AllEntries {
  static constexpr bool prunes = false;
};

/// How a walk may end early: asked before every step, a tail says whether it put the permanent of what is
/// left into `rest`, with a mantissa in [1/2, 1) or 0.
struct NoTail {
  template <class State>
  COUNTPM_HD bool operator()(const State&, Scaled&) const {
    return false;
  }
};

/// The entry's weight where the entry counts, else 0; c_j = 0 takes care of taken columns.
template <class Entries>
COUNTPM_HD double live_weight(const WalkMatrix& matrix, const Entries& entries, std::uint64_t k) {
  if constexpr (Entries::prunes) {
    if (!entries.alive(k)) return 0;
  }
  return matrix.weight == nullptr ? 1.0 : matrix.weight[k];
}

/// Factors stay within these, so that every chance stays above 0 and every product finite.
constexpr double least_factor = 0x1p-50;
constexpr double most_factor = 0x1p+50;

COUNTPM_HD inline double clamped_factor(double factor) {
  return factor < least_factor ? least_factor : factor > most_factor ? most_factor : factor;
}

/// `steps` sweeps over the open rows: c_j = 1 / sum_i r_i a_ij, then r_i = 1 / sum_j a_ij c_j. Taken columns
/// keep 0. Sums are in ascending order of i and j: kernels that add up otherwise would round otherwise.
template <class Entries>
COUNTPM_HD void sinkhorn(const WalkMatrix& matrix, const Entries& entries, std::uint32_t steps,
                         WalkState& state) {
  for (std::uint32_t step = 0; step < steps; ++step) {
    for (std::uint32_t j = 0; j < matrix.size; ++j) state.column_sum[j] = 0;
    for (std::uint32_t i = 0; i < matrix.size; ++i) {
      if (state.position[i] < state.front) continue;
      const double factor = state.row_factor[i];
      for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + 1]; ++k)
        state.column_sum[matrix.column[k]] += factor * live_weight(matrix, entries, k);
    }
    for (std::uint32_t j = 0; j < matrix.size; ++j) {
      if (state.column_factor[j] == 0) continue;
      state.column_factor[j] =
          state.column_sum[j] > 0 ? clamped_factor(1 / state.column_sum[j]) : most_factor;
    }
    for (std::uint32_t i = 0; i < matrix.size; ++i) {
      if (state.position[i] < state.front) continue;
      double sum = 0;
      for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + 1]; ++k)
        sum += live_weight(matrix, entries, k) * state.column_factor[matrix.column[k]];
      state.row_factor[i] = sum > 0 ? clamped_factor(1 / sum) : most_factor;
    }
  }
}

/// sinkhorn() for a walk with this tail: one that can be stopped is asked in between.
template <class Entries, class Tail>
COUNTPM_HD void scale_for(const WalkMatrix& matrix, const Entries& entries, std::uint32_t steps,
                          WalkState& state, Tail& tail) {
  if constexpr (requires { tail.look(); }) {
    constexpr std::uint32_t steps_a_look = 64;
    for (; steps > steps_a_look; steps -= steps_a_look) {
      tail.look();
      sinkhorn(matrix, entries, steps_a_look, state);
    }
  }
  sinkhorn(matrix, entries, steps, state);
}

COUNTPM_HD inline std::uint32_t degree_of(const WalkMatrix& matrix, std::uint32_t row) {
  return static_cast<std::uint32_t>(matrix.row_start[row + 1] - matrix.row_start[row]);
}

/// Sorts the rows by degree (counting sort).
COUNTPM_HD inline void sort_by_degree(const WalkMatrix& matrix, WalkState& state) {
  const std::uint32_t n = matrix.size;
  for (std::uint32_t d = 0; d < n + 2; ++d) state.bin_start[d] = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    state.degree[i] = degree_of(matrix, i);
    ++state.bin_start[state.degree[i] + 1];
  }
  for (std::uint32_t d = 0; d <= n; ++d) state.bin_start[d + 1] += state.bin_start[d];
  for (std::uint32_t i = 0; i < n; ++i) {
    state.position[i] = state.bin_start[state.degree[i]]++;
    state.order[state.position[i]] = i;
  }
  for (std::uint32_t d = n + 1; d > 0; --d) state.bin_start[d] = state.bin_start[d - 1];
  state.bin_start[0] = 0;
}

COUNTPM_HD inline void swap_positions(WalkState& state, std::uint32_t a, std::uint32_t b) {
  const std::uint32_t row_a = state.order[a];
  const std::uint32_t row_b = state.order[b];
  state.order[a] = row_b;
  state.position[row_b] = a;
  state.order[b] = row_a;
  state.position[row_a] = b;
}

/// One row less a free entry: to the front of its bin, which then begins after it.
COUNTPM_HD inline void lower_degree(WalkState& state, std::uint32_t row) {
  const std::uint32_t d = state.degree[row];
  const std::uint32_t first = state.bin_start[d] > state.front ? state.bin_start[d] : state.front;
  swap_positions(state, state.position[row], first);
  state.bin_start[d] = first + 1;
  state.degree[row] = d - 1;
}

/// The row that comes next, put at order[front]. For least degree: of those with the fewest entries one at
/// random; where every row is looked at, they are in ascending order.
template <class Random, class Entries>
COUNTPM_HD std::uint32_t next_row(const WalkMatrix& matrix, const WalkSettings& settings, WalkState& state,
                                  const Entries& entries, Random& random) {
  if (!settings.least_degree) return state.order[state.front];
  if constexpr (Entries::prunes) {
    std::uint32_t least = 0;
    std::uint32_t ties = 0;
    for (std::uint32_t i = 0; i < matrix.size; ++i) {
      if (state.position[i] < state.front) continue;
      const std::uint32_t d = entries.degree(i);
      if (ties == 0 || d < least) least = d, ties = 0;
      if (d == least) ++ties;
    }
    std::uint32_t pick = next_of(random, ties);
    for (std::uint32_t i = 0;; ++i) {
      if (state.position[i] < state.front || entries.degree(i) != least) continue;
      if (pick-- > 0) continue;
      swap_positions(state, state.front, state.position[i]);
      return i;
    }
  } else if (settings.scan) {
    std::uint32_t least = matrix.size + 1;
    std::uint32_t ties = 0;
    for (std::uint32_t i = 0; i < matrix.size; ++i) {
      if (state.position[i] < state.front || state.degree[i] > least) continue;
      if (state.degree[i] < least) least = state.degree[i], ties = 0;
      ++ties;
    }
    std::uint32_t pick = next_of(random, ties);
    for (std::uint32_t i = 0;; ++i) {
      if (state.position[i] < state.front || state.degree[i] != least) continue;
      if (pick-- > 0) continue;
      swap_positions(state, state.front, state.position[i]);
      return i;
    }
  } else {
    const std::uint32_t d = state.degree[state.order[state.front]];
    const std::uint32_t ties = state.bin_start[d + 1] - state.front;
    swap_positions(state, state.front, state.front + next_of(random, ties));
    return state.order[state.front];
  }
}

/// Every open row of the column has an entry less. False where one has none left: the sample is 0.
COUNTPM_HD inline bool lower_degrees(const WalkMatrix& matrix, bool scan, std::uint32_t column,
                                     WalkState& state) {
  for (std::uint64_t k = matrix.column_start[column]; k < matrix.column_start[column + 1]; ++k) {
    const std::uint32_t row = matrix.row[k];
    if (state.position[row] < state.front) continue;
    if (state.degree[row] == 1) return false;
    if (scan) {
      --state.degree[row];
    } else {
      lower_degree(state, row);
    }
  }
  return true;
}

/// A column for row i at random, in proportion to a_ij c_j; `sample` is multiplied by one over its chance and
/// a_ij. `size` where none is left.
template <class Random, class Entries>
COUNTPM_HD std::uint32_t choose_column(const WalkMatrix& matrix, std::uint32_t i, const WalkState& state,
                                       const Entries& entries, Random& random, Scaled& sample) {
  double total = 0;
  for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + 1]; ++k)
    total += live_weight(matrix, entries, k) * state.column_factor[matrix.column[k]];
  if (!(total > 0)) return matrix.size;
  const double wanted = uniform(random) * total;
  double below = 0;
  double chosen_share = 0;
  std::uint32_t column = matrix.size;
  for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + 1]; ++k) {
    const double share = live_weight(matrix, entries, k) * state.column_factor[matrix.column[k]];
    if (!(share > 0)) continue;
    column = matrix.column[k];  // the last one, should rounding leave `wanted` beyond it
    chosen_share = share;
    below += share;
    if (below > wanted) break;
  }
  chosen(random, (below - chosen_share) / total, chosen_share / total);
  sample.multiply(total / state.column_factor[column]);
  return column;
}

/// All rows open and all columns free, in order; by degree only where that is looked up (sort_by_degree
/// does the rest).
COUNTPM_HD inline void begin_walk(const WalkMatrix& matrix, const WalkSettings& settings,
                                  const StartFactors& start, WalkState& state) {
  state.front = 0;
  for (std::uint32_t i = 0; i < matrix.size; ++i) {
    state.row_factor[i] = start.row == nullptr ? 1 : start.row[i];
    state.column_factor[i] = start.column == nullptr ? 1 : start.column[i];
    state.order[i] = state.position[i] = i;
    if (settings.scan) state.degree[i] = degree_of(matrix, i);
  }
}

/// One sample. `state` needs no preparation but its arrays; `tail` may end the walk with an exact count.
/// O(entries) for rasmussen and rasmussen+, and O(entries * steps) for every scaling.
template <class Random, class Entries, class Tail>
COUNTPM_HD Scaled walk(const WalkMatrix& matrix, const WalkSettings& settings, const StartFactors& start,
                       WalkState& state, Random& random, Entries& entries, Tail& tail) {
  const std::uint32_t n = matrix.size;
  begin_walk(matrix, settings, start, state);
  if (settings.least_degree && !settings.scan && !Entries::prunes) sort_by_degree(matrix, state);
  Scaled sample;
  while (state.front < n) {
    Scaled rest;
    if (tail(state, rest)) {
      sample.multiply(rest);
      return sample;
    }
    if (settings.scaling && state.front % settings.interval == 0)
      scale_for(matrix, entries, settings.steps, state, tail);
    const std::uint32_t row = next_row(matrix, settings, state, entries, random);
    const std::uint32_t column = choose_column(matrix, row, state, entries, random, sample);
    if (column == n) return {0, 0};
    state.column_factor[column] = 0;
    ++state.front;
    if constexpr (Entries::prunes) {
      entries.take(row, column);
    } else {
      if (settings.least_degree && !lower_degrees(matrix, settings.scan, column, state)) return {0, 0};
    }
  }
  return sample;
}

}  // namespace countpm
