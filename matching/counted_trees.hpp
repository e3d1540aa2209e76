#pragma once
// Maximum matchings of graphs that are trees in part: what is a tree, or nearly one, is summed up directly.
//
// In the parts of a graph that maximum matchings leave vertices free in (deficient_parts.hpp) vertices with
// one edge left are taken away until none has. Then a part is gone and its sum known (tree_sums.hpp); or its
// cut vertices leave pieces with few edges more than a tree, and it is summed up too (cactus_sums.hpp); or
// trees hang on what remains. Of a vertex v that they hang on the sum `left` multiplies v's other edges, and
// `settled` is what v counts when these leave it free: of a v in A, which is matched then, it is the weight
// of one edge to a new end; of a v in D, of the edges to the vertices added for the free ones. Every sum is
// made a second time modulo a prime, from another root and vertex by vertex.
#include "graph/instance.hpp"
#include "matching/free_vertices.hpp"

namespace countpm {

/// As with_free_vertices(), but without what is counted directly, which stands in rows and columns with one
/// entry each (of a general graph: in edges by themselves); a sum of 0 in two rows with entries 1, 1 and 1,
/// -1. Not of weights with letters. Throws CheckError where the two ways to sum up disagree. O(entries) steps
/// beside those, on numbers as long as the sums.
Instance with_trees_counted(Instance instance, MatchingSize size);

}  // namespace countpm
