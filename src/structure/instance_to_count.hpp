#pragma once
// What a count or an estimate of a graph is of: all that its sum needs, and no more.
#include "src/structure/analysis.hpp"

namespace countpm {

/// instance_of() with trees counted already, except where weights have letters, or the matrix is to be
/// counted as it is: those of what maximum matchings leave free (matching/counted_trees.hpp), and the large
/// ones of a graph with monomers (matching/counted_components.hpp). Edges are not found in it again. Of
/// weights with letters a matrix cannot be counted as it is: UsageError.
Instance instance_to_count(Graph graph, const Options& options);

}  // namespace countpm
