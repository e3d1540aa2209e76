#pragma once
// f-factors: sets of edges of a dense graph in which every vertex has a given number of edges.
//
// Such a count comes as the perfect matchings of a graph in which each vertex of degree d is a K(d, d - f)
// (graph/kinds/degrees.hpp). This method finds the graph that is behind such a block, and goes through its
// vertices one after another. What the edges chosen so far mean for the others is how many edges each of them
// still needs. Vertices that the remaining graph does not tell apart (twins) may change places: of those only
// how many need how much is kept. In a complete graph, or a complete bipartite one, that is one short list of
// numbers; for m twins of degree f it is C(m + f, f) states in place of (f + 1)^m.
//
// For 0-1 matrices with given sums of rows and columns, where all columns are twins, that is the recursion of
// J. W. Miller, M. T. Harrison, Exact sampling and counting for fixed-margin matrices, Ann. Statist. 41
// (2013) 1569-1592.
#include "kernels/method.hpp"

namespace countpm {

const Method& factors_method();

}  // namespace countpm
