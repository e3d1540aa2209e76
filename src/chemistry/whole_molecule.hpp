#pragma once
// The molecule that a pi system is of: with the atoms and bonds that are not counted, and with places for
// all.
#include <string>
#include <vector>

#include "graph/molecules/molecule.hpp"
#include "src/chemistry/kekule_result.hpp"
#include "src/draw/skeleton.hpp"

namespace countpm {

struct WholeMolecule {
  Molecule molecule;          // a graph that is no molecule: an atom for each vertex, by its label or carbon
  std::vector<Index> vertex;  // of every atom; no_index: not of the pi system
  std::vector<std::size_t> edge;  // of every bond; draw::no_edge: not of the pi system
};
WholeMolecule whole_molecule(const KekuleResult& result);

/// Its atoms but hydrogen where the input draws them, or so that no bonds cross. Throws UnableError where
/// neither can be had.
draw::Skeleton skeleton_of(const WholeMolecule& whole, const KekuleResult& result);

}  // namespace countpm
