// Maximum matchings of bipartite graphs: the Karp-Sipser heuristic finds nearly all of it, Hopcroft-Karp the
// rest. Karp-Sipser: while some vertex has one free neighbour left, match the two (no maximum matching is
// lost by that); where there is none, match the next row to its free column of least degree (a guess).
// Hopcroft-Karp: layer the rows by their alternating distance from the free rows (breadth first, up to the
// first layer that touches a free column), then augment along a maximal set of disjoint shortest paths (depth
// first); at most O(sqrt(rows + columns)) such phases. O(entries * sqrt(rows + columns)) time, O(rows +
// columns + entries) memory, no recursion. R. M. Karp, M. Sipser, Maximum matchings in sparse random graphs,
// FOCS 1981. J. E. Hopcroft, R. M. Karp, An n^(5/2) algorithm for maximum matchings in bipartite graphs, SIAM
// J. Comput. 2 (1973).
#include "matching/maximum_matching.hpp"

#include <algorithm>

#include "graph/stop_poll.hpp"

namespace countpm {
namespace {

void match(Matching& matching, Index row, Index column) {
  matching.row_mate[row] = column;
  matching.column_mate[column] = row;
  ++matching.size;
}

/// The Karp-Sipser start: a maximal matching, near maximum on sparse random graphs, maximum on forests and
/// cycles.
class KarpSipser {
 public:
  KarpSipser(const SparsePattern& pattern, Matching& matching)
      : pattern_(pattern), transposed_(transpose(pattern)), matching_(matching) {
    row_degree_.resize(pattern_.rows);
    column_degree_.resize(pattern_.columns);
    for (Index i = 0; i < pattern_.rows; ++i) row_degree_[i] = pattern_.row_degree(i);
    for (Index j = 0; j < pattern_.columns; ++j) column_degree_[j] = transposed_.row_degree(j);
  }

  void run() {
    for (Index i = 0; i < pattern_.rows; ++i) {
      if (row_degree_[i] == 1) single_rows_.push_back(i);
    }
    for (Index j = 0; j < pattern_.columns; ++j) {
      if (column_degree_[j] == 1) single_columns_.push_back(j);
    }
    match_singles();
    for (Index i = 0; i < pattern_.rows; ++i) {
      if (matching_.row_mate[i] != no_index || row_degree_[i] == 0) continue;
      take(i, free_column_of_least_degree(i));
      match_singles();
    }
  }

 private:
  void match_singles() {
    // row_degree_ counts free columns only; entries of the lists may be stale by the time they are looked at.
    while (!single_rows_.empty() || !single_columns_.empty()) {
      if (!single_rows_.empty()) {
        const Index i = single_rows_.back();
        single_rows_.pop_back();
        if (matching_.row_mate[i] != no_index || row_degree_[i] != 1) continue;
        take(i, first_free(pattern_, i, matching_.column_mate));
      } else {
        const Index j = single_columns_.back();
        single_columns_.pop_back();
        if (matching_.column_mate[j] != no_index || column_degree_[j] != 1) continue;
        take(first_free(transposed_, j, matching_.row_mate), j);
      }
    }
  }

  static Index first_free(const SparsePattern& lines, Index line, const std::vector<Index>& mate) {
    std::uint64_t k = lines.row_start[line];
    while (mate[lines.column[k]] != no_index) ++k;  // one is free, or line's degree would be 0
    return lines.column[k];
  }

  Index free_column_of_least_degree(Index row) const {
    Index best = no_index;
    Index best_degree = no_index;
    for (std::uint64_t k = pattern_.row_start[row]; k < pattern_.row_start[row + std::uint64_t{1}]; ++k) {
      const Index j = pattern_.column[k];
      if (matching_.column_mate[j] == no_index && column_degree_[j] < best_degree) {
        best = j;
        best_degree = column_degree_[j];
      }
    }
    return best;
  }

  void take(Index row, Index column) {
    match(matching_, row, column);
    poll_.steps(pattern_.row_degree(row) + transposed_.row_degree(column));
    for (std::uint64_t k = pattern_.row_start[row]; k < pattern_.row_start[row + std::uint64_t{1}]; ++k) {
      const Index j = pattern_.column[k];
      if (--column_degree_[j] == 1 && matching_.column_mate[j] == no_index) single_columns_.push_back(j);
    }
    for (std::uint64_t k = transposed_.row_start[column];
         k < transposed_.row_start[column + std::uint64_t{1}]; ++k) {
      const Index i = transposed_.column[k];
      if (--row_degree_[i] == 1 && matching_.row_mate[i] == no_index) single_rows_.push_back(i);
    }
  }

  const SparsePattern& pattern_;
  SparsePattern transposed_;
  Matching& matching_;
  std::vector<Index> row_degree_;
  std::vector<Index> column_degree_;
  std::vector<Index> single_rows_;
  std::vector<Index> single_columns_;
  StopPoll poll_;
};

/// Phases of shortest augmenting paths until there is none.
class HopcroftKarp {
 public:
  HopcroftKarp(const SparsePattern& pattern, Matching& matching)
      : pattern_(pattern),
        matching_(matching),
        level_(pattern.rows, no_index),
        next_(pattern.row_start.begin(), pattern.row_start.end() - 1),
        free_(next_) {
    for (Index i = 0; i < pattern.rows; ++i) {
      if (matching.row_mate[i] == no_index && pattern.row_degree(i) > 0) free_rows_.push_back(i);
    }
  }

  void run() {
    while (!free_rows_.empty() && layer()) {
      for (const Index i : free_rows_) augment(i);
      std::erase_if(free_rows_, [this](Index i) { return matching_.row_mate[i] != no_index; });
    }
  }

 private:
  /// Moves free_[row] to the row's first free column. Columns never become free again, so it only moves on:
  /// O(entries) in all.
  bool has_free_column(Index row) {
    const std::uint64_t end = pattern_.row_start[row + std::uint64_t{1}];
    std::uint64_t& k = free_[row];
    while (k < end && matching_.column_mate[pattern_.column[k]] != no_index) ++k;
    return k < end;
  }

  /// Layers the rows; reached_ holds them flat, layer after layer. False where no free column is in reach.
  bool layer() {
    for (const Index i : reached_) level_[i] = no_index;
    reached_ = free_rows_;
    for (const Index i : reached_) {
      level_[i] = 0;
      next_[i] = pattern_.row_start[i];
    }
    last_level_ = 0;
    std::size_t begin = 0;
    while (begin < reached_.size()) {
      const std::size_t end = reached_.size();
      for (std::size_t at = begin; at < end; ++at) {
        if (has_free_column(reached_[at])) return true;
      }
      for (std::size_t at = begin; at < end; ++at) {
        const Index i = reached_[at];
        poll_.steps(pattern_.row_degree(i));
        for (std::uint64_t k = pattern_.row_start[i]; k < pattern_.row_start[i + std::uint64_t{1}]; ++k) {
          const Index mate = matching_.column_mate[pattern_.column[k]];
          if (level_[mate] != no_index) continue;
          level_[mate] = last_level_ + 1;
          next_[mate] = pattern_.row_start[mate];
          reached_.push_back(mate);
        }
      }
      begin = end;
      ++last_level_;
    }
    return false;
  }

  /// Looks for a path from a free row through the layers to a free column and flips it.
  void augment(Index start) {
    path_.assign(1, start);
    while (!path_.empty()) {
      poll_.step();
      const Index i = path_.back();
      if (level_[i] == last_level_) {
        if (has_free_column(i)) {
          flip(pattern_.column[free_[i]]);
          return;
        }
        level_[i] = spent;
        path_.pop_back();
        continue;
      }
      std::uint64_t& k = next_[i];
      const std::uint64_t end = pattern_.row_start[i + std::uint64_t{1}];
      Index child = no_index;
      while (k < end && child == no_index) {
        const Index mate = matching_.column_mate[pattern_.column[k]];
        if (level_[mate] == level_[i] + 1) {
          child = mate;
        } else {
          ++k;
        }
      }
      if (child == no_index) {
        level_[i] = spent;
        path_.pop_back();
      } else {
        path_.push_back(
            child);  // next_[i] stays at the entry that leads to the child: flip() reads the path from there
      }
    }
  }

  void flip(Index column) {
    ++matching_.size;
    for (std::size_t at = path_.size(); at-- > 0;) {
      const Index i = path_[at];
      level_[i] = spent;  // paths of one phase share no row
      const Index freed = matching_.row_mate[i];
      matching_.row_mate[i] = column;
      matching_.column_mate[column] = i;
      column = freed;
    }
  }

  static constexpr Index spent =
      no_index - 1;  // never level + 1 of a row: levels stay below the number of rows

  const SparsePattern& pattern_;
  Matching& matching_;
  std::vector<Index> level_;
  std::vector<std::uint64_t> next_;  // depth first: the entry to look at next
  std::vector<std::uint64_t> free_;  // no free column before this entry
  std::vector<Index> free_rows_;
  std::vector<Index> reached_;
  std::vector<Index> path_;
  StopPoll poll_;
  Index last_level_ = 0;
};

/// The rows of `lines` that alternating paths reach from `start`, and their columns.
HallViolator reach(const SparsePattern& lines, const std::vector<Index>& column_mate, Index start) {
  HallViolator violator;
  std::vector<bool> seen(lines.columns, false);
  violator.vertices.push_back(start);
  StopPoll poll;
  for (std::size_t at = 0; at < violator.vertices.size(); ++at) {
    const Index i = violator.vertices[at];
    poll.steps(lines.row_degree(i));
    for (std::uint64_t k = lines.row_start[i]; k < lines.row_start[i + std::uint64_t{1}]; ++k) {
      const Index j = lines.column[k];
      if (seen[j]) continue;
      seen[j] = true;
      violator.neighbours.push_back(j);
      violator.vertices.push_back(column_mate[j]);  // matched, or the matching would not be maximum
    }
  }
  std::sort(violator.vertices.begin(), violator.vertices.end());
  std::sort(violator.neighbours.begin(), violator.neighbours.end());
  return violator;
}

}  // namespace

Matching maximum_matching(const SparsePattern& pattern) {
  Matching matching;
  matching.row_mate.assign(pattern.rows, no_index);
  matching.column_mate.assign(pattern.columns, no_index);
  KarpSipser(pattern, matching).run();
  HopcroftKarp(pattern, matching).run();
  return matching;
}

// No proper subset of the rows reached violates Hall's condition: all but the start are matched within the
// set, so a violating subset holds the start, has exactly its other rows' mates as neighbours, and is
// therefore closed under alternating paths.
HallViolator hall_violator(const SparsePattern& pattern, const Matching& matching) {
  for (Index i = 0; i < pattern.rows; ++i) {
    if (matching.row_mate[i] == no_index) return reach(pattern, matching.column_mate, i);
  }
  Index start = 0;
  while (matching.column_mate[start] != no_index) ++start;
  HallViolator violator = reach(transpose(pattern), matching.row_mate, start);
  violator.of_rows = false;
  return violator;
}

}  // namespace countpm
