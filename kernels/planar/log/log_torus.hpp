#pragma once
// ln of the sum over the perfect matchings of a graph on a torus in floating point: half the signed sum of
// four determinants or Pfaffians (torus_kasteleyn.hpp).
//
// Each has its magnitude and its error from an elimination of K K^T (log_elimination.hpp), its sign from one
// of K (sign_elimination.hpp), and is a ball: the magnitude with that sign, and what it may be off by; where
// the sign is not proven, 0 and all of the magnitude. The sum of the four balls is a ball, whose logarithm is
// told. Where that is too wide, the widest of the four is eliminated with more digits, doubles, then pairs,
// then MPFR numbers, in which their sum is kept, too, so that four that nearly cancel are no matter.
// Singular matrices there are on many lattices (the square one of even sides), and no digits prove that one
// is: it is taken for 0 where its determinant is 0 modulo two pseudo-random primes of 60 bits, which another
// integer of d bits is with a probability below (d / 10^18)^2. Where the sum is 0 in the same sense, there is
// no logarithm, and the error is infinite.
//
// With weights that are positive none of the four is larger than the sum, and nothing cancels: the sum's
// error is at most four times theirs. O(n^1.5) time, O(n log n) memory.
#include <array>

#include "kernels/planar/log/log_determinant.hpp"
#include "kernels/planar/preparation.hpp"

namespace countpm::planar {

struct LogTorus {
  LogDeterminant log;         // of the sum's absolute value
  std::array<int, 4> sign{};  // of each in the sum; 0: it is 0, or too small to matter
};

/// `terms`: a torus' four. Precondition: there is a perfect matching. Throws as log_determinant() does.
LogTorus log_torus(const Terms& terms, const LogDeterminantLimits& limits, const StopSignal& stop);

/// Of a plane graph's one term or a torus' four. `dense`: the magnitudes by condensation, as
/// log_condensation() has them, on a GPU where one is given.
LogDeterminant log_of_terms(const Terms& terms, bool dense, const LogDeterminantLimits& limits,
                            const StopSignal& stop, const GpuInfo* gpu = nullptr);

}  // namespace countpm::planar
