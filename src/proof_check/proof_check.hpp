#pragma once
// A count that carries a proof, checked from its file alone: countpm verify PROOF (docs/proofs.md).
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "graph/graph.hpp"
#include "src/proof_check/statement.hpp"

namespace countpm::proof_check {

struct ProofFile {
  Statement statement;
  StrictJson json;

  /// Whether it is of a matrix: the key `rows`.
  bool of_matrix() const { return json.find("rows") != nullptr; }
  /// Edges or sets have other weights than 1, or monomers than 0 and 1.
  bool weighted() const;
};

/// Whether it is an object of JSON whose `format` begins with "countpm-proof", or seems to be one: it
/// names the format.
bool seems_proof(std::string_view bytes);

/// Throws Refused.
ProofFile read_proof(std::string_view bytes);

/// How a count was proved.
struct ProofFindings {
  bool planar = false;
  std::uint64_t rounds = 0;
  std::string prime;  // in decimal
};
/// Throws Refused where the count is not proved. Time and memory in proportion to the file, but for planar
/// graphs: as an elimination in its order takes.
ProofFindings check_proof(const ProofFile& proof);

/// Throws Refused, with the reason, unless this is the graph of the proof, by the names of its vertices.
/// Monomers and larger sets are compared if the graph has some; what is not compared is returned, as words
/// ("monomers", "monomers and sets", or none).
std::string require_same_graph(const ProofFile& proof, const Graph& graph);

}  // namespace countpm::proof_check
