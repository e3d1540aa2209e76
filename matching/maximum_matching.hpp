#pragma once
// Maximum matchings of bipartite graphs: Karp-Sipser start, then Hopcroft-Karp.
// J. E. Hopcroft, R. M. Karp, An n^(5/2) algorithm for maximum matchings in bipartite graphs, SIAM J. Comput.
// 2 (1973).
#include <vector>

#include "graph/sparse_matrix.hpp"

namespace countpm {

/// row_mate[i] is the column matched to row i or no_index; column_mate likewise; size is the number of
/// matched pairs.
struct Matching {
  std::vector<Index> row_mate;
  std::vector<Index> column_mate;
  Index size = 0;
};

/// A matching of the largest size. O(entries * sqrt(rows + columns)) time, O(rows + columns + entries)
/// memory, no recursion.
Matching maximum_matching(const SparsePattern& pattern);

/// Why no matching covers one side: vertices of that side whose neighbours, all listed, are fewer (Hall's
/// theorem).
struct HallViolator {
  bool of_rows = true;            // else of columns
  std::vector<Index> vertices;    // ascending
  std::vector<Index> neighbours;  // ascending; neighbours.size() < vertices.size()
};

/// A violator of the rows if some row is unmatched, else of the columns; minimal in the sense that it is what
/// alternating paths reach from one unmatched vertex. Precondition: `matching` is maximum and leaves a row or
/// a column unmatched. O(entries).
HallViolator hall_violator(const SparsePattern& pattern, const Matching& matching);

}  // namespace countpm
