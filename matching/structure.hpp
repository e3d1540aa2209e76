#pragma once
// Structure before counting: a perfect matching or a Hall violator, then the fine Dulmage-Mendelsohn blocks.
#include <optional>
#include <vector>

#include "graph/sparse_matrix.hpp"
#include "matching/maximum_matching.hpp"

namespace countpm {

/// The fine Dulmage-Mendelsohn decomposition of a square pattern with a perfect matching: rows and columns
/// fall into blocks 0 .. blocks - 1, and an entry between two blocks lies in no perfect matching. Blocks are
/// numbered in block upper triangular order.
struct BlockDecomposition {
  Index blocks = 0;
  std::vector<Index> row_block;
  std::vector<Index> column_block;
  std::uint64_t entries_dropped = 0;  // entries between blocks
};

/// Tarjan's strongly connected components (Boost strong_components, which does not recurse on deep graphs) of
/// the digraph that `matching` orients. Precondition: square, `matching` perfect. O(entries). A. L. Dulmage,
/// N. S. Mendelsohn, Coverings of bipartite graphs, Canad. J. Math. 10 (1958).
BlockDecomposition fine_decomposition(const SparsePattern& pattern, const Matching& matching);

/// One or the other: a violator (the count is 0), or the blocks whose counts multiply.
struct Structure {
  Matching matching;
  std::optional<HallViolator> violator;
  BlockDecomposition decomposition;  // empty where there is a violator
};

/// Works on rectangles too: they always have a violator.
Structure analyse(const SparsePattern& pattern);

}  // namespace countpm
