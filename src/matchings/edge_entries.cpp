#include "src/matchings/edge_entries.hpp"

#include <algorithm>
#include <utility>

namespace countpm {

std::vector<std::uint64_t> entries_of_edges(const Instance& instance, const std::vector<Edge>& edges) {
  const SparsePattern& pattern = instance.pattern;
  std::vector<Index> row_of;
  std::vector<Index> column_of;
  if (!instance.row_vertex.empty() || !instance.column_vertex.empty()) {
    row_of.assign(pattern.rows + std::size_t{pattern.columns}, no_index);
    column_of = row_of;
    // Those that were added (FreeVertices) are none of the graph's. Of a bipartite graph one side may be as
    // it was, without numbers.
    const auto number = [](const std::vector<Index>& vertex, Index lines, std::vector<Index>& line_of) {
      for (Index line = 0; line < lines; ++line) {
        const Index v = vertex.empty() ? line : vertex[line];
        if (v != no_index) line_of[v] = line;
      }
    };
    number(instance.row_vertex, pattern.rows, row_of);
    number(instance.column_vertex, pattern.columns, column_of);
  }
  std::vector<std::uint64_t> entries;
  entries.reserve(edges.size());
  for (const Edge& edge : edges) {
    Index row = edge.from;
    Index column = edge.to;
    if (!row_of.empty()) {
      // An undirected edge has one end on either side.
      if (row_of[row] == no_index) std::swap(row, column);
      row = row_of[row];
      column = column_of[column];
    }
    const auto begin = pattern.column.begin() + static_cast<std::ptrdiff_t>(pattern.row_start[row]);
    const auto end =
        pattern.column.begin() + static_cast<std::ptrdiff_t>(pattern.row_start[row + std::size_t{1}]);
    entries.push_back(
        static_cast<std::uint64_t>(std::lower_bound(begin, end, column) - pattern.column.begin()));
  }
  return entries;
}

}  // namespace countpm
