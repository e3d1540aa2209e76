#pragma once
// A double-check in residues: what shares neither the denominators nor the bound of the count.
//
// The weights that a recount's reductions left are residues before any method sees them, modulo a prime of
// its own or two small ones, and so is what it counts. The count, rebuilt by its bound and divided by its
// denominator, must be the same modulo these.
#include <optional>
#include <vector>

#include "src/plan/planned_block.hpp"

namespace countpm {

/// So many primes below 2^bits, none of them the count's, beside every denominator of the block in both its
/// forms.
std::vector<Modulus> recount_primes(const PlannedBlock& planned, const PlannedBlock& recount, unsigned count,
                                    unsigned bits);

/// Those of a recount that was planned before with this arithmetic; empty where it was none in residues.
std::optional<std::vector<Modulus>> recount_primes_of(const PlannedBlock& planned,
                                                      const PlannedBlock& recount,
                                                      const Arithmetic& arithmetic);

/// Puts residues in the place of the recount's weights, and its modulus beside them.
void take_residues(PlannedBlock& recount, const std::vector<Modulus>& primes);

/// The recount's plans once more, in residues: modulo primes two bits shorter than those of its methods, so
/// that neither the count nor its further residue has them, and small ones for what takes no long weights.
/// Stays as it is where the block or its recount is counted in floating point, or by no method.
void plan_in_residues(const PlannedBlock& planned, PlannedBlock& recount, const CountOptions& options,
                      const Resources& resources, Monitor& monitor);

}  // namespace countpm
