#pragma once
// Lattices by a short text: "lattice:square:8x8", "lattice:honeycomb:3x3:weights=1,2,1/3:remove=r0c1a+r3c2b".
// docs/lattices.md has a picture of each.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.hpp"
#include "graph/letters.hpp"
#include "graph/parse_weight.hpp"

namespace countpm {

/// One family of lattices or of other graphs, as help texts and messages show it.
struct LatticeShape {
  std::string_view name;        // "square"
  std::string_view sizes;       // "RxC"
  std::string_view directions;  // of the edges, in the order of weights=: "right,down"
  std::string_view label;       // of the first vertex: "r0c0"
  std::string_view help;
};
const std::vector<LatticeShape>& lattice_shapes();

/// The undirected graph that `spec` names:
/// [lattice:]SHAPE:SIZES[:weights=W1,W2,...][:remove=LABEL+LABEL+...]. A weight belongs to all edges of one
/// direction; a weight of 0 leaves those edges out. Weights that are spelt are kept (weight_kind says so) for
/// the caller to use or not. Vertices come in the order of their coordinates. Throws UsageError that lists
/// what there is for any mistake, and where the lattice's bounding box has 2^31 sites or more. O(sites) time
/// and memory. `directions`, where given, gets that of every edge: its place in LatticeShape::directions.
/// `at`: what letters in weights stand for; `letters`, where given, gets those that there are.
/// zeros_are_edges: a weight of 0 leaves no edge out.
Graph lattice_graph(const std::string& spec, std::vector<std::uint8_t>* directions = nullptr,
                    const LetterValues& at = {}, std::string* letters = nullptr,
                    bool zeros_are_edges = false);

/// What a spec says.
struct LatticeInfo {
  std::string_view shape;                    // as in lattice_shapes()
  std::vector<std::uint64_t> size{1, 1, 1};  // as spelt, and 1 up to three
  std::vector<Weight> weights;               // empty, or one per direction
  std::size_t removed = 0;                   // vertices
  std::size_t directions = 0;                // that weights= has
};
/// The same errors, but for labels of remove=, which are not looked at. O(length of spec).
LatticeInfo lattice_info(const std::string& spec);

/// How many sites the bounding box of that lattice has, nothing being built; the same errors. O(length of
/// spec).
std::uint64_t lattice_sites(const std::string& spec);

}  // namespace countpm
