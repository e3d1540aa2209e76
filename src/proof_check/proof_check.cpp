#include "src/proof_check/proof_check.hpp"

#include <algorithm>

#include "src/proof_check/checks.hpp"
#include "src/proof_check/refused.hpp"

namespace countpm::proof_check {

bool ProofFile::weighted() const {
  const auto counts = [](const Piece& piece) { return piece.weight != "1"; };
  return std::any_of(statement.edges.begin(), statement.edges.end(), counts) ||
         std::any_of(statement.sets.begin(), statement.sets.end(), counts) ||
         std::any_of(statement.monomers.begin(), statement.monomers.end(),
                     [](const std::string& weight) { return weight != "0" && weight != "1"; });
}

bool seems_proof(std::string_view bytes) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || bytes[first] != '{') return false;
  constexpr std::string_view name = "countpm-proof ";
  if (bytes.find('"' + std::string(name)) != std::string_view::npos) return true;
  if (bytes.find('\\') == std::string_view::npos) return false;
  // It may be written with escapes.
  try {
    const StrictJson json = read_strict_json(bytes);
    const StrictJson* const format = json.find("format");
    return format != nullptr && format->text.compare(0, name.size(), name) == 0;
  } catch (const Refused&) {
    return false;
  }
}

ProofFile read_proof(std::string_view bytes) {
  ProofFile proof;
  proof.json = read_strict_json(bytes);
  proof.statement = read_statement(proof.json);
  return proof;
}

ProofFindings check_proof(const ProofFile& proof) {
  const Digest h = hash_of(proof.statement);
  const PrimeField field(prime_of(h));
  const StatementResidues residues = residues_of(proof.statement, h, field);
  const StrictJson* const planar = proof.json.find("planar");
  need((planar != nullptr) != (proof.json.find("rounds") != nullptr),
       "it has not just one of rounds and planar");
  ProofFindings findings;
  findings.prime = text_of(field.prime());
  if (planar != nullptr) {
    findings.planar = true;
    check_planar(proof.statement, residues, field, *planar);
  } else {
    const std::vector<StrictJson>& rounds = list_at(proof.json, "rounds");
    findings.rounds = rounds.size();
    check_rounds(proof.statement, residues, h, field, rounds);
  }
  return findings;
}

}  // namespace countpm::proof_check
