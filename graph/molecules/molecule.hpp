#pragma once
// A molecule as a file gives it: atoms, bonds, charges, coordinates. What of it is counted is
// graph/molecules/pi_system.hpp's affair.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/read_options.hpp"

namespace countpm {

/// An unpaired electron or two, as MDL files number them.
enum class Radical { none, singlet, doublet, triplet };

struct Atom {
  std::string element;  // "C", "Cl"; "H" for deuterium and tritium too; "*" for whatever is attached there
  double x = 0;         // as in the file: y upwards
  double y = 0;
  double z = 0;
  int charge = 0;
  Radical radical = Radical::none;
  std::optional<int> valence;  // where the file states it: bonds, those to hydrogens that are not drawn too
  bool operator==(const Atom&) const = default;
};

enum class BondOrder { unknown, single, double_bond, triple, aromatic };

struct Bond {
  Index from = 0;
  Index to = 0;
  BondOrder order = BondOrder::unknown;
  std::uint64_t line = 0;  // of the file; 0: none
  bool operator==(const Bond&) const = default;
};

struct Molecule {
  std::string title;  // the file's first line, or the comment of xyz; may be empty
  std::vector<Atom> atoms;
  std::vector<Bond> bonds;
  bool operator==(const Molecule&) const = default;
};

/// "C1", "N12": the element and the atom's number in the file, from 1.
std::string atom_label(const Molecule& molecule, Index atom);

/// "C24H12": carbon, hydrogen, then the others by name.
std::string formula_of(const Molecule& molecule);

/// The element as it is written ("cl" and "CL" become "Cl", D and T hydrogen); empty where there is none.
std::string element_named(std::string_view symbol);
std::string element_numbered(std::uint64_t number);
/// In angstrom; 0 for "*". B. Cordero et al., Covalent radii revisited, Dalton Trans. (2008) 2832.
double covalent_radius(std::string_view element);

/// Bonds, and atoms that a molecule may have as a graph's vertices come to where the file draws them: by the
/// coordinates, where these are in a plane and no two atoms fall together; else empty. y points downwards
/// then, and bonds are 1 long on average.
std::vector<Point> drawn_positions(const Molecule& molecule);

/// One molecule of a molfile (V2000, V3000, or without a version), or of an SDF with one. Throws InputError.
Molecule parse_molfile(std::string_view bytes, const std::string& name);
/// One frame, its bonds by their lengths. Throws InputError.
Molecule parse_xyz(std::string_view bytes, const std::string& name);

/// mol, sdf or xyz, by what is on the first lines; nothing for any other text.
std::optional<Format> guess_molecule(std::string_view head);

}  // namespace countpm
