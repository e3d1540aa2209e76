#pragma once
// In which order the vertices are decided, and what a state looks like before each.
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/factors/factor_graph.hpp"

namespace countpm::factors {

// Of a state, in words of 64 bits.
inline constexpr unsigned most_key_words = 8;
inline constexpr Index most_vertices = 160;

/// Vertices that the graph of those not decided yet does not tell apart.
struct TwinClass {
  std::vector<Index> vertices;
  Index most = 0;          // a vertex needs 0 .. most edges
  bool untouched = false;  // each still needs what it needed at first: not part of the state
  Index edges_left = 0;    // that each has to vertices that are not decided
  Index first_count = 0;   // of its most + 1 numbers, in a decoded state
  bool as_counts = false;  // its state is how many need 1, ..., most edges; else what each needs, sorted
  unsigned bits = 0;       // of each number
};

/// What one vertex's decision may do to a class.
struct ClassStep {
  std::optional<Index> weight;  // of the edges to it, in FactorGraph::weights; none: no edges
  Index next = 0;               // the class that its vertices are part of afterwards
};

struct FactorStep {
  Index vertex = 0;  // is decided
  Index of_class = 0;
  std::vector<TwinClass> classes;  // before it
  std::vector<ClassStep> steps;    // of each class
  Index counts = 0;                // numbers of a decoded state
  unsigned key_bits = 0;
};

struct FactorPlan {
  std::vector<FactorStep> steps;
  double log2_bound = 0;   // of the magnitude of every sum on the way
  double transitions = 0;  // a forecast
  double most_states = 1;

  unsigned key_words() const;
};

/// Of at most most_vertices vertices. Empty where more than 10^12 states are forecast at one step,
/// or a state takes more than most_key_words words. O(vertices^3) at the worst.
std::optional<FactorPlan> plan_factors(const FactorGraph& graph);

}  // namespace countpm::factors
