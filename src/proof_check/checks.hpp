#pragma once
// The two kinds of proofs: docs/internals/proof-format.md, "Rounds" and "Planar graphs".
#include "src/proof_check/statement.hpp"

namespace countpm::proof_check {

/// Step by step, from the last to the first; `rounds` are the strings of the proof. Throws Refused where the
/// count is not proved. O(vertices + members of sets).
void check_rounds(const Statement& statement, const StatementResidues& residues, Digest h,
                  const PrimeField& field, const std::vector<StrictJson>& rounds);

/// The embedding, the orientation and the Pfaffian. Throws Refused likewise.
void check_planar(const Statement& statement, const StatementResidues& residues, const PrimeField& field,
                  const StrictJson& planar);

}  // namespace countpm::proof_check
