#pragma once
// What a count or an estimate of a graph is of: all that its sum needs, and no more.
#include "src/structure/analysis.hpp"

namespace countpm {

/// instance_of() with the trees of what maximum matchings leave free counted already
/// (matching/counted_trees.hpp), except where weights have letters: edges are not found in it again; and
/// where the matrix is to be counted as it is. Of weights with letters it cannot be: UsageError.
Instance instance_to_count(Graph graph, const Options& options);

}  // namespace countpm
