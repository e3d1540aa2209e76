#include "src/chemistry/whole_molecule.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "graph/errors.hpp"
#include "graph/molecules/pi_system.hpp"
#include "src/draw/layout.hpp"

namespace countpm {
namespace {

// "C12", "Cl3" are labels of atoms; "7", "r0c1" are none, and stand for carbon.
std::string element_of_label(const std::string& label) {
  const std::size_t letters = std::min(label.find_first_of("0123456789"), label.size());
  const std::string element = label.substr(0, letters);
  const bool number =
      letters < label.size() && label.find_first_not_of("0123456789", letters) == std::string::npos;
  return number && element_named(element) == element && element != "H" ? element : "C";
}

Molecule molecule_of(const Graph& graph) {
  Molecule molecule;
  for (Index v = 0; v < graph.left_labels.size(); ++v) {
    Atom atom;
    atom.element = element_of_label(graph.left_labels.label(v));
    molecule.atoms.push_back(std::move(atom));
  }
  for (const Edge& edge : graph.edges) molecule.bonds.push_back({edge.from, edge.to, BondOrder::single, 0});
  return molecule;
}

unsigned lines_of_bond(BondOrder order) {
  return order == BondOrder::double_bond ? 2 : order == BondOrder::triple ? 3 : 1;
}

}  // namespace

WholeMolecule whole_molecule(const KekuleResult& result) {
  const Graph& graph = result.graph;
  WholeMolecule whole;
  std::map<std::string, Index, std::less<>> vertex_of;
  for (Index v = 0; v < graph.left_labels.size(); ++v) vertex_of.emplace(graph.left_labels.label(v), v);
  if (result.input.molecule) {
    whole.molecule = result.input.molecule->molecule;
    for (Index a = 0; a < whole.molecule.atoms.size(); ++a) {
      const auto found = vertex_of.find(atom_label(whole.molecule, a));
      whole.vertex.push_back(found == vertex_of.end() ? no_index : found->second);
    }
  } else {
    whole.molecule = molecule_of(graph);
    for (Index v = 0; v < graph.left_labels.size(); ++v) whole.vertex.push_back(v);
  }
  std::map<std::pair<Index, Index>, std::size_t> edge_between;
  for (std::size_t e = 0; e < graph.edges.size(); ++e)
    edge_between[std::minmax(graph.edges[e].from, graph.edges[e].to)] = e;
  for (const Bond& bond : whole.molecule.bonds) {
    const auto found = edge_between.find(std::minmax(whole.vertex[bond.from], whole.vertex[bond.to]));
    whole.edge.push_back(found == edge_between.end() ? draw::no_edge : found->second);
  }
  return whole;
}

draw::Skeleton skeleton_of(const WholeMolecule& whole, const KekuleResult& result) {
  const Molecule& molecule = whole.molecule;
  // The atoms that are drawn, as a graph of their own.
  Graph heavy;
  heavy.kind = GraphKind::undirected;
  std::vector<Index> number(molecule.atoms.size(), no_index);
  draw::Skeleton skeleton;
  for (Index a = 0; a < molecule.atoms.size(); ++a) {
    if (molecule.atoms[a].element == "H") continue;
    const Index vertex = whole.vertex[a];
    skeleton.label.push_back(result.input.molecule ? atom_label(molecule, a)
                                                   : result.graph.left_labels.label(vertex));
    skeleton.counted.push_back(vertex != no_index);
    number[a] = heavy.left_labels.append(skeleton.label.back());
  }
  for (std::size_t b = 0; b < molecule.bonds.size(); ++b) {
    const Bond& bond = molecule.bonds[b];
    if (number[bond.from] == no_index || number[bond.to] == no_index) continue;
    heavy.edges.push_back({number[bond.from], number[bond.to]});
    // A triple bond of the pi system has one bond beside those that change.
    const bool edge = whole.edge[b] != draw::no_edge;
    const unsigned lines = !edge ? lines_of_bond(bond.order) : bond.order == BondOrder::triple ? 2 : 1;
    skeleton.bonds.push_back({number[bond.from], number[bond.to], whole.edge[b], lines});
  }
  const std::vector<Point> drawn = drawn_positions(molecule);
  for (Index a = 0; a < drawn.size(); ++a) {
    if (number[a] != no_index) heavy.positions.push_back(drawn[a]);
  }
  if (!result.input.molecule) heavy.positions = result.graph.positions;
  std::optional<draw::Layout> layout = draw::automatic_layout(heavy, std::nullopt);
  if (!layout) {
    throw UnableError(
        "the molecule cannot be drawn without bonds that cross, and the input has no drawing of it",
        "a mol file with coordinates in the plane");
  }
  skeleton.position = std::move(layout->position);
  skeleton.about = std::move(layout->about);
  return skeleton;
}

}  // namespace countpm
