#include "matching/loop_matching.hpp"

#include <vector>

#include "matching/general_matching.hpp"

namespace countpm {

bool has_loop_matching(const SparsePattern& graph) {
  const Index n = graph.rows;
  std::vector<char> loop(n, 0);
  bool all = true;
  for (Index v = 0; v < n; ++v) {
    for (std::uint64_t k = graph.row_start[v]; k < graph.row_start[v + std::uint64_t{1}]; ++k) {
      if (graph.column[k] == v) loop[v] = 1;
    }
    all = all && loop[v] != 0;
  }
  if (all) return true;
  SparsePattern copies;
  copies.rows = copies.columns = 2 * n;
  for (const Index shift : {Index{0}, n}) {
    for (Index v = 0; v < n; ++v) {
      if (shift > 0 && loop[v] != 0) copies.column.push_back(v);
      for (std::uint64_t k = graph.row_start[v]; k < graph.row_start[v + std::uint64_t{1}]; ++k) {
        if (graph.column[k] != v) copies.column.push_back(graph.column[k] + shift);
      }
      if (shift == 0 && loop[v] != 0) copies.column.push_back(v + n);
      copies.row_start.push_back(copies.column.size());
    }
  }
  return general_maximum_matching(copies).size == n;
}

bool has_loop_matching(const AnyBlock& block) {
  return std::visit([](const auto& b) { return has_loop_matching(b.matrix); }, block);
}

}  // namespace countpm
