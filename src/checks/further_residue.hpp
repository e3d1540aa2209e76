#pragma once
// One residue more than a count's bound asks for: what was rebuilt from residues, and divided by a
// denominator, against the same block counted modulo a prime that had no part in it.
#include <gmpxx.h>

#include <cstdint>
#include <vector>

#include "src/api/entries.hpp"
#include "src/checks/checks.hpp"
#include "src/machine/resources.hpp"
#include "src/plan/planned_block.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

/// The weights are residues before they are counted, so that a bound or a denominator that is wrong, in the
/// plan or in the method, leaves a number with another residue. By the count's method and plan, on this
/// machine's CPU, for every exact count where that takes a fifth of the time that counting took, or 0.1 s,
/// and half of the time that is left; else the check says why not. Throws CheckError with both values.
void verify_further_residues(const std::vector<PlannedBlock>& planned, const BlockCounts& counts,
                             const CountOptions& options, const Resources& resources, Monitor& monitor,
                             Checks& checks);

/// A polynomial that was counted as one number, with 2^bits for its letter: the weight of every tile, or of
/// every vertex that stays alone.
struct CountedPolynomial {
  std::vector<mpq_class> coefficients;  // of k tiles, or of k edges, in place k
  unsigned bits = 0;
  bool tiles = false;
  std::uint64_t vertices = 0;
  mpq_class factor = 1;  // of vertices by themselves, beside the blocks
};

/// The same of its coefficients: with a residue in the letter's place, and not 2^bits, so that what is wrong
/// with the digits does not pass either.
void verify_polynomial_residue(const std::vector<PlannedBlock>& planned, const BlockCounts& counts,
                               const CountedPolynomial& polynomial, const CountOptions& options,
                               const Resources& resources, Monitor& monitor, Checks& checks);

}  // namespace countpm
