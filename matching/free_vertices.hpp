#pragma once
// Matchings that leave vertices free, as perfect matchings of a graph with vertices added.
//
// The Gallai-Edmonds decomposition of a graph: D, the vertices that some maximum matching leaves free; A,
// their other neighbours; C, the rest. Every maximum matching matches A into D, C within itself, and of each
// component of D all vertices but one. Let a component of the graph between A and D, with the edges within D,
// have f free vertices in each maximum matching. f vertices are added to it, joined to all its vertices of D
// by edges of weight 1. A perfect matching of the graph so extended is a maximum matching, with the free
// vertices given to the added ones in one of f! orders: so the sum over the maximum matchings is the sum over
// the perfect ones of the extended graph, divided by the product of the f!. Added vertices are twins, which
// all methods take together. Of a bipartite graph A, D and C are Dulmage and Mendelsohn's coarse parts, and
// the graph stays bipartite: an m x n matrix whose rows can all be matched, m < n, gets n - m rows of ones.
// J. Edmonds (1965); T. Gallai, Maximale Systeme unabhaengiger Kanten, MTA Mat. Kut. Int. Koezl. 9 (1964);
// L. Lovasz, M. D. Plummer, Matching Theory (1986), section 3.2.
#include <vector>

#include "graph/instance.hpp"
#include "matching/tree_order.hpp"

namespace countpm {

/// Which matchings are counted. perfect: those that leave no vertex free. maximum: those with the most edges.
/// smaller_side: of a bipartite graph, those that cover the smaller side, and perfect ones where the sides
/// are equal: their sum is the permanent of the matrix, which need not be square, over the injections of the
/// shorter side's lines into the longer side's.
enum class MatchingSize { perfect, maximum, smaller_side };

/// The instance with vertices added, behind all others, for those that the matchings leave free;
/// Instance::free is set. Unchanged where no others than perfect ones are asked for, and where none covers
/// the smaller side. Throws UsageError for maximum matchings of a directed graph, and for the smaller side of
/// an undirected one; UnableError where the added vertices would have tens of millions of edges. O(entries
/// sqrt(vertices)) or so (maximum_matching.hpp, general_matching.hpp), and what is added.
Instance with_free_vertices(Instance instance, MatchingSize size);

/// The same, but nothing is added to what is a tree between A and D, with the edges within D: it is put into
/// `trees`, by the vertices of both_sides() of a bipartite graph.
Instance with_free_vertices_but_of_trees(Instance instance, MatchingSize size, std::vector<TreeOrder>& trees);

}  // namespace countpm
