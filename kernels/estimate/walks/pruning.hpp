#pragma once
// Entries in no perfect matching of what is left are dropped after every step, so that no walk ends in zero.
#include <cstdint>
#include <vector>

#include "kernels/estimate/samples/sample_matrix.hpp"

namespace countpm {

/// The entries that count, for estimate/walks/walk.hpp. Keeps a perfect matching of what is left and the
/// strongly connected components of the digraph row -> row whose matched column it has an entry in: an entry
/// lies in a perfect matching exactly where both ends are in one component (Dulmage-Mendelsohn). take() costs
/// O(entries left). Not thread-safe: one for each thread.
class Pruning {
 public:
  static constexpr bool prunes = true;

  explicit Pruning(const SampleMatrix& matrix);

  /// To the whole matrix, pruned too. Of one without a perfect matching no entry is alive.
  void reset();
  bool alive(std::uint64_t entry) const { return alive_[entry] != 0; }
  std::uint32_t degree(std::uint32_t row) const { return degree_[row]; }
  /// The perfect matching: a row's column, a column's row; no_index where there is none, or no more.
  const std::vector<std::uint32_t>& row_mate() const { return row_mate_; }
  const std::vector<std::uint32_t>& column_mate() const { return column_mate_; }
  /// The row takes the column, by an entry that is alive.
  void take(std::uint32_t row, std::uint32_t column);

 private:
  void repair_matching(std::uint32_t row, std::uint32_t column);
  void mark_components();
  void visit(std::uint32_t root);
  void prune();

  struct Snapshot {
    std::vector<std::uint8_t> alive;
    std::vector<std::uint32_t> degree;
    std::vector<std::uint32_t> row_mate;
    std::vector<std::uint32_t> column_mate;
  };
  struct Call {
    std::uint32_t row;
    std::uint64_t next;  // entry to look at
  };

  const SparsePattern& rows_;
  Snapshot start_;
  std::vector<std::uint8_t> alive_;         // 1: in a perfect matching of what is left
  std::vector<std::uint32_t> degree_;       // alive entries of open rows
  std::vector<std::uint32_t> row_mate_;     // no_index: the row is closed
  std::vector<std::uint32_t> column_mate_;  // no_index: the column is taken
  std::vector<std::uint32_t> component_;
  std::vector<std::uint32_t> number_;  // Tarjan: 0 not visited yet
  std::vector<std::uint32_t> low_;
  std::vector<std::uint32_t> stack_;
  std::vector<Call> calls_;
  std::vector<std::uint32_t> queue_;
  std::vector<std::uint32_t> reached_by_;  // column -> row that reached it in the search for a path
  std::uint32_t visited_ = 0;
  std::uint32_t components_ = 0;
};

}  // namespace countpm
