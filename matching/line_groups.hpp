#pragma once
// Lines (rows, columns or vertices) sorted by the piece that they belong to.
#include <cstdint>
#include <span>
#include <vector>

#include "graph/sparse_matrix.hpp"

namespace countpm {

/// The lines of piece p, ascending: members[start[p]] .. members[start[p + 1] - 1].
struct LineGroups {
  std::vector<std::uint64_t> start;
  std::vector<Index> members;

  std::span<const Index> operator[](Index piece) const {
    return std::span(members).subspan(start[piece], start[piece + std::uint64_t{1}] - start[piece]);
  }
  /// Of every line, which one it is in its piece: 0, 1, ...
  std::vector<Index> numbers() const;
};

/// piece_of[i] < pieces is line i's. By counting sort: O(lines + pieces).
LineGroups group_lines(const std::vector<Index>& piece_of, Index pieces);

}  // namespace countpm
