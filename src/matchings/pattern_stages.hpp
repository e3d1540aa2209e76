#pragma once
// The pattern of a matrix as its structure shows it: as given, then with rows and columns in the order of its
// Dulmage-Mendelsohn decomposition, then each block in the order in which it would be eliminated.
#include <cstdint>
#include <string>
#include <vector>

#include "graph/instance.hpp"
#include "kernels/method.hpp"
#include "kernels/order_kind.hpp"
#include "src/structure/analysis.hpp"

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

/// Bipartite: the fine decomposition, block upper triangular, with a perfect matching on the diagonal; then
/// each block's rows and columns in the best linear order of elimination of the frontier method. Without a
/// perfect matching: the coarse decomposition, with the part that has too many columns first, the part that
/// has too many rows last. General graphs: components, rows and columns alike; without a perfect matching
/// Tutte's violator: the removed vertices, then the odd components. O(entries) and a short search a block.
/// Throws Stopped. A. Pothen, C.-J. Fan, Computing the block triangular form of a sparse matrix, ACM Trans.
/// Math. Softw. 16 (1990) 303.
PatternStages pattern_stages(const Instance& instance, const Analysis& analysis, OrderKind order,
                             std::uint64_t seed, const StopSignal& stop);

}  // namespace countpm
