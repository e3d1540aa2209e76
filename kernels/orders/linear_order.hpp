#pragma once
// Greedy, breadth-first and Sloan's sequences of classes in which few are open at a time: begun, but with
// neighbours still to come.
//
// In a sequence a class is passed over once all its neighbours are eliminated: it is eliminated straight
// after the last of them. So a sequence may name rows alone, or columns alone; the others follow by
// themselves.
#include <cstdint>
#include <vector>

#include "kernels/orders/class_graph.hpp"

namespace countpm {

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

/// From `first` to the far end of its component, component by component: at each place the class that is far
/// from the end and opens few others (S. W. Sloan, An algorithm for profile and wavefront reduction of sparse
/// matrices, Int. J. Numer. Methods Eng. 23 (1986) 239), so that begun classes do not wait long. O(entries *
/// log(entries)).
std::vector<Index> sloan_sequence(const ClassGraph& graph, Drivers drivers, Index first);

/// A class as far from `from` as possible, by two sweeps of breadth-first search. O(entries).
Index far_class(const ClassGraph& graph, Index from);

bool drives(const ClassGraph& graph, Drivers drivers, Index v);

}  // namespace countpm
