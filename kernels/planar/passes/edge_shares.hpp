#pragma once
// Of every edge of an oriented planar graph the share of the sum over perfect matchings that has
// it,
//   K_e (K^-1)_e = (sum over the matchings with e) / (sum over all),
// modulo a group of primes: an elimination that keeps its fronts, and one way back down the tree.
// O(n^1.5) multiplications a prime, O(n log n) memory. R. Kenyon, Local statistics of lattice dimers, Ann.
// Inst. H. Poincare 33 (1997) 591. Of graphs with odd cycles, K skew: the same, by the Pfaffian of a minor.
#include <cstdint>
#include <vector>

#include "kernels/planar/elimination/front_elimination.hpp"

namespace countpm::planar {

/// shares[e primes.size() + k]: that of graph.edges[e] times factor[k], modulo primes[k]; empty where the
/// determinant is zero modulo some of them, or the lanes differ (PivotsDiffer): other primes will do.
/// Primes as for determinant(). Throws Stopped.
std::vector<std::uint64_t> edge_shares(const SignedMatrix& matrix, const FrontTree& tree,
                                       const LaneCode& code, const std::vector<std::uint64_t>& primes,
                                       const std::vector<std::uint64_t>& factor, const StopSignal& stop);

/// Memory that it takes while it runs, for one group.
std::uint64_t edge_shares_bytes(const SignedMatrix& matrix, const FrontTree& tree, const LaneCode& code);

/// parents[k]: the number of the front that takes what front k passes on; no_index for roots.
std::vector<Index> parents_of(const FrontTree& tree);

}  // namespace countpm::planar
