#pragma once
// countpm verify PROOF [INPUT]: the check of a proof as one result.
#include <cstdint>
#include <optional>
#include <string>

#include "graph/read.hpp"
#include "src/api/entries.hpp"

namespace countpm {

struct ProofReport {
  std::string file;
  bool proved = false;
  std::string reason;  // why it is refused; else empty
  std::string count;   // what the proof states; empty where it could not be read
  std::uint64_t vertices = 0, edges = 0, sets = 0;
  bool monomers = false, weighted = false;
  std::optional<std::uint64_t> rows;  // of a matrix
  bool rectangle = false;             // its longer side, and that alone, has monomers, of weight 1
  bool planar = false;
  std::uint64_t rounds = 0;
  std::string prime;  // in decimal
  /// The input that it was compared with; empty: none. And what of the statement that input does not say:
  /// "monomers", "sets", or nothing.
  std::string input;
  std::string not_compared;

  /// "permanent of a 3 x 3 matrix", "perfect matchings of a graph", ..., with its sizes.
  std::string statement() const;
};

/// Whether a file that has these bytes is a proof, as far as its first ones say.
bool seems_proof(const std::string& bytes);

/// Checks the proof and, if there is an input, that it has the graph of the proof. The input is read as
/// options say; where that has another kind (--kind) or needs loops as monomers, it is read like that as
/// well, and its weights count if the proof has some. Never throws for a wrong proof; for an input that
/// cannot be read as read_graph() does, and where it is stopped.
ProofReport check_proof_file(const std::string& file, const std::string& bytes,
                             const std::optional<Source>& input, const ReadOptions& options,
                             const CountOptions& watched);

}  // namespace countpm
