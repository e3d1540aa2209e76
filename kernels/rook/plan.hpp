#pragma once
// One order of elimination, worked out to the last index: what every state of a step is the sum of.
//
//   R(v gone) [S] = base_v R[S] + sum over neighbours u of v not yet gone, u in S, of b_vu R[S - u]
//
// for v outside the frontier (base_v = 1 for a column); where v is in it, S with v (v holds a rook already)
// moves over as it is, and S without v as above. Finished vertices leave S: their rooks go on as the exponent
// q of the value's polynomial, at base_u where a row u has none.
#include <cstdint>
#include <vector>

#include "kernels/rook/complement_graph.hpp"

namespace countpm {

/// Adds weight * t^shift * in[(base & ~clear) | set] to out[target] for every kept state whose bits `need`
/// are set. base: the kept state with the holes (step) opened, all 0.
struct RookTerm {
  std::uint64_t need = 0;
  std::uint64_t clear = 0;
  std::uint64_t set = 0;
  std::uint64_t target = 0;  // of the fresh bits
  unsigned shift = 0;        // below the step's length
  mpz_class weight;
};

/// States are bit sets over the frontier. kept: frontier vertices of the input that are in the output's; they
/// are the output's high bits, the `fresh` vertices its low ones.
struct RookStep {
  unsigned kept_bits = 0;
  unsigned fresh_bits = 0;
  std::vector<unsigned> holes;  // ascending: bits of the input that are not kept
  std::uint64_t old_length = 1;
  std::uint64_t length = 1;  // coefficients a state: q = 0 .. length - 1
  std::vector<RookTerm> terms;
  double log2_bound = 0;  // of the sum of all coefficients' magnitudes after the step

  unsigned new_bits() const { return kept_bits + fresh_bits; }
};

struct RookPlan {
  std::vector<RookStep> steps;
  mpz_class isolated = 1;  // the product of the bases of rows without an edge
  double log2_bound = 0;   // of the last step
};

/// Precondition: no frontier of the order has more than 62 vertices. O(edges width).
RookPlan plan_rooks(const ComplementGraph& graph, const std::vector<Index>& order);

}  // namespace countpm
