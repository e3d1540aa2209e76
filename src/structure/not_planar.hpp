#pragma once
// Why an input is not planar, in the input's own labels.
#include <string>

#include "graph/errors.hpp"
#include "src/structure/analysis.hpp"

namespace countpm {

/// The refusal again, with what kuratowski_text() says between its reason and its remedy.
[[noreturn]] void refuse_not_planar(const UnableError& refusal, const Instance& instance,
                                    const InputInfo& input, const Analysis& analysis);

/// A subdivision of K5 or K3,3 in the first of the input's pieces that is not planar, as text: its ends, and
/// the paths between them, vertex by vertex. Looked for in the input's own edges, without those that are in
/// no perfect matching: the reductions contract edges and delete them, so that what they leave of a planar
/// piece is planar. Empty where every piece is planar, or finding one would take long. Some hundred planarity
/// tests.
std::string kuratowski_text(const Instance& instance, const InputInfo& input, const Analysis& analysis);

}  // namespace countpm
