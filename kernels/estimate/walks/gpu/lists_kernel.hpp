#pragma once
// estimate/walks/walk.hpp by a GPU's warps, a sample each: matrices of any size and weights, with pruning or
// without (kernels/gpu/cpu_executor.hpp says how a kernel is written).
//
// Rows and columns are the lanes' in turn; sums are one lane's each, in ascending order, so that they round
// as on the CPU, as are those over the row that is next, which all lanes add up alike. A closed row has the
// factor 0. A warp's arrays are in global memory, and so is where it stands: a launch goes some steps far,
// and the next one goes on.
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/arithmetic/bit_operations.hpp"
#include "kernels/estimate/walks/exact_tail.hpp"
#include "kernels/estimate/walks/gpu/bits_kernel.hpp"
#include "kernels/estimate/walks/gpu/lists_pruning.hpp"
#include "kernels/estimate/walks/gpu/warp_random.hpp"
#include "kernels/estimate/walks/gpu/warp_tail.hpp"
#include "kernels/estimate/walks/walk.hpp"
#include "kernels/gpu/atomic.hpp"

namespace countpm {

/// Where a warp's walk stands between launches; cleared memory: nowhere.
struct ListWalkPlace {
  std::uint64_t sample;  // its number within the launch
  Scaled value;
  std::uint32_t front;
  std::uint32_t drawn;  // random numbers
  std::uint32_t walking;
  std::uint32_t tail_rows;  // of the next tail, at most
};

/// How every walk begins: arrays of `size` (bin_start: size + 2), as WalkState has them.
struct ListWalkStart {
  const std::uint32_t* order = nullptr;
  const std::uint32_t* position = nullptr;
  const std::uint32_t* degree = nullptr;
  const std::uint32_t* bin_start = nullptr;
  const double* row_factor = nullptr;
  const double* column_factor = nullptr;
};

/// What the warps of a launch do.
struct ListWalkTask {
  WalkMatrix matrix;
  const double* column_weight = nullptr;  // beside matrix.row; nullptr: all 1
  WalkSettings settings;
  ListWalkStart start;
  std::uint32_t* indices = nullptr;   // [warp][4 * size + 2]
  double* factors = nullptr;          // [warp][2 * size]
  ListWalkPlace* places = nullptr;    // [warp]
  std::uint64_t* counters = nullptr;  // samples begun, samples done
  std::uint32_t steps = 0;            // of a warp and launch
  SampleNumbers numbers;
  Scaled* samples = nullptr;
  ListPruningTask pruning;  // of kernels that prune
  TailLayout tail;
  std::byte* tails = nullptr;  // [warp][tail.bytes]
};

template <class Warp, bool Prunes>
class ListWalkWarp {
 public:
  template <class T>
  using PerLane = typename Warp::template PerLane<T>;

  COUNTPM_HD ListWalkWarp(Warp& warp, const ListWalkTask& task)
      : warp_(warp),
        task_(task),
        entries_(entries_of(warp, task)),
        tail_(warp, task.tail, task.tails + warp.index() * task.tail.bytes) {
    const std::size_t n = task.matrix.size;
    state_.order = own_order(warp, task);
    state_.position = state_.order + n;
    state_.degree = state_.position + n;
    state_.bin_start = state_.degree + n;
    state_.row_factor = task.factors + warp.index() * 2 * n;
    state_.column_factor = state_.row_factor + n;
  }

  COUNTPM_HD void run() {
    ListWalkPlace place = task_.places[warp_.index()];
    std::uint32_t left = task_.steps;
    for (;;) {
      if (place.walking == 0) {
        place = {take(), {}, 0, 0, 1, task_.tail.rows};
        if (place.sample >= task_.numbers.count) {
          place.walking = 0;
          break;
        }
        begin();
      }
      if (left == 0) break;
      walk(place, left);
      if (place.walking != 0) continue;
      place.value.exponent += task_.numbers.exponent;
      warp_.once([&] {
        task_.samples[place.sample] = place.value;
        add_atomically(task_.counters + 1, std::uint64_t{1});
      });
    }
    warp_.once([&] { task_.places[warp_.index()] = place; });
  }

 private:
  using Entries = std::conditional_t<Prunes, ListPruning<Warp>, AllEntries>;

  static COUNTPM_HD std::uint32_t* own_order(const Warp& warp, const ListWalkTask& task) {
    return task.indices + warp.index() * (4 * std::size_t{task.matrix.size} + 2);
  }
  static COUNTPM_HD Entries entries_of(Warp& warp, const ListWalkTask& task) {
    if constexpr (Prunes) {
      std::uint32_t* degree = own_order(warp, task) + 2 * std::size_t{task.matrix.size};
      return Entries(warp, task.matrix, task.pruning, degree);
    } else {
      return {};
    }
  }

  COUNTPM_HD std::uint64_t take() {
    PerLane<std::uint64_t> taken;
    warp_.each([&](unsigned lane) {
      taken[lane] = lane == 0 ? add_atomically(task_.counters, std::uint64_t{1}) : 0;
    });
    return warp_.broadcast(taken, 0);
  }

  COUNTPM_HD void begin() {
    const std::uint32_t n = task_.matrix.size;
    warp_.each([&](unsigned lane) {
      for (std::uint32_t i = lane; i < n; i += 32) {
        state_.order[i] = task_.start.order[i];
        state_.position[i] = task_.start.position[i];
        state_.degree[i] = task_.start.degree[i];
        state_.row_factor[i] = task_.start.row_factor[i];
        state_.column_factor[i] = task_.start.column_factor[i];
      }
      for (std::uint32_t d = lane; d < n + 2; d += 32) state_.bin_start[d] = task_.start.bin_start[d];
    });
    if constexpr (Prunes) entries_.begin();
    warp_.sync();
  }

  /// At most `left` steps, which it takes away. Where the walk ends, place.walking is 0 and its value known.
  COUNTPM_HD void walk(ListWalkPlace& place, std::uint32_t& left) {
    const std::uint32_t n = task_.matrix.size;
    const WalkSettings& settings = task_.settings;
    WarpRandom<Warp> random(warp_, task_.numbers.seed, task_.numbers.stream,
                            task_.numbers.first + place.sample, place.drawn);
    state_.front = place.front;
    bool dead = false;
    bool counted = false;
    for (; left > 0 && !dead && state_.front < n; --left) {
      counted = count_rest(place);
      if (counted) break;
      if (settings.scaling && state_.front % settings.interval == 0) sinkhorn();
      const std::uint32_t row = next_row(random);
      // By all lanes alike; what they look at is written once all have looked.
      const std::uint32_t column = choose_column(task_.matrix, row, state_, entries_, random, place.value);
      ++state_.front;
      warp_.sync();
      if (column == n) {
        dead = true;
        continue;
      }
      warp_.once([&] {
        state_.row_factor[row] = 0;
        state_.column_factor[column] = 0;
      });
      if constexpr (Prunes) {
        warp_.sync();
        entries_.take(row, column);
      } else {
        if (settings.least_degree) dead = !lower_degrees(column);
      }
    }
    place.front = state_.front;
    place.drawn = random.drawn();
    if (dead) place.value = {0, 0};
    if (dead || counted || state_.front == n) place.walking = 0;
  }

  /// As SampleTail, where few rows are left.
  COUNTPM_HD bool count_rest(ListWalkPlace& place) {
    const std::uint32_t left = task_.matrix.size - state_.front;
    if (left > place.tail_rows) return false;
    Scaled rest;
    if (!tail_.count(Rest{task_.matrix, state_}, left, rest)) {
      place.tail_rows = rows_of_next_tail(left);
      return false;
    }
    place.value.multiply(rest);
    return true;
  }

  /// As estimate/walks/walk.hpp's, each sum a lane's.
  COUNTPM_HD void sinkhorn() {
    const WalkMatrix& matrix = task_.matrix;
    for (std::uint32_t step = 0; step < task_.settings.steps; ++step) {
      warp_.each([&](unsigned lane) {
        for (std::uint32_t j = lane; j < matrix.size; j += 32) {
          if (state_.column_factor[j] == 0) continue;
          double sum = 0;
          for (std::uint64_t k = matrix.column_start[j]; k < matrix.column_start[j + 1]; ++k) {
            sum += state_.row_factor[matrix.row[k]] * live_column_weight(k);
          }
          state_.column_factor[j] = sum > 0 ? clamped_factor(1 / sum) : most_factor;
        }
      });
      warp_.sync();
      warp_.each([&](unsigned lane) {
        for (std::uint32_t i = lane; i < matrix.size; i += 32) {
          if (state_.row_factor[i] == 0) continue;
          double sum = 0;
          for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + 1]; ++k)
            sum += live_weight(matrix, entries_, k) * state_.column_factor[matrix.column[k]];
          state_.row_factor[i] = sum > 0 ? clamped_factor(1 / sum) : most_factor;
        }
      });
      warp_.sync();
    }
  }

  /// live_weight of an entry of a column.
  COUNTPM_HD double live_column_weight(std::uint64_t k) const {
    if constexpr (Prunes) {
      if (!entries_.alive_by_column(k)) return 0;
    }
    return task_.column_weight == nullptr ? 1.0 : task_.column_weight[k];
  }

  COUNTPM_HD std::uint32_t next_row(WarpRandom<Warp>& random) {
    const WalkSettings& settings = task_.settings;
    if (!settings.least_degree) return state_.front;
    if (Prunes || settings.scan) return scanned_row(random);
    const std::uint32_t degree = state_.degree[state_.order[state_.front]];
    const std::uint32_t ties = state_.bin_start[degree + 1] - state_.front;
    const std::uint32_t at = state_.front + next_of(random, ties);
    const std::uint32_t row = state_.order[at];
    warp_.sync();
    warp_.once([&] { swap_positions(state_, state_.front, at); });
    return row;
  }

  COUNTPM_HD std::uint32_t scanned_row(WarpRandom<Warp>& random) {
    const std::uint32_t n = task_.matrix.size;
    PerLane<std::uint32_t> degree;
    warp_.each([&](unsigned lane) {
      degree[lane] = n + 1;
      for (std::uint32_t i = lane; i < n; i += 32) {
        if (state_.row_factor[i] != 0 && state_.degree[i] < degree[lane]) degree[lane] = state_.degree[i];
      }
    });
    const std::uint32_t least =
        warp_.reduce(degree, [](std::uint32_t a, std::uint32_t b) { return a < b ? a : b; });
    const auto with_least = [&](std::uint32_t base) {
      return warp_.ballot([&](unsigned lane) {
        const std::uint32_t i = base + lane;
        return i < n && state_.row_factor[i] != 0 && state_.degree[i] == least;
      });
    };
    std::uint32_t ties = 0;
    for (std::uint32_t base = 0; base < n; base += 32) ties += bit_count(with_least(base));
    std::uint32_t pick = next_of(random, ties);
    for (std::uint32_t base = 0; base < n; base += 32) {
      const std::uint32_t some = with_least(base);
      const std::uint32_t count = bit_count(some);
      if (pick < count) return base + nth_bit(some, pick);
      pick -= count;
    }
    return n;  // never: there are open rows
  }

  /// As estimate/walks/walk.hpp's: false where an open row has no entry left.
  COUNTPM_HD bool lower_degrees(std::uint32_t column) {
    const WalkMatrix& matrix = task_.matrix;
    PerLane<std::uint32_t> dead;
    if (task_.settings.scan) {
      warp_.each([&](unsigned lane) {
        dead[lane] = 0;
        for (std::uint64_t k = matrix.column_start[column] + lane; k < matrix.column_start[column + 1];
             k += 32) {
          const std::uint32_t row = matrix.row[k];
          if (state_.row_factor[row] != 0 && --state_.degree[row] == 0) dead[lane] = 1;
        }
      });
    } else {
      warp_.each([&](unsigned lane) {
        dead[lane] = lane == 0 && !countpm::lower_degrees(matrix, false, column, state_) ? 1 : 0;
      });
    }
    warp_.sync();
    return warp_.ballot([&](unsigned lane) { return dead[lane] != 0; }) == 0;
  }

  struct Rest {
    const WalkMatrix& matrix;
    const WalkState& state;
    COUNTPM_HD std::uint32_t size() const { return matrix.size; }
    COUNTPM_HD bool row(std::uint32_t i) const { return state.row_factor[i] != 0; }
    COUNTPM_HD bool column(std::uint32_t j) const { return state.column_factor[j] != 0; }
    template <class F>
    COUNTPM_HD void entries(std::uint32_t i, const F& f) const {
      for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + 1]; ++k) {
        if (state.column_factor[matrix.column[k]] != 0)
          f(matrix.column[k], matrix.weight == nullptr ? 1.0 : matrix.weight[k]);
      }
    }
  };

  Warp& warp_;
  const ListWalkTask& task_;
  Entries entries_;
  WarpTail<Warp> tail_;
  WalkState state_;
};

template <bool Prunes>
struct ListWalkKernel {
  static constexpr unsigned threads = 128;
  static constexpr unsigned blocks_per_multiprocessor = 6;
  ListWalkTask task;

  static std::size_t bytes_a_warp(std::size_t size, std::size_t entries) {
    return (4 * size + 2) * sizeof(std::uint32_t) + 2 * size * sizeof(double) + sizeof(ListWalkPlace) +
           (Prunes ? ListPruningTask::bytes_a_warp(size, entries) : 0);
  }

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    block.each_warp([&](auto& warp) {
      ListWalkWarp<std::remove_reference_t<decltype(warp)>, Prunes> walk(warp, task);
      walk.run();
    });
  }
};

}  // namespace countpm
