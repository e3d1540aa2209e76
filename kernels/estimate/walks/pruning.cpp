#include "kernels/estimate/walks/pruning.hpp"

#include <algorithm>

#include "matching/maximum_matching.hpp"

namespace countpm {

Pruning::Pruning(const SampleMatrix& matrix) : rows_(matrix.rows) {
  const std::size_t n = rows_.rows;
  const Matching matching = maximum_matching(rows_);
  alive_.assign(rows_.entries(), 0);
  degree_.assign(n, 0);
  component_.resize(n);
  number_.resize(n);
  low_.resize(n);
  reached_by_.assign(n, no_index);
  row_mate_.assign(n, no_index);
  column_mate_.assign(n, no_index);
  if (matching.size == rows_.rows) {
    row_mate_ = matching.row_mate;
    column_mate_ = matching.column_mate;
    std::fill(alive_.begin(), alive_.end(), std::uint8_t{1});
    prune();
  }
  start_ = {alive_, degree_, row_mate_, column_mate_};
}

void Pruning::reset() {
  alive_ = start_.alive;
  degree_ = start_.degree;
  row_mate_ = start_.row_mate;
  column_mate_ = start_.column_mate;
}

void Pruning::take(std::uint32_t row, std::uint32_t column) {
  repair_matching(row, column);
  prune();
}

// (row, column) leave; where they were not mates, their mates are joined by an alternating path, which there
// is, since the entry is alive.
void Pruning::repair_matching(std::uint32_t row, std::uint32_t column) {
  const std::uint32_t goal = row_mate_[row];
  const std::uint32_t start = column_mate_[column];
  row_mate_[row] = no_index;
  column_mate_[column] = no_index;
  if (goal == column) return;
  queue_.assign(1, start);
  std::vector<std::uint32_t> reached;
  bool found = false;
  for (std::size_t head = 0; !found && head < queue_.size(); ++head) {
    const std::uint32_t i = queue_[head];
    for (std::uint64_t k = rows_.row_start[i]; k < rows_.row_start[i + 1]; ++k) {
      const std::uint32_t j = rows_.column[k];
      if (alive_[k] == 0 || column_mate_[j] == no_index || reached_by_[j] != no_index) continue;
      reached_by_[j] = i;
      reached.push_back(j);
      if (j == goal) {
        found = true;
        break;
      }
      queue_.push_back(column_mate_[j]);
    }
  }
  for (std::uint32_t j = goal; found;) {
    const std::uint32_t i = reached_by_[j];
    const std::uint32_t before = row_mate_[i];
    row_mate_[i] = j;
    column_mate_[j] = i;
    if (i == start) break;
    j = before;
  }
  for (const std::uint32_t j : reached) reached_by_[j] = no_index;
}

// Tarjan's algorithm with a stack of its own. Rows whose number is 0 have not been visited.
void Pruning::visit(std::uint32_t root) {
  calls_.assign(1, {root, rows_.row_start[root]});
  number_[root] = low_[root] = ++visited_;
  stack_.push_back(root);
  while (!calls_.empty()) {
    Call& call = calls_.back();
    const std::uint32_t i = call.row;
    if (call.next < rows_.row_start[i + 1]) {
      const std::uint64_t k = call.next++;
      const std::uint32_t next = alive_[k] == 0 ? no_index : column_mate_[rows_.column[k]];
      if (next == no_index) continue;
      if (number_[next] == 0) {
        number_[next] = low_[next] = ++visited_;
        stack_.push_back(next);
        calls_.push_back({next, rows_.row_start[next]});
      } else if (component_[next] == no_index) {
        low_[i] = std::min(low_[i], number_[next]);
      }
      continue;
    }
    if (low_[i] == number_[i]) {
      std::uint32_t member = no_index;
      do {
        member = stack_.back();
        stack_.pop_back();
        component_[member] = components_;
      } while (member != i);
      ++components_;
    }
    calls_.pop_back();
    if (!calls_.empty()) low_[calls_.back().row] = std::min(low_[calls_.back().row], low_[i]);
  }
}

void Pruning::mark_components() {
  visited_ = 0;
  components_ = 0;
  std::fill(number_.begin(), number_.end(), 0);
  std::fill(component_.begin(), component_.end(), no_index);
  for (std::uint32_t i = 0; i < rows_.rows; ++i) {
    if (row_mate_[i] != no_index && number_[i] == 0) visit(i);
  }
}

void Pruning::prune() {
  mark_components();
  for (std::uint32_t i = 0; i < rows_.rows; ++i) {
    if (row_mate_[i] == no_index) continue;
    degree_[i] = 0;
    for (std::uint64_t k = rows_.row_start[i]; k < rows_.row_start[i + 1]; ++k) {
      if (alive_[k] == 0) continue;
      const std::uint32_t mate = column_mate_[rows_.column[k]];
      alive_[k] = mate != no_index && component_[mate] == component_[i] ? 1 : 0;
      degree_[i] += alive_[k];
    }
  }
}

}  // namespace countpm
