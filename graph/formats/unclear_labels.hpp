#pragma once
// Labels in which other programs see something else.
#include "graph/graph.hpp"
#include "graph/read_options.hpp"

namespace countpm {

/// Warns of labels with a # inside, where many programs begin a comment, with a comma, a semicolon or a blank
/// that is not ASCII's, where many part words, of numbers that are not whole, and of labels in quotation
/// marks beside others: of the first of each kind, in edge lists and tables. O(bytes of labels).
void warn_of_unclear_labels(const Graph& graph, InputInfo& info);

}  // namespace countpm
