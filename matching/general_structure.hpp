#pragma once
// Structure of a general graph before counting: a perfect matching or a Tutte violator; edges in no perfect
// matching; the components that are left, whose counts multiply.
#include <optional>
#include <vector>

#include "matching/block.hpp"
#include "matching/general_matching.hpp"
#include "matching/reduce.hpp"

namespace countpm {

/// Entries flagged in `forbidden` lie in no perfect matching and go; `component` numbers the pieces that are
/// left, 0 .. components - 1, in the order of their first vertices.
struct GeneralStructure {
  GeneralMatching matching;
  std::optional<TutteViolator> violator;
  std::vector<bool> forbidden;  // beside the entries, the same for both directions; empty with a violator
  std::uint64_t edges_dropped = 0;
  Index components = 0;
  std::vector<Index> component;  // of every vertex
  bool complete = true;          // false: looking for all forbidden edges would have taken too long
};

/// Cut vertices forbid edges by parity (parity_cuts.hpp); then, component by component: of a two-colourable
/// one the fine Dulmage-Mendelsohn decomposition gives the forbidden edges, in O(entries). Of another, an
/// edge uv is allowed where v is outer in the tree that grows, without u, from u's mate (without u and v the
/// graph then has a perfect matching): a search a vertex, which ends when all its neighbours are outer.
/// O(vertices entries) at worst; after some 10^7 steps (seconds) what is undecided stays. L. Lovasz, M. D.
/// Plummer, Matching Theory (1986), chapter 5; M. H. de Carvalho, J. Cheriyan, An O(VE) algorithm for ear
/// decompositions of matching-covered graphs, ACM Trans. Algorithms 1 (2005). `poll` is called before every
/// search and may throw.
GeneralStructure analyse_general(const SparsePattern& graph, const Poll& poll = {});

/// The sides of every component of a graph: 0 or 1 where the component is two-colourable (its first vertex
/// has 0), else `odd` for all its vertices. Entries flagged in `left_out` (beside the entries, or empty) are
/// not there. O(entries).
struct Sides {
  static constexpr std::uint8_t odd = 2;
  std::vector<std::uint8_t> side;
  std::vector<Index> component;
  Index components = 0;
};
Sides two_colour(const SparsePattern& graph, const std::vector<bool>& left_out);

/// The graph's pieces as blocks: two-colourable ones as biadjacency matrices (a single edge is 1 x 1), others
/// as general blocks; vertices keep their order. `value` runs beside graph.column. O(entries).
template <class Value>
std::vector<Block<Value>> general_blocks(const SparsePattern& graph, const std::vector<Value>& value,
                                         const GeneralStructure& structure);

}  // namespace countpm
