#pragma once
// The end of a sample counted exactly: fewer random choices, lighter tails (Rao-Blackwell).
#include <cstdint>
#include <vector>

#include "kernels/arithmetic/scaled.hpp"
#include "kernels/estimate/samples/sample_matrix.hpp"

namespace countpm {

/// A tail that took too many states is tried again with so many rows.
COUNTPM_HD inline std::uint32_t rows_of_next_tail(std::uint32_t left) {
  constexpr double next_share = 0.8;
  return static_cast<std::uint32_t>(next_share * left);
}

/// The permanent of what is left of a matrix, in doubles, by dynamic programming over the used columns, rows
/// in an order of few open columns. Not thread-safe: one for each thread.
class ExactTail {
 public:
  /// At most 64.
  static constexpr std::uint32_t most_rows = 64;

  static constexpr std::uint32_t most_states = 1 << 14;

  /// Tails of at most `rows` rows (0: none) and `states` states at any time (at most most_states). Weighted
  /// matrices whose products could leave the range of doubles have shorter ones.
  ExactTail(const SampleMatrix& matrix, std::uint32_t rows, std::uint32_t states);

  std::uint32_t rows() const { return rows_; }

  /// The permanent of the submatrix of `rows` (at most most_rows) and of the columns with free(column), of
  /// which there are as many; false where that takes too many states. The relative error of rounding is below
  /// rows * 2^-51 (every term is non-negative). The mantissa is in [1/2, 1) or 0.
  template <class Free>
  bool count(const std::vector<std::uint32_t>& rows, const Free& free, Scaled& value) {
    begin(rows.size());
    for (const std::uint32_t row : rows) {
      for (std::uint64_t k = matrix_.rows.row_start[row]; k < matrix_.rows.row_start[row + 1]; ++k) {
        if (free(matrix_.rows.column[k]))
          add_entry(matrix_.rows.column[k], matrix_.weight.empty() ? 1.0 : matrix_.weight[k]);
      }
      end_row();
    }
    return finish(value);
  }

  /// Any other matrix of as many columns, row by row: begin, for each row add_entry and end_row, and finish,
  /// which is as count. Products of the weights must stay within 2^least_product_log2 and 2^600.
  static constexpr int least_product_log2 = -600;
  void begin(std::size_t rows);
  void add_entry(std::uint32_t column, double weight);
  void end_row();
  bool finish(Scaled& value);

 private:
  struct LocalRow {
    std::uint64_t columns = 0;  // local numbers
    std::uint32_t first = 0;    // of its entries
    std::uint32_t last = 0;
  };
  struct State {
    std::uint64_t used;
    double ways;
  };
  struct LocalEntry {
    std::uint32_t column;
    double weight;
  };

  std::uint32_t cheapest_row(const std::vector<bool>& done, std::uint64_t touched) const;
  bool step(const LocalRow& row, std::uint64_t finished);
  bool add_state(std::uint64_t used, double ways);

  const SampleMatrix& matrix_;
  std::uint32_t rows_;
  std::uint32_t states_limit_;
  std::vector<std::uint32_t> number_;  // of a column, where marked_ is now
  std::vector<std::uint64_t> marked_;
  std::uint64_t now_ = 0;
  std::uint32_t columns_ = 0;
  std::vector<LocalRow> local_;
  std::vector<LocalEntry> entries_;
  std::vector<State> states_;
  std::vector<State> next_;
  std::vector<std::uint32_t> slot_;  // hash table over next_: its place + 1, where slot_mark_ is slot_now_
  std::vector<std::uint64_t> slot_mark_;
  std::uint64_t slot_now_ = 0;
};

}  // namespace countpm
