#pragma once
// From a graph to the matrix that a permanent or a hafnian is of, again as a graph.
#include "src/input/asked_kinds.hpp"

namespace countpm {

/// The matrix whose permanent or determinant is asked for: a bipartite or directed graph as it is; of an
/// undirected one each edge as an arc each way. Refuses kinds of counts that the question, which is about a
/// matrix, does not go with. O(edges).
ReadResult matrix_of(GraphQuestion question, ReadResult read, const Options& options);

/// The directed graph of a square matrix, given as a bipartite graph. Throws InputError where it is not
/// square.
ReadResult adjacency_graph(ReadResult read);

/// The undirected graph of a symmetric matrix, given as a bipartite or directed graph, or that graph itself.
/// Entries on the diagonal are dropped, and counted as loops, or refused, or kept as weights of monomers, as
/// `loops` says; a graph that is undirected already is returned as it is. Throws InputError
/// where the matrix is not square, or an entry has no mirror image of the same weight. O(vertices + edges).
ReadResult symmetric_graph(ReadResult read, LoopPolicy loops);

}  // namespace countpm
