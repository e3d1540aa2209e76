#pragma once
// What a proof is about: the graph as it was read, as edges, sets and monomers of numbered vertices
// (docs/internals/proof-format.md, "The statement").
#include <gmpxx.h>

#include <optional>
#include <string>
#include <vector>

#include "graph/graph.hpp"
#include "graph/read.hpp"
#include "kernels/proof/eliminations.hpp"
#include "kernels/proof/transcript.hpp"
#include "matching/free_vertices.hpp"
#include "src/api/results.hpp"

namespace countpm {

/// A number times letters to their powers.
struct ProofTerm {
  mpq_class coefficient = 1;
  LetterPowers powers{};
};
/// "-3/2*x^2*y^-1"
std::string text_of(const ProofTerm& term);
/// "0", or terms with + between them.
std::string text_of(const std::vector<ProofTerm>& sum);

struct ProofStatement {
  CoverShape shape;                       // edges, ascending, then larger sets, ascending
  std::uint64_t edges = 0;                // of the sets
  std::vector<ProofTerm> weight;          // of every set; empty: all 1
  std::vector<ProofTerm> monomer_weight;  // of every vertex, coefficient 0 where it has none; empty: none has
  char power_letter = 0;                  // of a polynomial in the weight of monomers (t) or rings (x)
  std::string letters;                    // of weights
  std::optional<Index> rows;              // it is of a matrix
  std::vector<std::string> labels;        // empty: numbers from 1
};

/// Throws UnableError, with the reason, for what has no proof: floating point and complex weights, ground
/// states, factors, maximum matchings that leave vertices free on both sides.
ProofStatement statement_of(const Graph& graph, const InputInfo& input, MatchingSize matchings);

/// N, of a count of that graph.
std::vector<ProofTerm> claim_of(const ProofStatement& statement, const CountResult& result);

/// The text whose hash fixes the prime.
std::string hashed_text(const ProofStatement& statement, const std::vector<Index>& order,
                        const std::string& claim);

/// Where a prime divides a denominator, or a letter's value is 0.
struct NoResidue {};
/// Modulo the field's prime, with the letters' values from the hash. Throws NoResidue.
class ProofResidues {
 public:
  ProofResidues(const PrimeField& field, const HashBytes& hash, const std::string& letters);

  FieldElement of(const ProofTerm& term) const;
  FieldElement of(const std::vector<ProofTerm>& sum) const;

 private:
  const PrimeField& field_;
  std::vector<std::pair<char, FieldElement>> value_;
};

}  // namespace countpm
