#pragma once
// An exactly doubly stochastic matrix near the Bethe approximation of the edge probabilities.
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/estimate/samples/sample_matrix.hpp"

namespace countpm {

/// Entry e has weight marginal[e] / marginal_one: every row and every column adds up to marginal_one exactly.
inline constexpr int marginal_bits = 50;
inline constexpr std::int64_t marginal_one = std::int64_t{1} << marginal_bits;

/// Belief propagation until messages change by less than 2^-30, at most 400 sweeps, then corrections along a
/// spanning tree. Every entry is from 0 to marginal_one; empty where the corrections do not allow that.
/// O(entries) a sweep.
std::optional<std::vector<std::int64_t>> bethe_marginals(const SampleMatrix& matrix);

}  // namespace countpm
