#pragma once
// General graphs for the tests: random and named ones, symmetric values, the hafnian over sets of vertices.
#include <algorithm>
#include <bit>
#include <string>
#include <unordered_map>

#include "tests/matching/ring_support.hpp"

namespace countpm::testing_support {

/// Of a symmetric matrix.
template <class Value>
Block<Value> general_block(SparseMatrix<Value> matrix) {
  Block<Value> block;
  block.matrix = std::move(matrix);
  block.general = true;
  return block;
}

using Edges = std::vector<std::pair<Index, Index>>;

inline SparsePattern graph_of(Index vertices, const Edges& edges) {
  Edges both;
  for (const auto& [a, b] : edges) {
    both.emplace_back(a, b);
    both.emplace_back(b, a);
  }
  return pattern_of(vertices, vertices, both);
}

inline Edges edges_of(const SparsePattern& graph) {
  Edges edges;
  for (Index v = 0; v < graph.rows; ++v) {
    for (std::uint64_t k = graph.row_start[v]; k < graph.row_start[v + 1]; ++k) {
      if (v < graph.column[k]) edges.emplace_back(v, graph.column[k]);
    }
  }
  return edges;
}

inline SparsePattern random_graph(Index vertices, double density, Random& random) {
  std::bernoulli_distribution present(std::min(density, 1.0));
  Edges edges;
  for (Index a = 0; a < vertices; ++a) {
    for (Index b = a + 1; b < vertices; ++b) {
      if (present(random)) edges.emplace_back(a, b);
    }
  }
  return graph_of(vertices, edges);
}

/// Values that are the same for both directions of an edge.
template <class Value>
SparseMatrix<Value> with_symmetric_values(const SparsePattern& graph, ValueKind kind, Random& random) {
  SparseMatrix<Value> matrix = with_random_values<Value>(graph, kind, random);
  for (Index v = 0; v < graph.rows; ++v) {
    for (std::uint64_t k = graph.row_start[v]; k < graph.row_start[v + 1]; ++k) {
      const Index w = graph.column[k];
      if (w > v) continue;
      std::uint64_t mirror = graph.row_start[w];
      while (graph.column[mirror] != v) ++mirror;
      matrix.value[k] = matrix.value[mirror];
    }
  }
  return matrix;
}

/// The hafnian over the sets of matched vertices, the first free vertex matched next. To 20 vertices or so.
template <class Value>
class Hafnian {
 public:
  explicit Hafnian(const SparseMatrix<Value>& matrix) : matrix_(matrix) {}
  ExactOf<Value> operator()(std::uint64_t used = 0) {
    const auto v = static_cast<Index>(std::countr_one(used));
    if (v >= matrix_.rows) return exact(Value(one()));
    const auto known = known_.find(used);
    if (known != known_.end()) return known->second;
    ExactOf<Value> sum{};
    for (std::uint64_t k = matrix_.row_start[v]; k < matrix_.row_start[v + 1]; ++k) {
      const std::uint64_t bit = std::uint64_t{1} << matrix_.column[k];
      if ((used & bit) != 0) continue;
      const ExactOf<Value> term = exact(matrix_.value[k]) * (*this)(used | bit | std::uint64_t{1} << v);
      sum = ExactOf<Value>(sum + term);
    }
    return known_[used] = sum;
  }

 private:
  static Value one() {
    if constexpr (std::is_same_v<Value, ComplexRational>) {
      return {1, 0};
    } else {
      return 1;
    }
  }
  const SparseMatrix<Value>& matrix_;
  std::unordered_map<std::uint64_t, ExactOf<Value>> known_;
};
template <class Value>
ExactOf<Value> hafnian(const SparseMatrix<Value>& matrix) {
  return Hafnian<Value>(matrix)();
}
inline SparseMatrix<std::int64_t> with_ones(const SparsePattern& graph) {
  SparseMatrix<std::int64_t> matrix;
  static_cast<SparsePattern&>(matrix) = graph;
  matrix.value.assign(graph.column.size(), 1);
  return matrix;
}

inline SparsePattern cycle(Index n) {
  Edges edges;
  for (Index v = 0; v < n; ++v) edges.emplace_back(v, (v + 1) % n);
  return graph_of(n, edges);
}
inline SparsePattern complete(Index n) {
  Edges edges;
  for (Index a = 0; a < n; ++a) {
    for (Index b = a + 1; b < n; ++b) edges.emplace_back(a, b);
  }
  return graph_of(n, edges);
}
inline SparsePattern petersen() {
  Edges edges;
  for (Index v = 0; v < 5; ++v) {
    edges.emplace_back(v, (v + 1) % 5);
    edges.emplace_back(v, v + 5);
    edges.emplace_back(v + 5, (v + 2) % 5 + 5);
  }
  return graph_of(10, edges);
}
/// Two n-cycles, joined vertex by vertex.
inline SparsePattern prism(Index n) {
  Edges edges;
  for (Index v = 0; v < n; ++v) {
    edges.emplace_back(v, (v + 1) % n);
    edges.emplace_back(v + n, (v + 1) % n + n);
    edges.emplace_back(v, v + n);
  }
  return graph_of(2 * n, edges);
}
/// A hub and a cycle of n.
inline SparsePattern wheel(Index n) {
  Edges edges;
  for (Index v = 0; v < n; ++v) {
    edges.emplace_back(v, (v + 1) % n);
    edges.emplace_back(v, n);
  }
  return graph_of(n + 1, edges);
}
inline SparsePattern triangular(Index rows, Index columns) {
  Edges edges;
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < columns; ++c) {
      const Index v = r * columns + c;
      if (c + 1 < columns) edges.emplace_back(v, v + 1);
      if (r + 1 < rows) edges.emplace_back(v, v + columns);
      if (c + 1 < columns && r + 1 < rows) edges.emplace_back(v, v + columns + 1);
    }
  }
  return graph_of(rows * columns, edges);
}

}  // namespace countpm::testing_support
