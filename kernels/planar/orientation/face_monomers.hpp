#pragma once
// Monomers on one face: matchings as perfect matchings of a larger planar graph.
//
// Let the vertices that may stay alone, v_1 .. v_m, lie on one face of a plane graph, in this order along it.
// Put a path p_1 q_1 p_2 q_2 .. p_m q_m into the face, with edges of weight 1, and join v_j to p_j and to
// q_j, both with the weight of v_j alone. A matching that leaves v_j alone, v_k, v_l, ... (j < k < l < ...)
// is then completed by matching v_j, v_k, v_l, ... to the path, in one way alone: what is left of the path is
// matched within itself if and only if v_j has p_j, v_k has q_k, v_l has p_l, ..., in turns, and if their
// number is even. So perfect matchings of the larger graph have the weights of the matchings with monomers,
// one for one. Where the number of vertices is odd, the number of monomers is, too, and the path ends in p_m.
// (No matching needs v_1 q_1, and none v_m p_m where the path ends in q_m; they are left out.) That the sum
// is a Pfaffian: A. Giuliani, I. Jauslin, E. H. Lieb, A Pfaffian formula for monomer-dimer partition
// functions, J. Stat. Phys. 163 (2016) 211.
#include <variant>

#include "graph/refusal.hpp"
#include "matching/block.hpp"

namespace countpm::planar {

/// Of a block with monomers: the larger graph's block, without monomers; its first vertices are the block's,
/// the path's follow. Row v < block.size() has the block's entries but for the loop, in their order, and then
/// up to two with the loop's value: the edges to the path. Refused where there is no such face. Whether the
/// graph is planar where no more than one vertex may stay alone is not looked at. O(vertices + edges).
std::variant<AnyBlock, Refusal> with_monomer_path(const AnyBlock& block);

}  // namespace countpm::planar
