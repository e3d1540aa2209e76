#pragma once
// Two graphs on the same vertices as one, with the edges of both.
#include <gmpxx.h>

#include <vector>

#include "graph/read.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

struct UnionGraph {
  Graph graph;  // weights: the means of both, 0 where one has no such edge
  /// ln of the weight of each of its edges in A and in B over that in `graph`; -infinity: it has none.
  std::vector<double> log_a;
  std::vector<double> log_b;
};

/// Vertices are the same by their labels; edges of undirected graphs lead from the smaller id. Throws
/// InputError where kinds or labels differ, UnableError for weights that are negative. Precondition: weights
/// are real. O(edges log edges).
UnionGraph unite(const ReadResult& a, const ReadResult& b);

/// ln. Precondition: above 0.
double log_of_positive(const mpq_class& value);

bool has_perfect_matching(const ReadResult& read, Monitor& monitor);

}  // namespace countpm
