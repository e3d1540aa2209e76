#pragma once
// The proof of a planar graph's count by its embedding: Kasteleyn's theorem instead of tables
// (docs/internals/proof-format.md, "Planar graphs").
//
// P. W. Kasteleyn, Graph theory and crystal physics, in: F. Harary (ed.), Graph Theory and Theoretical
// Physics (1967) 43. The Pfaffian modulo the proof's prime is computed here as a checker does, by elimination
// in the proof's order: pairs of a matching along a nested dissection, so that it is O(n^1.5)
// multiplications.
#include <optional>
#include <string>
#include <vector>

#include "kernels/proof/prime_field.hpp"
#include "src/proof/statement.hpp"

namespace countpm {

struct EmbeddingProof {
  std::vector<std::vector<Index>> rotation;  // of every vertex, its neighbours around it
  std::string orientation;                   // of every edge: '0' from u to v, '1' from v to u
  std::vector<Index> order;                  // of elimination
};

/// Nothing where the graph is not planar, or the statement has more than edges with weights above 0. O(n log
/// n).
std::optional<EmbeddingProof> planar_form(const ProofStatement& statement);

/// The Pfaffian of the oriented matrix, up to its sign. weight: of every edge. Throws Stopped.
FieldElement pfaffian(const PrimeField& field, const ProofStatement& statement, const EmbeddingProof& form,
                      const std::vector<FieldElement>& weight);

}  // namespace countpm
