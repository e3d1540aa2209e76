#include "src/matchings/matching_search.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "graph/errors.hpp"
#include "src/matchings/bounded_count.hpp"

namespace countpm {

MatchingSearch::MatchingSearch(const SparsePattern& pattern, Structure structure,
                               std::function<bool()> interrupted)
    : pattern_(pattern),
      interrupted_(std::move(interrupted)),
      row_mate_(std::move(structure.matching.row_mate)),
      column_mate_(std::move(structure.matching.column_mate)),
      order_(pattern.rows),
      class_end_(pattern.rows),
      row_class_(pattern.rows, 0),
      column_class_(pattern.rows, 0),
      uncountable_rows_(std::numeric_limits<std::uint64_t>::max()),
      seen_(pattern.rows, 0),
      parent_(pattern.rows),
      number_(pattern.rows),
      low_(pattern.rows),
      cursor_(pattern.rows) {
  // The decomposition's blocks are the first classes: a counting sort of the rows by block.
  const BlockDecomposition& blocks = structure.decomposition;
  std::vector<Index> start(blocks.blocks + std::size_t{1}, 0);
  for (const Index block : blocks.row_block) ++start[block + std::size_t{1}];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<Index> next(start.begin(), start.end() - 1);
  for (Index i = 0; i < pattern_.rows; ++i) order_[next[blocks.row_block[i]]++] = i;
  for (Index b = 0; b < blocks.blocks; ++b) {
    if (start[b + std::size_t{1}] - start[b] < 2) continue;
    class_end_[start[b]] = start[b + std::size_t{1}];
    for (Index k = start[b]; k < start[b + std::size_t{1}]; ++k) {
      row_class_[order_[k]] = start[b] + 1;
      column_class_[row_mate_[order_[k]]] = start[b] + 1;
    }
  }
}

bool MatchingSearch::next() {
  Index row = 0;
  if (std::exchange(started_, true)) {
    if (!backtrack(row)) return false;
  } else if (skip_branch(0)) {
    return false;  // fewer matchings than were to be left out
  }
  for (;;) {
    row = next_open_row(row);
    if (row < pattern_.rows) {
      push(row);
    } else if (to_skip_ == 0) {
      return true;
    } else {
      --to_skip_;
    }
    if (!backtrack(row)) return false;
  }
}

Index MatchingSearch::next_open_row(Index row) const {
  while (row < pattern_.rows && row_class_[row] == 0) ++row;
  return row;
}

void MatchingSearch::push(Index row) {
  const Index begin = row_class_[row] - 1;
  decisions_.push_back({row, begin, class_end_[begin], pattern_.row_start[row]});
}

// To the next branch of the last decision that has one left; `row` is where to go on from there.
bool MatchingSearch::backtrack(Index& row) {
  while (!decisions_.empty()) {
    while (advance(decisions_.back())) {
      row = decisions_.back().row + 1;
      if (!skip_branch(row)) return true;
    }
    decisions_.pop_back();
  }
  return false;
}

bool MatchingSearch::advance(Decision& decision) {
  if (interrupted_ && interrupted_()) throw InterruptedError("interrupted");
  restore(decision);
  const Index row = decision.row;
  const Index id = decision.begin + 1;
  while (decision.at < pattern_.row_start[row + std::size_t{1}]) {
    const Index column = pattern_.column[decision.at++];
    if (column_class_[column] != id) continue;
    if (row_mate_[row] != column) rematch(row, column, id);
    row_class_[row] = 0;
    column_class_[column] = 0;
    const auto begin = order_.begin() + decision.begin;
    std::iter_swap(begin, std::find(begin, order_.begin() + decision.end, row));
    split(decision.begin + 1, decision.end, id);
    return true;
  }
  return false;
}

// Undoes every split of the class; the matching of its rows with its columns may have changed, the two sets
// have not.
void MatchingSearch::restore(const Decision& decision) {
  class_end_[decision.begin] = decision.end;
  for (Index k = decision.begin; k < decision.end; ++k) {
    row_class_[order_[k]] = decision.begin + 1;
    column_class_[row_mate_[order_[k]]] = decision.begin + 1;
  }
}

// Gives `column` to `row`: an alternating path inside the class leads from the row that held it to the column
// that `row` gives up.
void MatchingSearch::rematch(Index row, Index column, Index id) {
  ++now_;
  const Index first = column_mate_[column];
  const Index target = row_mate_[row];
  seen_[first] = now_;
  queue_.assign(1, first);
  Index last = no_index;
  for (std::size_t head = 0; head < queue_.size() && last == no_index; ++head) {
    const Index from = queue_[head];
    for (std::uint64_t k = pattern_.row_start[from]; k < pattern_.row_start[from + std::size_t{1}]; ++k) {
      const Index over = pattern_.column[k];
      if (column_class_[over] != id) continue;
      if (over == target) {
        last = from;
        break;
      }
      const Index to = column_mate_[over];
      if (seen_[to] == now_) continue;
      seen_[to] = now_;
      parent_[to] = from;
      queue_.push_back(to);
    }
  }
  if (last == no_index) throw std::logic_error("list: no alternating path inside a class");
  Index free_column = target;
  for (Index at = last;; at = parent_[at]) {
    std::swap(row_mate_[at], free_column);
    column_mate_[row_mate_[at]] = at;
    if (at == first) break;
  }
  row_mate_[row] = column;
  column_mate_[column] = row;
}

// Strongly connected components of the rows order_[begin, end) of class `id`, with an arc from a row to the
// mate of every column of the class that it has an entry in. They become classes.
void MatchingSearch::split(Index begin, Index end, Index id) {
  sorted_.clear();
  part_start_.clear();
  for (Index k = begin; k < end; ++k) number_[order_[k]] = 0;
  for (Index k = begin; k < end; ++k) {
    if (number_[order_[k]] == 0) visit(order_[k], id);
  }
  std::copy(sorted_.begin(), sorted_.end(), order_.begin() + begin);
  part_start_.push_back(end - begin);
  for (std::size_t p = 0; p + 1 < part_start_.size(); ++p) {
    const Index first = begin + part_start_[p];
    const Index last = begin + part_start_[p + 1];
    const Index part = last - first < 2 ? 0 : first + 1;
    class_end_[first] = last;
    for (Index k = first; k < last; ++k) {
      row_class_[order_[k]] = part;
      column_class_[row_mate_[order_[k]]] = part;
    }
  }
}

// Tarjan's depth-first search from one row, its stack in path_. number_: 1, 2, ... in order of discovery,
// no_index once the component is complete.
void MatchingSearch::visit(Index root, Index id) {
  Index discovered = static_cast<Index>(sorted_.size());
  const auto discover = [&](Index row) {
    number_[row] = low_[row] = ++discovered;
    cursor_[row] = pattern_.row_start[row];
    path_.push_back(row);
    open_.push_back(row);
  };
  discover(root);
  while (!path_.empty()) {
    const Index row = path_.back();
    bool deeper = false;
    while (!deeper && cursor_[row] < pattern_.row_start[row + std::size_t{1}]) {
      const Index column = pattern_.column[cursor_[row]++];
      if (column_class_[column] != id) continue;
      const Index to = column_mate_[column];
      if (number_[to] == 0) {
        discover(to);
        deeper = true;
      } else if (number_[to] != no_index) {
        low_[row] = std::min(low_[row], number_[to]);
      }
    }
    if (deeper) continue;
    path_.pop_back();
    if (!path_.empty()) low_[path_.back()] = std::min(low_[path_.back()], low_[row]);
    if (low_[row] != number_[row]) continue;
    part_start_.push_back(static_cast<Index>(sorted_.size()));
    Index member = no_index;
    do {
      member = open_.back();
      open_.pop_back();
      number_[member] = no_index;
      sorted_.push_back(member);
    } while (member != row);
  }
}

// Whether all matchings that complete the decisions so far are among those to be left out: then they are. The
// classes that are open from `first_row` on are independent: their counts multiply.
bool MatchingSearch::skip_branch(Index first_row) {
  if (to_skip_ == 0) return false;
  std::uint64_t completions = 1;
  ++now_;
  for (Index row = next_open_row(first_row); row < pattern_.rows; row = next_open_row(row + 1)) {
    if (seen_[row] == now_) continue;  // its class has been multiplied in
    const Index id = row_class_[row];
    const auto first = order_.begin() + (id - 1);
    const auto last = order_.begin() + class_end_[id - std::size_t{1}];
    const auto rows = static_cast<std::uint64_t>(last - first);
    for (auto member = first; member != last; ++member) seen_[*member] = now_;
    if (rows >= uncountable_rows_) return false;
    const auto number =
        bounded_count(pattern_, {first, last}, [&](Index column) { return column_class_[column] == id; });
    if (!number) {
      uncountable_rows_ = rows - rows / 16;
      return false;
    }
    if (*number > to_skip_ / completions) return false;
    completions *= *number;
  }
  to_skip_ -= completions;
  return true;
}

}  // namespace countpm
