#pragma once
// A proof as the text of its file (docs/internals/proof-format.md, "The file").
#include <string>
#include <vector>

#include "graph/read.hpp"
#include "src/proof/planar_form.hpp"
#include "src/proof/statement.hpp"

namespace countpm {

/// The member "rounds": each as text_of() has it.
std::string rounds_member(const std::vector<std::string>& rounds);
/// The member "planar".
std::string planar_member(const EmbeddingProof& form);

/// member: one of these.
std::string proof_text(const ProofStatement& statement, const std::vector<Index>& order,
                       const std::string& claim, const std::string& member, const InputInfo& input);

}  // namespace countpm
