#pragma once
// Kekule structures as entries of an SDF.
#include <string>
#include <vector>

#include "src/chemistry/whole_molecule.hpp"

namespace countpm {

/// Writes molfiles of one molecule that differ in their double bonds alone: V2000, or V3000 beyond 999 atoms
/// or bonds. Coordinates are the input's, or those of the drawing, 1.4 angstrom a bond.
class StructureWriter {
 public:
  /// `skeleton`: for the coordinates of what has none.
  StructureWriter(WholeMolecule whole, const draw::Skeleton& skeleton, bool has_coordinates);

  /// The entry, "$$$$" at its end. `doubled` by edge.
  std::string entry(const std::vector<bool>& doubled, const std::string& title) const;

 private:
  int order_of(std::size_t bond, const std::vector<bool>& doubled) const;
  std::string v2000(const std::vector<bool>& doubled) const;
  std::string v3000(const std::vector<bool>& doubled) const;
  Radical radical_of(Index atom) const;

  WholeMolecule whole_;
};

}  // namespace countpm
