#pragma once
// The end of a walk: how many rows are left when the rest is counted exactly, and whether to stop.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/estimate/bethe/graph.hpp"
#include "kernels/estimate/walks/bit_walk.hpp"
#include "kernels/estimate/walks/exact_tail.hpp"
#include "kernels/estimate/walks/walk.hpp"
#include "kernels/method.hpp"

namespace countpm {

/// One for each thread.
class SampleTail {
 public:
  SampleTail(const SampleMatrix& matrix, std::uint32_t rows, std::uint32_t states, const StopSignal& stop)
      : size_(matrix.rows.rows), tail_(matrix, rows, states), stop_(stop) {}

  void begin() { next_ = tail_.rows(); }
  /// The fewest rows that a tail had so far: ExactTail::most_rows where there was none yet.
  std::uint32_t fewest_rows() const { return fewest_; }

  /// Throws Stopped: for walks whose steps take long.
  void look() const { stop_.check(); }

  /// The three kinds of walks ask before every choice. True: the permanent of what is left is `rest`. Throws
  /// Stopped.
  bool operator()(const WalkState& state, Scaled& rest) {
    const std::uint32_t left = size_ - state.front;
    if (!due(left)) return false;
    rows_.assign(state.order + state.front, state.order + size_);
    std::sort(rows_.begin(), rows_.end());
    const auto free = [&state](std::uint32_t column) { return state.column_factor[column] != 0; };
    return counted(left, tail_.count(rows_, free, rest));
  }
  template <unsigned Words>
  bool operator()(const BitState<Words>& state, Scaled& rest) {
    if (!due(state.left)) return false;
    rows_.clear();
    for (std::uint32_t i = 0; i < size_; ++i) {
      if (state.open.has(i)) rows_.push_back(i);
    }
    const auto free = [&state](std::uint32_t column) { return state.free.has(column); };
    return counted(state.left, tail_.count(rows_, free, rest));
  }
  bool operator()(const BetheGraph& graph, Scaled& rest);

 private:
  static constexpr std::uint32_t steps_a_look = 256;

  bool due(std::uint32_t left, std::uint32_t asked = 1) {
    asked_ += asked;
    if (asked_ >= steps_a_look) {
      asked_ = 0;
      stop_.check();
    }
    return left <= next_;
  }
  bool counted(std::uint32_t left, bool success) {
    if (success) {
      fewest_ = std::min(fewest_, left);
    } else {
      next_ = rows_of_next_tail(left);
    }
    return success;
  }

  std::uint32_t size_;
  ExactTail tail_;
  const StopSignal& stop_;
  std::vector<std::uint32_t> rows_;
  std::uint32_t next_ = 0;
  std::uint32_t asked_ = 0;
  std::uint32_t fewest_ = ExactTail::most_rows;
};

}  // namespace countpm
