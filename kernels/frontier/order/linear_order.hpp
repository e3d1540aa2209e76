#pragma once
// Linear orders: sequences of classes, and greedy ones.
//
// In a sequence a class is passed over once all its neighbours are eliminated: it is eliminated straight
// after the last of them. So the rows in any order are the plain frontier method over rows, whatever follows;
// the columns in any order are the one over the transpose.
#include <cstdint>
#include <vector>

#include "kernels/frontier/order/class_graph.hpp"
#include "kernels/frontier/order/elimination.hpp"

namespace countpm {

/// push, then every class of the graph once; classes that the sequence does not name come at the end.
/// O(entries).
Elimination linear_elimination(const ClassGraph& graph, const std::vector<Index>& sequence);

/// From which classes the next one is chosen: the others wait until they are closed.
enum class Drivers : std::uint8_t { rows, columns, all };

/// Which of the equally good classes is taken: the one that came up first, last, or any.
enum class TieRule : std::uint8_t { oldest, newest, random };

/// Takes, among the classes that touch what is eliminated, one that adds the fewest to the frontier (new ones
/// less those that it closes, less itself where it is in it); starts at `first`, and anew in every component.
/// Names every driver. O(entries) with a bucket for every difference.
std::vector<Index> greedy_sequence(const ClassGraph& graph, Drivers drivers, TieRule ties, Index first,
                                   std::uint64_t seed);

/// By distance from `first`, component by component: the order of a breadth-first search, for long strips.
std::vector<Index> level_sequence(const ClassGraph& graph, Drivers drivers, Index first);

/// A class as far from `from` as possible, by two sweeps of breadth-first search. O(entries).
Index far_class(const ClassGraph& graph, Index from);

bool drives(const ClassGraph& graph, Drivers drivers, Index v);

}  // namespace countpm
