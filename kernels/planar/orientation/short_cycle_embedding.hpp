#pragma once
// Lattices: an embedding whose faces are the graph's shortest cycles, in the plane, on a torus, or on another
// closed surface: a Moebius strip (whose rim is closed by a disc to the projective plane), a Klein bottle.
//
// Two edges of a vertex are neighbours in its rotation where they lie on a common cycle of length 3, 4 or 6;
// rotations of adjacent vertices agree where such cycles run through the edge between them. That finds the
// rotations of square, triangular and honeycomb lattices, also where vertices are missing and along the rim;
// of lattices that are closed in one or both directions, where no such cycle runs around them (not 4 across);
// upside down, too: along edges where rotations would have to disagree they are marked as twisted.
// With cycles of two lengths, 3 and 6 or 4 and 8, it finds those of kagome and square-octagon lattices.
// What is found need not be trusted: any rotation system whose faces satisfy Euler's formula for the surface
// serves.
#include <optional>

#include "kernels/planar/orientation/embedding.hpp"

namespace countpm::planar {

/// `other`: any closed surface that surface_kasteleyn.hpp takes, where rotations may disagree along edges. A
/// strip's rim is a face of its own.
enum class Surface : std::uint8_t { plane, torus, other };

/// Empty where the graph is not connected or none is found. O(vertices); vertices of more than 6 neighbours
/// end it. (Boost's planarity test takes 30 s of CPU time for the 1000x1000 square lattice: 2-core AMD EPYC,
/// 2026-11-21.)
std::optional<Embedding> short_cycle_embedding(const BlockGraph& graph, Surface surface);

}  // namespace countpm::planar
