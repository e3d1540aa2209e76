#pragma once
// Molecules as chemists draw them: bond orders on the bonds, and Kekule structures side by side.
#include <cstddef>
#include <string>
#include <vector>

#include "graph/sparse_matrix.hpp"
#include "src/draw/network.hpp"
#include "src/draw/page.hpp"

namespace countpm::draw {

inline constexpr std::size_t no_edge = static_cast<std::size_t>(-1);

struct SkeletonBond {
  Index from = 0;
  Index to = 0;
  std::size_t edge = no_edge;  // of the pi system; no_edge: the bond is the same in all structures
  unsigned lines = 1;          // of such a bond; of an edge, those beside its pi bond
};

/// A molecule without its hydrogens.
struct Skeleton {
  std::vector<Point> position;     // bonds about 1 long, y downwards
  std::vector<std::string> label;  // "C1", "N2"
  std::vector<bool> counted;       // atoms of the pi system
  std::vector<SkeletonBond> bonds;
  std::string about;  // "as in the input"
};

/// Every bond of the pi system in the map's colour and with its order beside it (`orders` by edge), the
/// others as thin lines; atoms with their labels. Precondition: at least one atom.
Picture draw_bond_orders(const Skeleton& skeleton, const std::vector<EdgeValue>& orders,
                         const std::string& title, const std::string& caption, const PageStyle& style = {});

/// Every structure as a drawing of its own, with its number, from 1; double bonds where `doubled` of the
/// edge says so. Atoms other than carbon have their symbols. Precondition: at least one structure and one
/// atom.
Picture draw_structures(const Skeleton& skeleton, const std::vector<std::vector<bool>>& doubled,
                        const std::string& title, const std::string& caption, const PageStyle& style = {});

}  // namespace countpm::draw
