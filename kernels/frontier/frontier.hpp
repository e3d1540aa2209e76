#pragma once
// Frontier dynamic programming: vertices are eliminated one by one; a table tells for every way to match some
// of the frontier (the neighbours of what is gone) how many matchings of the eliminated part do just that.
//
// The count is the value of the one state left in the end. Time and memory follow the frontier, not the size:
// O(sum over steps of states * degree), states at most C(w, u) for a frontier of w vertices of which u are
// matched. Twins are one class with a count (class_graph.hpp); trees with joins (elimination.hpp); the order
// decides all (order_search.hpp). Tables beyond the memory limit are cut into units (branching.hpp).
#include "kernels/method.hpp"

namespace countpm {

const Method& frontier_method();

}  // namespace countpm
