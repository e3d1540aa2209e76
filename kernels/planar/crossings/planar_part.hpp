#pragma once
// A planar part of a graph that is not planar, and the few edges that are left: its crossing edges.
//
// Edges are taken one after another as long as the graph stays planar, many at a time where that is so. Which
// ones are left over depends on the order: edges on short cycles come first, since those that join distant
// places are likely to be the ones that cross; then edges are exchanged (exchange.hpp), and orders tried that
// begin with some of those left over before. A vertex of many more neighbours than others may be an apex: it
// is taken out first, and put into the face that most of its neighbours are on. The best is what leaves the
// fewest sets of disjoint edges. M. Jünger, P. Mutzel, Maximum planar subgraphs and nice embeddings,
// Algorithmica 16 (1996) 33, on the problem (which is NP-hard); each step is a planarity test
// (embedding.hpp).
#include <cstdint>
#include <limits>
#include <optional>
#include <variant>
#include <vector>

#include "graph/refusal.hpp"
#include "kernels/planar/orientation/embedding.hpp"

namespace countpm::planar {

struct PlanarPart {
  BlockGraph graph;             // all vertices, without the crossing edges
  std::vector<Index> edge;      // of each of its edges: the number in the whole graph
  Embedding embedding;          // of `graph`
  std::vector<Index> crossing;  // numbers in the whole graph, ascending
  std::uint64_t sets = 1;       // of disjoint ones among them
};

/// More sets of disjoint crossing edges than that are not summed over.
inline constexpr std::uint64_t most_sets = std::uint64_t{1} << 22;

/// What another method leaves for this one to be worth its while.
struct PartLimits {
  double seconds = std::numeric_limits<double>::infinity();  // of searching, about; 24 tests at least
  std::uint64_t sets = most_sets;                            // no more are of use
};

/// At least about so many sets of disjoint edges are left, however few vertices these share: where so many
/// edges are left that a planar graph with all others has no more than Euler's formula allows. 1 where that
/// says nothing.
double least_sets(const BlockGraph& graph);

/// The same for the same graph and limits. The part has as many components as the graph. A refusal where more
/// than limits.sets would be left.
std::variant<PlanarPart, Refusal> planar_part(const BlockGraph& graph, const PartLimits& limits = {});
/// The same by crossing edges that are known; empty where what is left is not planar or has more components,
/// or there are more than most_sets.
std::optional<PlanarPart> part_without(const BlockGraph& graph, std::vector<Index> crossing);
/// The same with any number of sets, which it does not count.
std::optional<PlanarPart> planar_rest(const BlockGraph& graph, std::vector<Index> crossing);

}  // namespace countpm::planar
