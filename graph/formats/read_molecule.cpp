// MDL molfiles and xyz: the pi system as a graph; the molecule goes to InputInfo. O(atoms + bonds).
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph/formats/reader.hpp"
#include "graph/graph_builder.hpp"
#include "graph/molecules/molecule.hpp"
#include "graph/molecules/pi_system.hpp"

namespace countpm {
namespace {

Graph graph_of(Molecule molecule, const std::string& name, const ReadOptions& options, InputInfo& info) {
  auto input = std::make_shared<MoleculeInput>();
  input->molecule = std::move(molecule);
  input->pi = pi_system(input->molecule, name);
  if (const std::optional<PiSystem::Missing>& missing = input->pi.missing) {
    const InputError error(name, 0, missing->expected, missing->found);
    const std::string reason = missing->reason;
    info.molecule = std::move(input);
    throw NoPiSystem(error, reason, nullptr);
  }
  const Molecule& whole = input->molecule;
  GraphBuilder builder(name, GraphKind::undirected, options, info);
  std::vector<Index> vertex(whole.atoms.size(), no_index);
  for (const Index atom : input->pi.atom) vertex[atom] = builder.left(atom_label(whole, atom));
  for (const std::size_t bond : input->pi.bond)
    builder.add(vertex[whole.bonds[bond].from], vertex[whole.bonds[bond].to], whole.bonds[bond].line);
  const std::vector<Point> drawn = drawn_positions(whole);
  if (!drawn.empty()) {
    std::vector<Point> positions;
    for (const Index atom : input->pi.atom) positions.push_back(drawn[atom]);
    builder.place(std::move(positions));
  }
  info.assumptions.insert(info.assumptions.end(), input->pi.notes.begin(), input->pi.notes.end());
  info.molecule = std::move(input);
  return builder.finish();
}

}  // namespace

Graph read_molfile(std::string_view bytes, const std::string& name, const ReadOptions& options,
                   InputInfo& info) {
  return graph_of(parse_molfile(bytes, name), name, options, info);
}

Graph read_xyz(std::string_view bytes, const std::string& name, const ReadOptions& options, InputInfo& info) {
  return graph_of(parse_xyz(bytes, name), name, options, info);
}

}  // namespace countpm
