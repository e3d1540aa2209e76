#pragma once
// The members of all classes as vertices of their own, and an elimination of the classes as one of them.
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/frontier/order/elimination.hpp"

namespace countpm {

/// Vertices, and edges with log2 of their absolute values.
struct MemberGraph {
  bool general = false;
  std::vector<std::uint8_t> row;  // of every vertex, whether it is one
  std::vector<std::uint64_t> start{0};
  std::vector<std::uint32_t> neighbour;
  std::vector<std::uint64_t> entry;  // beside the neighbours: the matrix's entry

  std::uint32_t vertices() const { return static_cast<std::uint32_t>(row.size()); }
  std::uint64_t degree(std::uint32_t v) const { return start[v + std::size_t{1}] - start[v]; }
};

struct MemberStep {
  EliminationStep::Kind kind = EliminationStep::Kind::eliminate;
  std::uint32_t vertex = 0;
};

struct MemberElimination {
  MemberGraph graph;
  std::vector<MemberStep> steps;
  /// Of every vertex, the step in which it leaves the frontier: its own, or the one after which all of its
  /// neighbours are eliminated, and in one table.
  std::vector<std::uint32_t> leaves;
};

inline constexpr std::uint64_t most_ranked_members = std::uint64_t{1} << 16;

/// Nothing where there are more members, or more than 2^20 edges between them, or more than 2^12 of them wait
/// at once for a join. O(members + edges + joins * those that wait). Precondition: make_program() takes the
/// elimination.
std::optional<MemberElimination> eliminate_members(const ClassGraph& graph, const Elimination& elimination,
                                                   std::uint64_t most_members = most_ranked_members);

}  // namespace countpm
