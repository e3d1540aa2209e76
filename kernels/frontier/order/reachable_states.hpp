#pragma once
// Which share of the states that the bound admits is reachable, by sampling.
#include <cstdint>
#include <random>
#include <vector>

#include "kernels/frontier/order/elimination_cost.hpp"

namespace countpm {

/// Draws vectors evenly from those that a table's frontier admits and asks of each whether P can be matched
/// just like that: a bipartite flow between the eliminated classes and the matched members, found anew from
/// the last one's by a few augmenting paths; of general graphs a maximum matching. O(entries) a path.
class ReachableStates {
 public:
  ReachableStates(const ClassGraph& graph, const TableView& table);

  /// How many of `tests` random vectors are reachable.
  std::uint64_t hits(std::uint64_t tests, std::mt19937_64& random);
  /// Whether the vector is, matched[i] members of table.frontier[i]. Precondition: the bound admits it.
  bool reachable(const std::vector<Index>& matched);
  /// A vector, evenly among those admitted; false where none came up in many tries.
  bool draw(std::vector<Index>& matched, std::mt19937_64& random);

 private:
  struct Edge {
    Index row, column;  // own numbers
  };
  bool reachable_by_flow(const std::vector<Index>& matched);
  bool reachable_in_general(const std::vector<Index>& matched) const;
  /// Takes every vertex of P for one that may stay alone.
  bool reachable_with_monomers(const std::vector<Index>& matched) const;
  void set_capacity(Index node, Index capacity);
  bool augment(Index row);

  const ClassGraph& graph_;
  std::vector<Index> frontier_;    // classes
  std::vector<Index> eliminated_;  // classes
  FrontierProfile profile_;
  double tilt_ = 1;
  // Nodes: the frontier in its order, then P. Edges with an end in P; flow and capacities in members.
  std::vector<Index> node_of_;
  std::vector<Edge> edges_;
  std::vector<std::vector<Index>> edges_at_;
  std::vector<Index> flow_, capacity_, used_;
  std::vector<char> is_row_;
  std::vector<char> has_inner_;  // whether members may take each other: of P only
  std::vector<Index> came_by_, queue_;
};

}  // namespace countpm
