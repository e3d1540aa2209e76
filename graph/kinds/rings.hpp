#pragma once
// Rings of a graph: its chordless cycles of given lengths.
//
// A chord is an edge between two vertices of the cycle that are not neighbours on it. The hexagons of a
// benzenoid and the hexagons of a fullerene are its chordless cycles of length 6; around a thin tube there
// are others.
#include <cstdint>
#include <vector>

#include "graph/graph.hpp"

namespace countpm {

/// Lengths that can be asked for.
inline constexpr std::uint32_t least_ring = 3;
inline constexpr std::uint32_t largest_ring = 64;

/// The vertices of every chordless cycle of one of these lengths, ascending; each cycle once. Of an
/// undirected graph; loops are passed over. Throws UnableError where there are more than some millions.
/// Search from every vertex along paths without chords: O(n d (d - 1)^(length - 2)) at most.
std::vector<std::vector<Index>> rings_of(const Graph& graph, const std::vector<std::uint32_t>& lengths);

}  // namespace countpm
