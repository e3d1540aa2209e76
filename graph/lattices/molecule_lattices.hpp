#pragma once
// Molecules that a short text names, beside the lattices of graph/lattices/lattice.hpp:
//   lattice:fullerene:60:1,7,9,11,13,15,18,20,22,24,26,32    by its face spiral
//   lattice:benzenoid:0,0+1,0+0,1                            by the coordinates of its hexagons
//   lattice:benzenoid:4343                                   by its boundary-edges code
// docs/formats-molecules.md has them with pictures.
#include <string>
#include <vector>

#include "graph/graph.hpp"
#include "graph/lattices/lattice.hpp"

namespace countpm {

const std::vector<LatticeShape>& molecule_shapes();

/// Whether the spec names one of them.
bool is_molecule_spec(const std::string& spec);

/// The graph of carbon atoms, labelled C1, C2, ...; with :remove=LABEL+LABEL without some of them. Throws
/// UsageError for a spiral that does not close, for what is no benzenoid, and beyond a million atoms.
/// A benzenoid has positions. O(atoms log atoms).
Graph molecule_graph(const std::string& spec);

/// Shape, size[0] as the number of atoms, and how many of them are removed; the same errors, but for what
/// only the winding shows, and labels. O(length of the spec), and of a benzenoid as molecule_graph().
LatticeInfo molecule_info(const std::string& spec);

}  // namespace countpm
