#include "kernels/planar/log/gram_matrix.hpp"

#include <numeric>

namespace countpm::planar {

GramScales gram_scales(const SignedMatrix& matrix, const Adjacency& adjacent) {
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t far_apart = 16;  // bits between weights
  constexpr int sweeps = 4;
  const BlockGraph& graph = matrix.graph;
  GramScales scales;
  for (const mpq_class& value : matrix.values) scales.exponent.push_back(UpFloat::of(value).exponent);
  scales.row.assign(graph.vertices, 0);
  scales.column.assign(graph.vertices, 0);

  const Index lines = graph.bipartite ? graph.rows : graph.vertices;
  const Index first_column = graph.bipartite ? graph.rows : 0;
  // The largest exponent of every line from `first` to `last` once the lines across are scaled.
  const auto rescale = [&](std::vector<std::int64_t>& own, const std::vector<std::int64_t>& across,
                           Index first, Index last) {
    for (Index v = first; v < last; ++v) {
      std::int64_t top = none;
      for (std::uint64_t k = adjacent.start[v]; k < adjacent.start[v + std::size_t{1}]; ++k)
        top =
            std::max(top, scales.exponent[matrix.value_of[adjacent.edge[k]]] - across[adjacent.neighbour[k]]);
      if (top == none) scales.empty_row = true;
      own[v] = top == none ? 0 : top;
    }
  };
  const auto [low, high] = std::minmax_element(scales.exponent.begin(), scales.exponent.end());
  if (low != scales.exponent.end() && *high - *low > far_apart) {
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      rescale(scales.row, scales.column, 0, lines);
      rescale(scales.column, scales.row, first_column, graph.vertices);
    }
  }
  rescale(scales.row, scales.column, 0, lines);
  scales.total = std::accumulate(scales.row.begin(), scales.row.end(), std::int64_t{0}) +
                 std::accumulate(scales.column.begin(), scales.column.end(), std::int64_t{0});
  return scales;
}

}  // namespace countpm::planar
