#pragma once
// Which atoms of a molecule pair up in a Kekule structure. A vertex brings one electron to the pi system, and
// a Kekule structure is a perfect matching: each such atom has exactly one double bond to another.
//
// Bonds with orders (mol, sdf). Hydrogens play no part.
//   double bond        the atom takes part, whatever its element (C=O of a quinone too)
//   triple bond        it takes part; the second pi bond, at a right angle, stays where it is
//   aromatic bond      C and Si take part; of N, P, As the ones without a third neighbour or with charge +1
//                      (pyridine, not pyrrole); of O, S, Se, Te the ones with charge +1 (pyrylium, not
//                      furan); B without a third neighbour or with charge -1. Carbon with a charge brings no
//                      electron, or two, and stays out.
//   unpaired electron  (a doublet or triplet radical, or a stated valence of 3 on carbon) it takes part
//   single bonds alone it stays out: sp3 carbon, -O-, -NH-
//   two double bonds   (cumulenes, sulfones, nitro as N(=O)=O) they stay where they are, and their atoms out;
//                      where no other atom takes part, that is the one structure there is
// Every bond between two atoms that take part is an edge, single ones too. Charges stay where the file has
// them.
//
// Bonds by lengths (xyz): an atom takes part by its element and the number of its neighbours, hydrogens too:
// C, Si and Ge with at most 3; N, P, As with at most 2; O, S, Se, Te with 1 where that one takes part.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "graph/molecules/molecule.hpp"

namespace countpm {

struct PiSystem {
  std::vector<Index> atom;         // that take part: those of the vertices, in their order
  std::vector<std::size_t> bond;   // those of the edges, in their order
  std::vector<std::string> notes;  // what was left out and why
  /// Why no atom takes part, where no double bonds stay either; else nothing. expected and found are those of
  /// an InputError.
  struct Missing {
    std::string expected;
    std::string found;
    std::string reason;  // "it has only single bonds"
  };
  std::optional<Missing> missing;
};

/// Throws InputError where there are no atoms at all. O(atoms + bonds).
PiSystem pi_system(const Molecule& molecule, const std::string& name);

/// What InputInfo keeps.
struct MoleculeInput {
  Molecule molecule;
  PiSystem pi;
};

/// A molecule that has been read, and that has no pi system: there is no graph of it.
class NoPiSystem : public InputError {
 public:
  NoPiSystem(const InputError& error, std::string reason, std::shared_ptr<const InputInfo> info)
      : InputError(error), reason_(std::move(reason)), info_(std::move(info)) {}
  /// Why: "it has only single bonds".
  const std::string& reason() const { return reason_; }
  /// What was read, the molecule too.
  const std::shared_ptr<const InputInfo>& info() const { return info_; }
  void keep(const InputInfo& info) { info_ = std::make_shared<const InputInfo>(info); }

 private:
  std::string reason_;
  std::shared_ptr<const InputInfo> info_;
};

}  // namespace countpm
