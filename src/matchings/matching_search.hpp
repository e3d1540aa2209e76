#pragma once
// All perfect matchings of a bipartite graph, one after another, in lexicographic order.
//
// Rows are decided in order. What is undecided falls into its fine Dulmage-Mendelsohn classes (strongly
// connected components of the digraph that the current matching orients), and by that theorem an undecided
// row can go with exactly the columns of its own class: no branch is entered in vain. A decision (i, j)
// re-matches the class of i along one alternating path from the row that held j to the column that i held,
// and splits what is left of the class into components again. Rows alone in their class are forced and cost
// nothing. Every decision that is not forced has two or more branches, so that a matching takes O(entries) on
// average and O(rows * entries) at worst. Compare: T. Uno, Algorithms for enumerating all perfect, maximum
// and maximal matchings in bipartite graphs, ISAAC 1997, LNCS 1350.
#include <cstdint>
#include <functional>
#include <vector>

#include "graph/sparse_matrix.hpp"
#include "matching/structure.hpp"

namespace countpm {

/// Memory O(rows + entries), no recursion. The pattern must outlive the search.
class MatchingSearch {
 public:
  /// Precondition: `pattern` is square and `structure` its analysis, without a violator.
  MatchingSearch(const SparsePattern& pattern, Structure structure, std::function<bool()> interrupted);

  /// The next `number` matchings are left out: whole branches at a time where their number is quickly known
  /// (src/matchings/bounded_count.hpp), else one by one.
  void skip(std::uint64_t number) { to_skip_ = number; }
  /// Moves to the next matching; false after the last. Throws InterruptedError.
  bool next();
  /// The column of every row, in the matching that next() moved to.
  const std::vector<Index>& row_mate() const { return row_mate_; }

 private:
  // A decision: `row` of the class order_[begin, end), whose next candidate is at or after entry `at`.
  struct Decision {
    Index row;
    Index begin;
    Index end;
    std::uint64_t at;
  };

  Index next_open_row(Index row) const;
  void push(Index row);
  bool backtrack(Index& row);
  bool advance(Decision& decision);
  void restore(const Decision& decision);
  void rematch(Index row, Index column, Index id);
  void split(Index begin, Index end, Index id);
  void visit(Index root, Index id);
  bool skip_branch(Index first_row);

  const SparsePattern& pattern_;
  std::function<bool()> interrupted_;
  std::vector<Index> row_mate_;
  std::vector<Index> column_mate_;

  // Classes of two or more undecided rows stand at order_[id - 1, class_end_[id - 1]); 0: decided or forced.
  std::vector<Index> order_;
  std::vector<Index> class_end_;
  std::vector<Index> row_class_;
  std::vector<Index> column_class_;
  std::vector<Decision> decisions_;
  bool started_ = false;

  std::uint64_t to_skip_ = 0;
  std::uint64_t uncountable_rows_;  // classes this large are not worth another attempt to count them

  // Of rematch: a breadth-first search.
  std::vector<std::uint64_t> seen_;
  std::uint64_t now_ = 0;
  std::vector<Index> parent_;
  std::vector<Index> queue_;
  // Of split: Tarjan's algorithm.
  std::vector<Index> number_;
  std::vector<Index> low_;
  std::vector<std::uint64_t> cursor_;
  std::vector<Index> path_;
  std::vector<Index> open_;
  std::vector<Index> sorted_;
  std::vector<Index> part_start_;  // where in sorted_ each component begins
};

}  // namespace countpm
