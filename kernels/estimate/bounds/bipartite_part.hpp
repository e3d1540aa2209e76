#pragma once
// A bipartite part of a graph with odd cycles that still has a perfect matching: its perfect matchings are
// some of the graph's, so that what bounds their number from below bounds the graph's, too.
#include <gmpxx.h>

#include <cstdint>

#include "graph/sparse_matrix.hpp"

namespace countpm {

/// The matrix of the edges between two halves of the vertices, which hold one vertex each of every edge of
/// some perfect matching. Pairs are placed one after another as they are met from the first vertex, then
/// moved as long as that gains: the halves are to have many edges, and heavy ones, between them. O(entries) a
/// pass, at most 20 passes, behind a maximum matching. Precondition: symmetric with an empty diagonal, a
/// perfect matching, no weight below 0.
template <class Value>
SparseMatrix<Value> bipartite_part(const SparseMatrix<Value>& graph);

extern template SparseMatrix<std::int64_t> bipartite_part(const SparseMatrix<std::int64_t>&);
extern template SparseMatrix<mpq_class> bipartite_part(const SparseMatrix<mpq_class>&);

}  // namespace countpm
