#pragma once
// Nested dissection: the elimination order that keeps the fronts of a planar graph at O(sqrt(vertices)).
// A. George, Nested dissection of a regular finite element mesh, SIAM J. Numer. Anal. 10 (1973) 345;
// R. J. Lipton, D. J. Rose, R. E. Tarjan, Generalized nested dissection, SIAM J. Numer. Anal. 16 (1979) 346;
// METIS: kernels/support/nested_dissection.hpp; by distances, for lattices: level_dissection.hpp.
#include <cstdint>
#include <vector>

#include "kernels/planar/elimination/front_tree.hpp"

namespace countpm::planar {

/// Multiplications by level_dissection()'s order of a square lattice (a triangular one where not bipartite),
/// for a graph of as many vertices and edges: within 5 % from 50 x 50 to 500 x 500, where METIS' order costs
/// 1.2 (1.02) times as much (2026-11-21, bench/results/planar.md).
double lattice_work(const BlockGraph& graph);

/// METIS': order[k] is the vertex eliminated as the k-th; the same for the same graph and seed. Throws
/// std::runtime_error where METIS finds none (out of memory).
std::vector<Index> dissection_order(const BlockGraph& graph, std::uint64_t seed = 1);

/// The fronts of an elimination: of level_dissection()'s order where that is as good as it is for lattices,
/// else of that or METIS' order, whichever costs less. On so many threads; the same for the same graph and
/// any number of them; throws as dissection_order().
FrontTree dissection_tree(const BlockGraph& graph, int threads = 1);
/// The fronts of an elimination in another order than that, for checks: level_dissection()'s other one where
/// that is nearly as good as it is for lattices, else METIS' by another seed. As dissection_tree().
FrontTree other_dissection_tree(const BlockGraph& graph, int threads = 1);

}  // namespace countpm::planar
