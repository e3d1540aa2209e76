#pragma once
// In what units the vertices of a block are counted in floating point.
#include <cstdint>
#include <vector>

#include "kernels/arithmetic/ring_values.hpp"

namespace countpm::pair_sets {

/// Of the entries in the units of these exponents, rounded up.
std::vector<double> magnitudes_of(const AnyBlock& block, const std::vector<std::int64_t>& exponents);

/// Exponents to add to row_exponents(), given the magnitudes that those lead to, so that each vertex's add up
/// to about 1, and at most to 1, as far as that is possible. The sets' results are of ways that visit some
/// pairs several times and others not at all; where vertices differ, these may be many powers of two larger
/// than the hafnian, which visits each once. R. Sinkhorn, A relationship between arbitrary positive matrices
/// and doubly stochastic matrices, Ann. Math. Statist. 35 (1964). O(sweeps entries).
std::vector<std::int64_t> balancing_exponents(const SparsePattern& pattern,
                                              const std::vector<double>& magnitude);

/// The largest of each class for all of it: twin_of[v] is the first of v's. The sweeps above leave twins with
/// factors that differ, but a group of pairs is counted by its first ones, as if all were alike to the last
/// bit. Larger exponents make sums smaller.
void make_alike(std::vector<std::int64_t>& exponents, const std::vector<Index>& twin_of);

/// The exponents of row_exponents() and these, the same for twins.
std::vector<std::int64_t> balanced_exponents(const AnyBlock& block, const std::vector<Index>& twin_of);

}  // namespace countpm::pair_sets
