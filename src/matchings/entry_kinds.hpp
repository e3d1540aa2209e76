#pragma once
// What the entries of a matrix are to its perfect matchings.
#include <vector>

#include "src/matchings/pattern_views.hpp"
#include "src/structure/analysis.hpp"

namespace countpm {

/// The coarse Dulmage-Mendelsohn decomposition by a maximum matching: where alternating paths from an
/// unmatched column or row lead. O(entries).
class CoarseParts {
 public:
  enum Part : Index { wide, square, tall };

  CoarseParts(const SparsePattern& pattern, const Matching& matching);

  std::vector<Index> row;     // the Part of every row
  std::vector<Index> column;  // likewise
};

/// Beside the pattern's entries. O(rows + columns + entries).
std::vector<EntryKind> entry_kinds(const Instance& instance, const Analysis& analysis);

}  // namespace countpm
