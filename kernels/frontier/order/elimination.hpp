#pragma once
// In which order the classes of a graph are eliminated, as a program for a stack of tables.
//
// A table belongs to a set P of eliminated classes. Its frontier are the classes outside P with a neighbour
// in P. A state says how many members of every frontier class are matched already (to members of P; all
// members of P are matched), and has as its value the sum, over the ways to match P like that, of the
// products of the edges' values. Eliminating v matches all members of v that are still free: while some are,
// each takes a free member of a neighbour outside P, of which there are (multiplicity - matched) to choose
// from; then v leaves the frontier for P. Where v has an inner edge, of weight w, a free member may also take
// another one of v: the first of f free members has f - 1 to choose from, so that the ways to pair 2 k of m
// free members are C(m, 2 k) (2 k - 1)!! w^k when all is done, and no pair is chosen twice. Where its
// members have loops, a free one may take itself. Inner edges and loops are taken
// when v is eliminated only, so that states count what is matched with P as ever. Joining the tables of
// two disjoint sets P, Q without an edge between them multiplies values and adds the matched counts of the
// classes that are in both frontiers (at most the multiplicity). In the end P is everything and one state is
// left: its value is the permanent, or the hafnian. Rows in any order, every column straight after its last
// row: that is the plain frontier method over rows.
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/orders/class_graph.hpp"

namespace countpm {

/// push: the table of the empty set (one empty state of value 1) onto the stack. eliminate: `vertex` in the
/// table on top. join: the two on top become one.
struct EliminationStep {
  enum class Kind : std::uint8_t { push, eliminate, join };
  Kind kind = Kind::eliminate;
  Index vertex = no_index;
};

/// Eliminates every class once and leaves one table. A linear order is push, eliminate, eliminate, ...;
/// a tree decomposition gives one with joins.
struct Elimination {
  std::vector<EliminationStep> steps;
};

/// push, then every class of the graph once, in the order of the sequence (kernels/orders/linear_order.hpp);
/// classes that it does not name come at the end. O(entries).
Elimination linear_elimination(const ClassGraph& graph, const std::vector<Index>& sequence);
/// The same line from its other end: the classes that are reached last come first, so that its frontiers are
/// about those of the line. Nothing where tables are joined. O(entries).
std::optional<Elimination> from_other_end(const ClassGraph& graph, const Elimination& elimination);
/// The classes of an elimination in one line, in its order; nothing where tables are joined.
std::optional<std::vector<Index>> classes_in_line(const Elimination& elimination);

}  // namespace countpm
