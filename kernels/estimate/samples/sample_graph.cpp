#include "kernels/estimate/samples/sample_graph.hpp"

#include <algorithm>
#include <cmath>

#include "graph/errors.hpp"
#include "kernels/arithmetic/bound.hpp"
#include "kernels/estimate/samples/sample_matrix.hpp"

namespace countpm {
namespace {

constexpr double most_range_bits = 300;

/// The powers of two that weights lie between, those of vertices squared.
struct WeightRange {
  double least = 0;
  double most = 0;
  bool any = false;

  void add(double log2) {
    least = any ? std::min(least, log2) : log2;
    most = any ? std::max(most, log2) : log2;
    any = true;
  }
};

double shifted(const Scaled& value, std::int64_t exponent) {
  return std::ldexp(value.mantissa, static_cast<int>(value.exponent - exponent));
}

template <class Value>
SampleGraph graph_of(const Block<Value>& compact) {
  const Block<Value> block = expanded(compact);
  const SparseMatrix<Value>& matrix = block.matrix;
  const std::uint32_t columns_from = block.general ? 0 : matrix.rows;
  const std::uint32_t vertices = matrix.rows + (block.general ? 0 : matrix.columns);
  WeightRange range;
  std::vector<std::uint64_t> degree(vertices, 0);
  for (Index i = 0; i < matrix.rows; ++i) {
    for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::uint64_t{1}]; ++k) {
      const bool loop = block.general && matrix.column[k] == i;
      range.add((loop ? 2 : 1) * scaled_weight(matrix.value[k]).log2());
      if (loop) continue;
      ++degree[i];
      if (!block.general) ++degree[columns_from + matrix.column[k]];
    }
  }
  if (range.most - range.least > most_range_bits) {
    throw UnableError("weights differ by a factor beyond 2^300, too far apart for an estimate in doubles",
                      "'countpm INPUT --weights' counts exactly");
  }
  // Of a matching of n vertices, edges have this twice and vertices that stay alone have it once.
  const auto half = static_cast<std::int64_t>(std::ceil(range.most / 2));
  SampleGraph graph;
  graph.exponent = half * vertices;
  graph.alone.assign(vertices, 0.0);
  graph.first.assign(vertices + std::size_t{1}, 0);
  for (std::uint32_t v = 0; v < vertices; ++v) graph.first[v + std::size_t{1}] = graph.first[v] + degree[v];
  graph.neighbours.resize(graph.first.back());
  std::vector<std::uint64_t> next(graph.first.begin(), graph.first.end() - 1);
  for (Index i = 0; i < matrix.rows; ++i) {
    for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::uint64_t{1}]; ++k) {
      const std::uint32_t j = columns_from + matrix.column[k];
      const Scaled weight = scaled_weight(matrix.value[k]);
      if (block.general && j == i) {
        graph.alone[i] = shifted(weight, half);
        continue;
      }
      if (block.general && j < i) continue;  // entered with row j
      const auto back_of = [&](std::uint32_t v) {
        return static_cast<std::uint32_t>(next[v] - graph.first[v]);
      };
      const std::uint32_t at_i = back_of(i);
      const std::uint32_t at_j = back_of(j);
      graph.neighbours[next[i]++] = {j, at_j, shifted(weight, 2 * half)};
      graph.neighbours[next[j]++] = {i, at_i, shifted(weight, 2 * half)};
    }
  }
  return graph;
}

}  // namespace

SampleGraph make_sample_graph(const AnyBlock& any_block) {
  if (tiles_of(any_block) > 0) {
    throw UnableError("estimates are of matchings, and here exact covers are counted",
                      "'countpm INPUT' counts them where it can");
  }
  if (has_negative(any_block)) {
    throw UnableError("estimates need weights that are real and not negative",
                      "'countpm INPUT --weights' counts with others where it can");
  }
  return std::visit([](const auto& block) { return graph_of(block); }, any_block);
}

}  // namespace countpm
