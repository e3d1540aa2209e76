#pragma once
// Tables too large for the memory: the count as a sum of smaller ones. A member of a class takes one of each
// neighbour's members in turn; both leave the graph, and what is left has narrower frontiers.
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/frontier/order/elimination.hpp"
#include "kernels/orders/class_graph.hpp"

namespace countpm {

/// A member of class v takes one of u (where v has an inner edge, this may be v, too), of which there are
/// `ways`; `entry` has the edge's value. u == no_index: it takes itself, by its loop, or the tile with it.
struct BranchChoice {
  Index v = no_index;
  Index u = no_index;
  std::uint64_t entry = 0;
  Index ways = 1;
  Index tile = no_index;
};
using BranchPath = std::vector<BranchChoice>;

/// The graph without the members that the path has matched, classes numbered anew, and the same elimination
/// over what is left of it. Entries keep their numbers.
struct BranchGraph {
  ClassGraph graph;
  Elimination elimination;
  std::vector<Index> old_number;  // of each class
};
BranchGraph branch_graph(const ClassGraph& graph, const Elimination& elimination, const BranchPath& path);

/// The path with every choice for one more class; which class is for the forecast of the elimination to say:
/// that whose loss lowers the peak most for the choices it has. Nothing where no class is left.
std::vector<BranchPath> branch_further(const ClassGraph& graph, const Elimination& elimination,
                                       const BranchPath& path, Index candidates);

/// Paths whose counts add up to the whole, and the classes, in turn, that they have a choice for.
struct BranchPlan {
  std::vector<Index> classes;
  std::vector<BranchPath> paths;
};

/// A path for every choice for the classes in turn; nothing where there would be more than `most`, or where a
/// class is none of the graph's, or there more often than it has members. Throws UnableError where the list
/// takes more than `most_bytes`.
std::optional<BranchPlan> branches_over(const ClassGraph& graph, const std::vector<Index>& classes,
                                        std::uint64_t most, std::uint64_t most_bytes);

/// Branches each of which fits `log2_states` (EliminationForecast::log2_peak_bytes_states); nothing where
/// more than `most`, or a list of more than `most_bytes`, would be needed. Depends on its arguments only.
std::optional<BranchPlan> plan_branches(const ClassGraph& graph, const Elimination& elimination,
                                        double log2_states, std::uint64_t most, std::uint64_t most_bytes);

}  // namespace countpm
