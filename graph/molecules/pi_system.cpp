#include "graph/molecules/pi_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "graph/errors.hpp"
#include "graph/graph_builder.hpp"
#include "graph/stop_poll.hpp"

namespace countpm {
namespace {

bool is_among(const std::string& element, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), element) != list.end();
}
bool is_like_carbon(const std::string& element) {
  return is_among(element, {"C", "Si", "Ge"});
}
bool is_like_nitrogen(const std::string& element) {
  return is_among(element, {"N", "P", "As"});
}
bool is_like_oxygen(const std::string& element) {
  return is_among(element, {"O", "S", "Se", "Te"});
}

/// The bonds of one atom.
struct Surroundings {
  int neighbours = 0;  // hydrogens too
  int single = 0;
  int twofold = 0;
  int triple = 0;
  int aromatic = 0;
  Index last = 0;  // one of the neighbours
};

class PiSearch {
 public:
  PiSearch(const Molecule& molecule, const std::string& name)
      : molecule_(molecule), name_(name), around_(molecule.atoms.size()), in_(molecule.atoms.size(), false) {
    StopPoll poll;
    for (const Bond& bond : molecule.bonds) {
      poll.step();
      by_length_ = by_length_ || bond.order == BondOrder::unknown;
      count(bond.from, bond.to, bond.order);
      count(bond.to, bond.from, bond.order);
    }
  }

  PiSystem run() {
    if (by_length_) {
      choose_by_neighbours();
    } else {
      choose_by_orders();
    }
    PiSystem pi;
    for (Index a = 0; a < in_.size(); ++a) {
      if (in_[a]) pi.atom.push_back(a);
    }
    if (pi.atom.empty() && fixed_ == 0) {
      if (molecule_.atoms.empty()) throw InputError(name_, 0, "a molecule", "no atoms");
      pi.missing = missing();
    }
    for (std::size_t b = 0; b < molecule_.bonds.size(); ++b) {
      if (in_[molecule_.bonds[b].from] && in_[molecule_.bonds[b].to]) pi.bond.push_back(b);
    }
    pi.notes = notes(pi.atom.size());
    return pi;
  }

 private:
  void count(Index atom, Index other, BondOrder order) {
    Surroundings& around = around_[atom];
    ++around.neighbours;
    around.last = other;
    around.single += order == BondOrder::single ? 1 : 0;
    around.twofold += order == BondOrder::double_bond ? 1 : 0;
    around.triple += order == BondOrder::triple ? 1 : 0;
    around.aromatic += order == BondOrder::aromatic ? 1 : 0;
  }

  void choose_by_neighbours() {
    const auto neighbours = [this](Index a) { return around_[a].neighbours; };
    for (Index a = 0; a < in_.size(); ++a) {
      const std::string& element = molecule_.atoms[a].element;
      in_[a] = (is_like_carbon(element) && neighbours(a) <= 3) ||
               (is_like_nitrogen(element) && neighbours(a) >= 1 && neighbours(a) <= 2);
    }
    for (Index a = 0; a < in_.size(); ++a) {
      if (is_like_oxygen(molecule_.atoms[a].element) && neighbours(a) == 1) in_[a] = in_[around_[a].last];
    }
  }

  void choose_by_orders() {
    for (Index a = 0; a < in_.size(); ++a) {
      const Surroundings& around = around_[a];
      if (is_like_carbon(molecule_.atoms[a].element) && around.aromatic > 0 && around.neighbours > 3)
        throw InputError(name_, 0,
                         fmt::format("at most three neighbours of {}, which has an aromatic bond",
                                     atom_label(molecule_, a)),
                         fmt::format("{}", around.neighbours));
      fixed_ += has_fixed_bonds(a) ? 1 : 0;
      in_[a] = takes_part(a);
    }
    // The other ends of bonds that stay where they are.
    for (const Bond& bond : molecule_.bonds) {
      if (bond.order != BondOrder::double_bond && bond.order != BondOrder::triple) continue;
      if (has_fixed_bonds(bond.from) || has_fixed_bonds(bond.to)) in_[bond.from] = in_[bond.to] = false;
    }
  }

  bool has_fixed_bonds(Index a) const { return around_[a].twofold + around_[a].triple > 1; }

  bool takes_part(Index a) const {
    const Atom& atom = molecule_.atoms[a];
    const Surroundings& around = around_[a];
    if (atom.element == "H" || atom.element == "*" || has_fixed_bonds(a)) return false;
    if (around.twofold + around.triple == 1) return true;
    if (atom.radical == Radical::doublet || atom.radical == Radical::triplet) return true;
    if (around.aromatic > 0) return brings_one_to_a_ring(atom, around.neighbours);
    return is_like_carbon(atom.element) && atom.charge == 0 && atom.valence == 3 && around.single <= 3;
  }

  static bool brings_one_to_a_ring(const Atom& atom, int neighbours) {
    if (is_like_carbon(atom.element)) return atom.charge == 0;
    if (is_like_nitrogen(atom.element))
      return (atom.charge == 0 && neighbours <= 2 && atom.valence != 3) ||
             (atom.charge == 1 && neighbours <= 3);
    if (is_like_oxygen(atom.element)) return atom.charge == 1;
    if (atom.element == "B") return (atom.charge == 0 && neighbours <= 2) || atom.charge == -1;
    return false;
  }

  PiSystem::Missing missing() const {
    if (by_length_ || molecule_.bonds.empty())
      return {"atoms of a pi system, such as carbon with at most three neighbours", "none",
              "no atom of it is one of those (such as carbon with at most three neighbours)"};
    const auto single = [](const Bond& bond) { return bond.order == BondOrder::single; };
    if (!std::all_of(molecule_.bonds.begin(), molecule_.bonds.end(), single))
      return {"atoms that bring one electron to a pi system",
              "a molecule whose atoms bring none or two (by their charges, elements and neighbours)",
              "its atoms bring no electron to it, or two (by their charges, elements and neighbours)"};
    return {
        "a double, triple or aromatic bond, or an unpaired electron (in a skeleton without bond orders "
        "give the bonds the type 4, aromatic)",
        "a molecule with only single bonds",
        "it has only single bonds (in a skeleton without bond orders give the bonds the type 4, "
        "aromatic)"};
  }

  std::vector<std::string> notes(std::size_t vertices) const {
    std::vector<std::string> notes;
    if (by_length_) {
      notes.emplace_back(
          "bonds are taken where two atoms are nearer than 1.25 times the sum of their covalent radii; "
          "charges are "
          "taken to be 0");
    }
    std::vector<std::string> out;
    std::string bare;
    std::uint64_t charged = 0;
    for (Index a = 0; a < in_.size(); ++a) {
      const Atom& atom = molecule_.atoms[a];
      charged += atom.charge != 0 ? 1 : 0;
      if (in_[a] && around_[a].aromatic > 0 && around_[a].twofold == 0 && is_like_nitrogen(atom.element) &&
          atom.charge == 0)
        bare += (bare.empty() ? "" : ", ") + atom_label(molecule_, a);
      if (!in_[a] && atom.element != "H") out.push_back(atom_label(molecule_, a));
    }
    const std::size_t heavy = vertices + out.size();
    if (!out.empty()) {
      constexpr std::size_t most_named = 8;
      std::string names;
      for (std::size_t k = 0; k < std::min(out.size(), most_named); ++k)
        names += (k == 0 ? "" : ", ") + out[k];
      if (out.size() > most_named) names += ", ...";
      notes.push_back(
          fmt::format("the pi system has {} of {} atoms; the others ({}) have no pi electron to pair, {}",
                      vertices, heavy, names, fixed_ > 0 ? "or two, or double bonds that stay" : "or two"));
    }
    if (!bare.empty())
      notes.push_back(fmt::format(
          "nitrogen taken to be as in pyridine: {} (as in pyrrole it needs its hydrogen drawn)", bare));
    if (charged > 0)
      notes.push_back(
          fmt::format("charges stay where the file has them (atoms: {}): structures that move them are not "
                      "counted",
                      charged));
    if (fixed_ > 0)
      notes.push_back(
          fmt::format("atoms with two double bonds: {}; these bonds are the same in all structures", fixed_));
    return notes;
  }

  const Molecule& molecule_;
  const std::string& name_;
  std::vector<Surroundings> around_;
  std::vector<bool> in_;
  bool by_length_ = false;
  std::uint64_t fixed_ = 0;
};

}  // namespace

PiSystem pi_system(const Molecule& molecule, const std::string& name) {
  return PiSearch(molecule, name).run();
}

}  // namespace countpm
