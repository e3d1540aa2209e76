#pragma once
// What is eliminated step by step, and where the tables have the coordinates.
//
// The sum over all covers of the vertices by sets (edges are sets of two) and monomers, vertex after vertex
// in a given order. A table has as coordinates the vertices that are touched and not eliminated yet; f(S) is
// the weight of what covers, of these, exactly S. Every set of three or more whose first vertex is v has a
// step of its own before that of v:
//   f'(S) = f(S) + a_T f(S - T) if T is within S,
// and then v goes with the edges to what comes later:
//   f'(S) = f(S + v) + m_v f(S) + sum over these edges vw with w in S of a_vw f(S - w).
// docs/internals/proof-format.md, "Steps".
#include <cstdint>
#include <vector>

#include "graph/sparse_matrix.hpp"

namespace countpm {

/// Sets of two vertices or more, none twice: set i is member[start[i]] .. member[start[i + 1] - 1],
/// ascending.
struct CoverShape {
  Index vertices = 0;
  std::vector<std::uint64_t> start{0};
  std::vector<Index> member;
  std::vector<char> monomer;  // of every vertex, whether it may stay alone; empty: none may

  std::uint64_t sets() const { return start.size() - 1; }
};

/// Which bit of a state says whether a vertex is covered.
struct StepVariable {
  Index vertex = 0;
  unsigned bit = 0;
  bool entering = false;  // not touched before
};

/// A set of the step.
struct StepTerm {
  std::uint64_t set = 0;         // its number in the shape
  std::vector<unsigned> others;  // places in EliminationStepPlan::variables
};

struct EliminationStepPlan {
  bool of_set = false;  // one larger set is taken in, and no vertex goes
  Index vertex = 0;     // that goes
  bool live = false;    // touched before: `bit` is its coordinate, which others may have from this step on
  unsigned bit = 0;
  bool monomer = false;
  std::vector<StepVariable> variables;  // the other ends of its edges, or all of the set
  std::vector<StepTerm> terms;          // its edges, or the set
  unsigned open = 0;                    // coordinates of the table before the step

  /// Of its vertices, those that are coordinates of the table before it: the degree of its polynomial.
  unsigned degree() const;
};

struct EliminationPlan {
  std::vector<EliminationStepPlan> steps;
  unsigned bits = 0;          // of states, in all tables
  unsigned most_open = 0;     // coordinates of a table
  std::uint64_t numbers = 0;  // of all rounds
};

/// O(members log + vertices). Bits that become free are given away again, the lowest first. The order names
/// every vertex once.
EliminationPlan plan_eliminations(const CoverShape& shape, const std::vector<Index>& order);

}  // namespace countpm
