#pragma once
// Nested dissection by distances, for graphs that look like a lattice. The vertices at one distance from a
// given vertex separate the nearer from the farther ones, and so does every level of a function that no edge
// changes by more than 1: with distances from two corners, these are half their sum and half their
// difference, the coordinates of a square lattice. A. George, Nested dissection of a regular finite element
// mesh, SIAM J. Numer. Anal. 10 (1973) 345; levels as separators: A. George, J. W. H. Liu, An automatic
// nested dissection algorithm for irregular finite element problems, SIAM J. Numer. Anal. 15 (1978) 1053.
#include <cstdint>
#include <vector>

#include "kernels/planar/orientation/block_graph.hpp"

namespace countpm::planar {

/// Which of two separators is taken that are equally good.
enum class LevelTies : std::uint8_t { first, last };

/// order[k] is the vertex eliminated as the k-th; found on so many threads, and the same for the same graph
/// and any number of them. Empty where the graph is not
/// connected, or its levels are much larger than a lattice's (stars, triangulations with hubs). How good the
/// order is, front_tree() says. O(n log n).
std::vector<Index> level_dissection(const BlockGraph& graph, const Adjacency& adjacent,
                                    LevelTies ties = LevelTies::first, int threads = 1);

}  // namespace countpm::planar
