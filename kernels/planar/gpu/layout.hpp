#pragma once
// The tables from which a GPU repeats one elimination modulo many primes: fronts by level of the tree, with
// rows and columns in the order of a reference elimination, so that nothing is searched or swapped there.
//
// The roots are level 0; a level is eliminated after all deeper ones, so that only two levels' matrices are
// there at a time: those of even levels at the start of the arena, those of odd levels behind them. Skew
// matrices are kept whole, both triangles, and are treated as any other, but for their pivots of two rows.
#include <cstdint>
#include <vector>

#include "kernels/planar/gpu/pivot_order.hpp"

namespace countpm {

struct DeviceFront {
  std::uint64_t matrix = 0;     // its place in the arena, rows x columns entries
  std::uint64_t factors = 0;    // rows x min(pivots, panel_pivots) entries for A21 A11^-1
  std::uint64_t product = 0;    // one entry: of all pivots in its subtree
  std::uint64_t first_row = 0;  // among all fronts' rows
  std::uint64_t first_map = 0;  // in column_map: where the columns that it passes on stand in its parent
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  std::uint32_t pivots = 0;
  std::uint32_t padding = 0;
};

/// An edge's entry in a row.
struct DeviceEntry {
  std::uint32_t column;
  std::uint32_t signed_value;  // 2 value + 1 where it is negative
};

/// A child's row that is added to a row.
struct DeviceSource {
  std::uint32_t front;
  std::uint32_t row;
};

/// A part of a front that is one task.
struct DeviceTile {
  std::uint32_t front;
  std::uint32_t row;
  std::uint32_t column;
};

struct TaskRange {
  std::size_t first = 0;
  std::size_t count = 0;
};

struct PlanarLayout {
  /// Up to panel_pivots pivots of each of a level's large fronts that has so many.
  struct Panel {
    unsigned first_pivot = 0;
    TaskRange inverses;
    TaskRange factors;
    TaskRange updates;
  };
  struct Level {
    TaskRange small_fronts;
    TaskRange rows;
    std::vector<Panel> panels;
    double entries = 0;          // of its fronts
    double multiplications = 0;  // of its small fronts
  };

  std::vector<DeviceFront> fronts;  // by level; small ones first
  std::vector<std::uint32_t> row_front;
  std::vector<std::uint64_t> edge_start;  // of each row, and the end
  std::vector<DeviceEntry> edges;
  std::vector<std::uint64_t> source_start;
  std::vector<DeviceSource> sources;
  std::vector<std::uint32_t> column_map;
  std::vector<std::uint64_t> child_start;  // of each front, and the end
  std::vector<std::uint32_t> children;

  std::vector<std::uint32_t> inverses;  // fronts
  std::vector<DeviceTile> factors;
  std::vector<DeviceTile> updates;

  std::vector<Level> levels;  // 0: the roots
  std::uint64_t roots = 0;
  std::uint64_t arena_entries = 0;
  bool skew = false;

  std::uint64_t table_bytes() const;
};

/// On so many threads; the same for any number of them. O(sum of the fronts' rows and columns) time and
/// memory.
PlanarLayout planar_layout(const planar::SignedMatrix& matrix, const planar::FrontTree& tree,
                           const planar::PivotOrder& order, int threads);

}  // namespace countpm
