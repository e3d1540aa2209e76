#pragma once
// Of every edge the sum over the terms of det K (Pf K) that have it,
//   K_e d(det K) / d(K_e) = det K K_e (K^-1)_e = (the sum over the matchings with e, each with its sign),
// modulo a group of primes: an elimination that keeps its fronts, and one way back down the tree.
// O(n^1.5) multiplications a prime, O(n log n) memory. R. Kenyon, Local statistics of lattice dimers, Ann.
// Inst. H. Poincare 33 (1997) 591. Of graphs with odd cycles, K skew: the same, by the Pfaffian of a minor.
//
// A singular K, which on a torus one of the four may be (torus_kasteleyn.hpp), has such sums as well. With x
// in the place of the zero that is left of the last row without a pivot (of the last two, where skew), the
// determinant is x P, P the pivots' product, and the inverse is G + N M / x, N and M spanning the kernels: as
// x goes to 0, x P (G + N M / x) goes to P N M. Where more rows than those are missing, all sums are 0.
#include <cstdint>
#include <vector>

#include "kernels/planar/elimination/front_elimination.hpp"

namespace countpm::planar {

/// sums[e primes.size() + k]: that of graph.edges[e], times times[k], modulo primes[k]; empty where the lanes
/// differ (PivotsDiffer): other primes will do. Primes as for determinant(). Throws Stopped.
std::vector<std::uint64_t> use_residues(const SignedMatrix& matrix, const FrontTree& tree,
                                        const LaneCode& code, const std::vector<std::uint64_t>& primes,
                                        const std::vector<std::uint64_t>& times, const StopSignal& stop);

/// Memory that it takes while it runs, for one group.
std::uint64_t use_residues_bytes(const SignedMatrix& matrix, const FrontTree& tree, const LaneCode& code);

/// parents[k]: the number of the front that takes what front k passes on; no_index for roots.
std::vector<Index> parents_of(const FrontTree& tree);

}  // namespace countpm::planar
