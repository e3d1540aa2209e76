#pragma once
// pruning.hpp by a GPU's warp, over lists: matrices of any size (kernels/gpu/cpu_executor.hpp says how a
// kernel is written). Which entries are alive is the same; which matching tells may differ.
//
// A search takes some rows of its queue at a time, several lanes for each row's entries, and new rows go to
// the end of the queue. Where an edge is taken only the rows that were in one component with its row need to
// be looked at: what the first of them reaches, and which of that reach it, is a component. Mostly it is all
// that is left of the old one. Else edges between it and other rows are cut, and the first row of the rest is
// next.
#include <cstddef>
#include <cstdint>

#include "kernels/arithmetic/bit_operations.hpp"
#include "kernels/estimate/walks/walk.hpp"
#include "kernels/gpu/atomic.hpp"

namespace countpm {

/// How every walk begins, and where a warp keeps what it changes.
struct ListPruningTask {
  const std::uint32_t* alive = nullptr;  // bytes: entries by rows, then by columns, filled up to whole words
  const std::uint64_t* column_place = nullptr;  // of each entry by rows, its place by columns
  const std::uint64_t* row_place = nullptr;     // and back
  const std::uint32_t* row_mate = nullptr;      // anything where there is no perfect matching
  const std::uint32_t* column_mate = nullptr;
  std::uint32_t* own_alive = nullptr;  // [warp][alive_words(entries)]
  std::uint32_t* own = nullptr;        // [warp][own_words(size)]
  std::uint64_t entries = 0;
  unsigned lanes_a_row = 1;  // a power of two up to 32

  static COUNTPM_HD std::uint64_t alive_words(std::uint64_t entries) { return (2 * entries + 3) / 4; }
  static COUNTPM_HD std::uint64_t own_words(std::uint64_t size) { return 9 * size + 4; }
  static COUNTPM_HD std::uint64_t bytes_a_warp(std::uint64_t size, std::uint64_t entries) {
    return 4 * (alive_words(entries) + own_words(size));
  }
};

/// The entries that count, for ListWalkWarp; the degrees are the walk's.
template <class Warp>
class ListPruning {
 public:
  static constexpr bool prunes = true;

  COUNTPM_HD ListPruning(Warp& warp, const WalkMatrix& matrix, const ListPruningTask& task,
                         std::uint32_t* degree)
      : warp_(warp),
        matrix_(matrix),
        task_(task),
        degree_(degree),
        words_(task.own_alive + warp.index() * task.alive_words(task.entries)),
        alive_(reinterpret_cast<std::uint8_t*>(words_)),
        alive_by_column_(alive_ + task.entries) {
    const std::uint64_t n = matrix.size;
    row_mate_ = task.own + warp.index() * task.own_words(n);
    column_mate_ = row_mate_ + n;
    component_ = column_mate_ + n;
    queue_ = component_ + n;
    before_ = queue_ + n;
    mark_[0] = before_ + n;
    mark_[1] = mark_[0] + n;
    head_ = mark_[1] + n;
    rows_in_ = head_ + 2;
  }

  COUNTPM_HD bool alive(std::uint64_t entry) const { return alive_[entry] != 0; }
  COUNTPM_HD bool alive_by_column(std::uint64_t entry) const { return alive_by_column_[entry] != 0; }

  /// All that is alive at the start. The walk sets the degrees.
  COUNTPM_HD void begin() {
    const std::uint32_t n = matrix_.size;
    warp_.each([&](unsigned lane) {
      for (std::uint64_t w = lane; w < task_.alive_words(task_.entries); w += 32) words_[w] = task_.alive[w];
      for (std::uint32_t i = lane; i < n; i += 32) {
        row_mate_[i] = task_.row_mate[i];
        column_mate_[i] = task_.column_mate[i];
        component_[i] = mark_[0][i] = mark_[1][i] = 0;
      }
    });
    warp_.once([&] {
      head_[last_search] = 0;
      head_[last_component] = 0;
      rows_in_[0] = n;
    });
    warp_.sync();
  }

  /// The row takes the column, by an entry that is alive. O(entries left / 32) where searches are wide.
  COUNTPM_HD void take(std::uint32_t row, std::uint32_t column) {
    const std::uint32_t goal = row_mate_[row];
    const std::uint32_t start = column_mate_[column];
    const std::uint32_t component = component_[row];
    searches_ = head_[last_search];
    components_ = head_[last_component];
    warp_.sync();
    close(row, column);
    if (goal != column) mend_matching(start, goal);
    prune(component);
    warp_.once([&] {
      head_[last_search] = searches_;
      head_[last_component] = components_;
    });
    warp_.sync();
  }

 private:
  template <class T>
  using PerLane = typename Warp::template PerLane<T>;
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr unsigned last_search = 0;
  static constexpr unsigned last_component = 1;
  enum Direction : unsigned { forward, backward };

  /// What a search has found: so many rows, in the queue, the root first.
  struct Found {
    std::uint32_t rows = 1;
    std::uint32_t at_goal = none;  // the row from which it has reached its goal
  };

  COUNTPM_HD void kill(std::uint64_t by_row, std::uint64_t by_column) {
    alive_[by_row] = 0;
    alive_by_column_[by_column] = 0;
  }

  COUNTPM_HD void close(std::uint32_t row, std::uint32_t column) {
    warp_.each([&](unsigned lane) {
      for (std::uint64_t k = matrix_.row_start[row] + lane; k < matrix_.row_start[row + 1]; k += 32) {
        if (alive(k)) kill(k, task_.column_place[k]);
      }
    });
    warp_.sync();
    warp_.each([&](unsigned lane) {
      for (std::uint64_t k = matrix_.column_start[column] + lane; k < matrix_.column_start[column + 1];
           k += 32) {
        if (!alive_by_column(k)) continue;
        kill(task_.row_place[k], k);
        --degree_[matrix_.row[k]];
      }
    });
    warp_.once([&] { row_mate_[row] = column_mate_[column] = none; });
    warp_.sync();
  }

  /// For rows queue[first], ..., `count` of them: turn(entry, row), lane by lane, until all entries of the
  /// row (forward) or of its mate's column have come; entry is no_entry in lanes that have none.
  template <Direction Which, class Turn>
  COUNTPM_HD void over_entries(std::uint32_t first, std::uint32_t count, const Turn& turn) const {
    const std::uint64_t* start = Which == forward ? matrix_.row_start : matrix_.column_start;
    const unsigned lanes = task_.lanes_a_row;
    PerLane<std::uint32_t> row;
    PerLane<std::uint64_t> next;
    PerLane<std::uint64_t> end;
    warp_.each([&](unsigned lane) {
      row[lane] = none;
      next[lane] = end[lane] = 0;
      if (lane / lanes >= count) return;
      row[lane] = queue_[first + lane / lanes];
      const std::uint32_t line = Which == forward ? row[lane] : row_mate_[row[lane]];
      next[lane] = start[line] + lane % lanes;
      end[lane] = start[line + 1];
    });
    for (;;) {
      if (warp_.ballot([&](unsigned lane) { return next[lane] < end[lane]; }) == 0) return;
      PerLane<std::uint64_t> entry;
      warp_.each([&](unsigned lane) {
        entry[lane] = next[lane] < end[lane] ? next[lane] : no_entry;
        next[lane] += lanes;
      });
      turn(entry, row);
    }
  }

  /// What the root reaches, by entries of rows, or which rows reach it, of those that bear the other
  /// direction's mark `within`. Marks them. Ends with `most` rows, or where it has reached the column `goal`.
  template <Direction Which>
  COUNTPM_HD Found search(std::uint32_t root, std::uint32_t most, std::uint32_t goal, std::uint32_t within) {
    const std::uint32_t number = ++searches_;
    std::uint32_t* mark = mark_[Which];
    warp_.once([&] {
      queue_[0] = root;
      mark[root] = number;
    });
    warp_.sync();
    Found found;
    const std::uint32_t rows_at_once = 32 / task_.lanes_a_row;
    for (std::uint32_t next = 0; next < found.rows && found.rows < most && found.at_goal == none;) {
      const std::uint32_t left = found.rows - next;
      const std::uint32_t count = left < rows_at_once ? left : rows_at_once;
      over_entries<Which>(next, count, [&](const auto& entry, const auto& row) {
        PerLane<std::uint32_t> reached;
        const std::uint32_t at_goal = warp_.ballot([&](unsigned lane) {
          reached[lane] = none;
          if (entry[lane] == no_entry) return false;
          if constexpr (Which == forward) {
            if (!alive(entry[lane])) return false;
            const std::uint32_t column = matrix_.column[entry[lane]];
            if (column == goal) return true;
            reached[lane] = column_mate_[column];
          } else {
            if (!alive_by_column(entry[lane])) return false;
            reached[lane] = matrix_.row[entry[lane]];
            if (mark_[forward][reached[lane]] != within) reached[lane] = none;
          }
          if (reached[lane] != none && mark[reached[lane]] == number) reached[lane] = none;
          return false;
        });
        if (at_goal != 0) found.at_goal = warp_.broadcast(row, lowest_bit(at_goal));
        const PerLane<std::uint32_t> same = warp_.same(32, reached);
        const std::uint32_t fresh = warp_.ballot(
            [&](unsigned lane) { return reached[lane] != none && lowest_bit(same[lane]) == lane; });
        warp_.each([&](unsigned lane) {
          if ((fresh >> lane & 1) == 0) return;
          const unsigned rank = bit_count(fresh & ((std::uint32_t{1} << lane) - 1));
          queue_[found.rows + rank] = reached[lane];
          mark[reached[lane]] = number;
          if constexpr (Which == forward) before_[reached[lane]] = row[lane];
        });
        warp_.sync();
        found.rows += bit_count(fresh);
      });
      next += count;
    }
    return found;
  }

  /// The row and the column have lost one another's mates: an alternating path joins them, for the edge was
  /// alive.
  COUNTPM_HD void mend_matching(std::uint32_t start, std::uint32_t goal) {
    const std::uint32_t last = search<forward>(start, none, goal, 0).at_goal;
    warp_.once([&] {
      std::uint32_t row = last;
      for (std::uint32_t column = goal; row != none;) {
        const std::uint32_t its_column = row_mate_[row];
        row_mate_[row] = column;
        column_mate_[column] = row;
        if (row == start) break;
        column = its_column;
        row = before_[row];
      }
    });
    warp_.sync();
  }

  /// Cuts the rows of a component, of which one has just been closed, into strongly connected ones.
  COUNTPM_HD void prune(std::uint32_t old) {
    std::uint32_t left = rows_in_[old] - 1;
    bool whole = true;
    for (std::uint32_t base = 0; left > 0; base += 32) {
      for (;;) {
        const std::uint32_t some = warp_.ballot([&](unsigned lane) {
          const std::uint32_t i = base + lane;
          return i < matrix_.size && component_[i] == old && row_mate_[i] != none;
        });
        if (some == 0) break;
        const std::uint32_t root = base + lowest_bit(some);
        const std::uint32_t reached = search<forward>(root, left, none, 0).rows;
        const std::uint32_t within = searches_;
        const std::uint32_t rows = search<backward>(root, reached, none, within).rows;
        if (whole && rows == left) {
          warp_.once([&] { rows_in_[old] = left; });
          return;
        }
        whole = false;
        left -= rows;
        separate(rows);
      }
    }
  }

  /// The rows of the queue, which the last search has marked, become a component, and edges between them and
  /// others go.
  COUNTPM_HD void separate(std::uint32_t rows) {
    const std::uint32_t number = searches_;
    const std::uint32_t component = ++components_;
    const std::uint32_t* mark = mark_[backward];
    warp_.once([&] { rows_in_[component] = rows; });
    warp_.each([&](unsigned lane) {
      for (std::uint32_t k = lane; k < rows; k += 32) component_[queue_[k]] = component;
    });
    const std::uint32_t rows_at_once = 32 / task_.lanes_a_row;
    for (std::uint32_t first = 0; first < rows; first += rows_at_once) {
      const std::uint32_t count = rows - first < rows_at_once ? rows - first : rows_at_once;
      over_entries<forward>(first, count, [&](const auto& entry, const auto& row) {
        warp_.each([&](unsigned lane) {
          const std::uint64_t k = entry[lane];
          if (k == no_entry || !alive(k) || mark[column_mate_[matrix_.column[k]]] == number) return;
          kill(k, task_.column_place[k]);
          add_atomically(degree_ + row[lane], ~std::uint32_t{0});
        });
      });
      over_entries<backward>(first, count, [&](const auto& entry, const auto&) {
        warp_.each([&](unsigned lane) {
          const std::uint64_t k = entry[lane];
          if (k == no_entry || !alive_by_column(k) || mark[matrix_.row[k]] == number) return;
          kill(task_.row_place[k], k);
          add_atomically(degree_ + matrix_.row[k], ~std::uint32_t{0});
        });
      });
    }
    warp_.sync();
  }

  static constexpr std::uint64_t no_entry = ~std::uint64_t{0};

  Warp& warp_;
  const WalkMatrix& matrix_;
  const ListPruningTask& task_;
  std::uint32_t* degree_;
  std::uint32_t* words_;
  std::uint8_t* alive_;
  std::uint8_t* alive_by_column_;
  std::uint32_t* row_mate_;
  std::uint32_t* column_mate_;
  std::uint32_t* component_;  // of each open row; rows of several are never joined by an edge that is alive
  std::uint32_t* queue_;
  std::uint32_t* before_;   // the row from which a search forward has reached a row
  std::uint32_t* mark_[2];  // of each row: the last search that has reached it
  std::uint32_t* head_;     // numbers of the last search and the last component
  std::uint32_t* rows_in_;  // [2 * size]: of each component
  std::uint32_t searches_ = 0;
  std::uint32_t components_ = 0;
};

}  // namespace countpm
