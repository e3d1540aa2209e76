#pragma once
// What a proof states: docs/internals/proof-format.md, "The statement" to "The hash and the prime".
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/proof_check/prime_field.hpp"
#include "src/proof_check/strict_json.hpp"

namespace countpm::proof_check {

/// An edge (two vertices) or a larger set; the vertices ascend.
struct Piece {
  std::vector<std::uint32_t> vertices;
  std::string weight;
};

struct Statement {
  std::uint32_t vertices = 0;
  std::vector<Piece> edges, sets;
  std::vector<std::string> monomers;  // one for every vertex, "0" where it has none
  std::vector<std::uint32_t> order;
  std::string count;

  bool has_monomers() const;
};

/// Throws Refused where it does not keep to the format.
Statement read_statement(const StrictJson& proof);

/// h, the hash of all of it.
Digest hash_of(const Statement& statement);

/// The same modulo the prime, letters at their points.
struct StatementResidues {
  std::vector<Residue> edges, sets, monomers;
  Residue count = 0;
};
/// Throws Refused where a denominator or a letter is 0.
StatementResidues residues_of(const Statement& statement, const Digest& h, const PrimeField& field);

/// The list at `key`; throws Refused where there is none.
const std::vector<StrictJson>& list_at(const StrictJson& owner, std::string_view key);
/// An integer from 0 to below `limit`; else throws Refused.
std::uint32_t index_of(const StrictJson& value, std::uint32_t limit, const std::string& what);

}  // namespace countpm::proof_check
