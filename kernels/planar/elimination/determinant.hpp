#pragma once
// det of the rows x columns part, or Pf, of an oriented planar graph's matrix modulo a group of primes.
// O(n^1.5) multiplications a prime, O(n log n) memory (front_elimination.hpp).
#include <cstdint>
#include <vector>

#include "kernels/planar/elimination/front_elimination.hpp"

namespace countpm::planar {

/// One residue for each prime; primes odd, below 2^code.prime_bits, dividing no denominator, at most
/// code.width of them. Throws PivotsDiffer (code.width > 1 only), Stopped. With a time limit: stops there. On
/// SpareThreads::here() threads where the elimination is worth it and has no time limit.
std::vector<std::uint64_t> determinant(const SignedMatrix& matrix, const FrontTree& tree,
                                       const LaneCode& code, const std::vector<std::uint64_t>& primes,
                                       const StopSignal& stop, TimeLimit* limit = nullptr);
/// Of one matrix after another: a residue for each lane, with the values that `values` took from this matrix;
/// which edge has which may have changed since.
std::vector<std::uint64_t> determinant(const SignedMatrix& matrix, const FrontTree& tree,
                                       const LaneArithmetic& lanes, const LaneValues& values,
                                       const StopSignal& stop, TimeLimit* limit = nullptr);

}  // namespace countpm::planar
