#pragma once
// What a count or an estimate of a graph is of: all that its sum needs, and no more.
#include "src/structure/analysis.hpp"

namespace countpm {

/// instance_of() with the trees of what maximum matchings leave free counted already
/// (matching/counted_trees.hpp), except where weights have letters: edges are not found in it again.
Instance instance_to_count(Graph graph, MatchingSize matchings);

}  // namespace countpm
