#pragma once
// What any elimination of a dense graph takes at least, before one is looked for.
#include "kernels/orders/class_graph.hpp"

namespace countpm {

/// log2 of about the least transitions. With d the least number of neighbours of a class, k classes that are
/// eliminated have taken, in a matrix, any k of d columns or so, and in a general graph any k of the d + 1 -
/// k neighbours that are left to each: at least C(d, k) and C(d + 1 - k, k) states. 0 for sparse graphs.
/// O(classes).
double log2_least_transitions(const ClassGraph& graph);

}  // namespace countpm
