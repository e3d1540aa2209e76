#pragma once
// A matrix and some ways to look at it: in which order its rows and columns stand, and what is outlined.
#include <cstdint>
#include <string>
#include <vector>

#include "graph/sparse_matrix.hpp"

namespace countpm {

/// shared: in some perfect matchings, not in others (or not known to be in none); forced: in all; dropped: in
/// none. Where there is no perfect matching: square, surplus (in a part with too many columns or rows), or
/// dropped (in no maximum matching); of a general graph, unknown.
enum class EntryKind : std::uint8_t { shared, forced, dropped, square, surplus, unknown };

/// A part of a view that is outlined.
struct PatternFrame {
  Index row = 0, column = 0;  // places
  Index rows = 0, columns = 0;
};

struct PatternView {
  std::string title;
  std::vector<Index> rows;     // the line at each place
  std::vector<Index> columns;  // likewise
  std::vector<PatternFrame> frames;
};

struct PatternStages {
  SparsePattern pattern;
  std::vector<EntryKind> kind;  // beside the entries
  std::vector<PatternView> views;
};

}  // namespace countpm
