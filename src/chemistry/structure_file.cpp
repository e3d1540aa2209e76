#include "src/chemistry/structure_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "graph/text.hpp"
#include "src/api/version.hpp"

namespace countpm {
namespace {

constexpr double drawn_bond = 1.4;             // angstrom
constexpr std::size_t most_v2000 = 999;        // what three columns hold
constexpr double widest_coordinate = 99999.0;  // what ten columns with four decimals hold

/// To the four decimals of a molfile, and no "-0.0000".
double rounded(double coordinate) {
  return std::round(coordinate * 1e4) / 1e4 + 0.0;
}

}  // namespace

StructureWriter::StructureWriter(WholeMolecule whole, const draw::Skeleton& skeleton, bool has_coordinates)
    : whole_(std::move(whole)) {
  if (has_coordinates) return;
  std::size_t drawn = 0;  // hydrogens are in no skeleton, and have coordinates
  for (Atom& atom : whole_.molecule.atoms) {
    if (atom.element == "H") continue;
    const Point& at = skeleton.position[drawn++];
    atom.x = drawn_bond * at.x;
    atom.y = -drawn_bond * at.y;
  }
}

int StructureWriter::order_of(std::size_t bond, const std::vector<bool>& doubled) const {
  const BondOrder order = whole_.molecule.bonds[bond].order;
  if (whole_.edge[bond] == draw::no_edge)
    return order == BondOrder::double_bond ? 2 : order == BondOrder::triple ? 3 : 1;
  return (order == BondOrder::triple ? 2 : 1) + (doubled[whole_.edge[bond]] ? 1 : 0);
}

// An unpaired electron of the pi system is in a bond now.
Radical StructureWriter::radical_of(Index atom) const {
  return whole_.vertex[atom] == no_index ? whole_.molecule.atoms[atom].radical : Radical::none;
}

std::string StructureWriter::entry(const std::vector<bool>& doubled, const std::string& title) const {
  const Molecule& molecule = whole_.molecule;
  bool small = molecule.atoms.size() <= most_v2000 && molecule.bonds.size() <= most_v2000;
  for (const Atom& atom : molecule.atoms)
    small = small && std::abs(atom.x) < widest_coordinate && std::abs(atom.y) < widest_coordinate &&
            std::abs(atom.z) < widest_coordinate;
  return fmt::format("{}\n  countpm {}\n\n{}M  END\n$$$$\n", printable(title), version(),
                     small ? v2000(doubled) : v3000(doubled));
}

std::string StructureWriter::v2000(const std::vector<bool>& doubled) const {
  const Molecule& molecule = whole_.molecule;
  std::string text = fmt::format("{:3}{:3}  0  0  0  0  0  0  0  0999 V2000\n", molecule.atoms.size(),
                                 molecule.bonds.size());
  std::string properties;
  for (Index a = 0; a < molecule.atoms.size(); ++a) {
    const Atom& atom = molecule.atoms[a];
    text += fmt::format("{:10.4f}{:10.4f}{:10.4f} {:<3} 0  0  0  0  0  0  0  0  0  0  0  0\n",
                        rounded(atom.x), rounded(atom.y), rounded(atom.z), atom.element);
    if (atom.charge != 0) properties += fmt::format("M  CHG  1{:4}{:4}\n", a + 1, atom.charge);
    if (radical_of(a) != Radical::none)
      properties += fmt::format("M  RAD  1{:4}{:4}\n", a + 1, static_cast<int>(radical_of(a)));
  }
  for (std::size_t b = 0; b < molecule.bonds.size(); ++b)
    text += fmt::format("{:3}{:3}{:3}  0\n", molecule.bonds[b].from + 1, molecule.bonds[b].to + 1,
                        order_of(b, doubled));
  return text + properties;
}

std::string StructureWriter::v3000(const std::vector<bool>& doubled) const {
  const Molecule& molecule = whole_.molecule;
  std::string text = fmt::format(
      "  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\nM  V30 COUNTS {} {} 0 0 0\nM  V30 BEGIN "
      "ATOM\n",
      molecule.atoms.size(), molecule.bonds.size());
  for (Index a = 0; a < molecule.atoms.size(); ++a) {
    const Atom& atom = molecule.atoms[a];
    text += fmt::format("M  V30 {} {} {:.4f} {:.4f} {:.4f} 0", a + std::uint64_t{1}, atom.element, atom.x,
                        atom.y, atom.z);
    if (atom.charge != 0) text += fmt::format(" CHG={}", atom.charge);
    if (radical_of(a) != Radical::none) text += fmt::format(" RAD={}", static_cast<int>(radical_of(a)));
    text += '\n';
  }
  text += "M  V30 END ATOM\nM  V30 BEGIN BOND\n";
  for (std::size_t b = 0; b < molecule.bonds.size(); ++b) {
    text += fmt::format("M  V30 {} {} {} {}\n", b + 1, order_of(b, doubled),
                        molecule.bonds[b].from + std::uint64_t{1}, molecule.bonds[b].to + std::uint64_t{1});
  }
  return text + "M  V30 END BOND\nM  V30 END CTAB\n";
}

}  // namespace countpm
