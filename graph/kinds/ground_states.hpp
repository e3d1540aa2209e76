#pragma once
// Ground states: the perfect matchings (cycle covers) whose weights, added up, are least or largest.
//
// They are the perfect matchings of another graph. Where an optimal solution of the dual linear program
// leaves an edge a reduced weight above 0, no ground state has the edge; of bipartite and directed graphs the
// ground states are all perfect matchings of the other edges, the tight ones (complementary slackness;
// graph/kinds/assignment.hpp). In a graph with odd cycles some odd sets of vertices have dual variables above
// 0, too, and a ground state has exactly one edge that leaves each of these K sets, where a perfect matching
// has an odd number (graph/kinds/weighted_matching.hpp). So a tight edge that leaves m of the sets gets the
// weight 2^(s m): the sum over all perfect matchings is 2^(s K) (c_0 + c_1 4^s + ...) with c_0 the number of
// ground states. They are less than 4^s (haf(A)^2 <= per(A) <= the product of A's row sums), so that c_0 is a
// digit to the base 4^s. J. Edmonds, Maximum matching and a polyhedron with 0,1-vertices, J. Res. Nat. Bur.
// Standards 69B (1965) 125.
#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <string>

#include "graph/graph.hpp"

namespace countpm {

enum class Extremum { minimum, maximum };

/// What is known of ground states before they are counted.
struct GroundStates {
  Extremum which = Extremum::minimum;
  std::optional<mpq_class> weight;  // that each has; empty where there is no perfect matching
  bool decimal = false;             // weights were written as decimals
  std::uint64_t edges_dropped = 0;  // that none of them has, by the dual solution
  std::uint64_t odd_sets = 0;       // of a graph with odd cycles
};

/// "minimum" or "maximum".
const char* name_of(Extremum extremum);

/// Leaves of the graph the edges that ground states may have, without weights, or with those that
/// Graph::digit stands for. Without a perfect matching all edges stay. Throws UnableError for complex
/// weights and for odd sets that take too many bits; UsageError for a graph with monomers.
GroundStates keep_ground_states(Graph& graph, Extremum which);

/// Whether Graph::digit, where it is set, belongs to weights that are exact and above 0.
bool digit_is_sound(const Graph& graph);

}  // namespace countpm
