#pragma once
// The graph whose factors a block stands for.
#include <gmpxx.h>

#include <optional>
#include <vector>

#include "matching/block.hpp"

namespace countpm::factors {

/// What an edge multiplies a factor's weight by.
struct EdgeWeight {
  mpz_class in = 1;   // where the factor has it
  mpz_class out = 1;  // where it has not
  bool operator==(const EdgeWeight&) const = default;
};

struct FactorEdge {
  Index from = 0;
  Index to = 0;
  Index weight = 0;  // in FactorGraph::weights
};

/// The block's count is `scale` times the sum over all sets of edges in which vertex v has needs[v] edges of
/// the product of what all edges multiply by.
struct FactorGraph {
  std::vector<Index> needs;
  std::vector<FactorEdge> edges;  // neither loops nor parallel ones
  std::vector<EdgeWeight> weights;
  mpq_class scale = 1;

  bool plain() const { return weights.size() == 1 && weights[0] == EdgeWeight{}; }
};

/// The block seen so: a class of equal vertices is one vertex, from which as many edges are left out as the
/// class has vertices; between two such classes an edge is a path of three edges, or one edge where one of
/// them has but one vertex. (So the reductions leave a gadget in which one edge is left out.) Empty where
/// that is not so, and where there is no such path. The set that is counted is that of the edges which are
/// left out, or of the others, whichever is smaller. Preconditions: no monomers, no complex numbers.
/// O(entries), and less where there is no path.
std::optional<FactorGraph> factor_graph_of(const AnyBlock& block);

}  // namespace countpm::factors
