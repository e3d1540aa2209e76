#pragma once
// Trees: from an order of elimination to a program with joins, by its elimination tree.
//
// Eliminating v in the filled graph joins what was eliminated below it; the frontier of the table of v's
// subtree are v's later neighbours there. J. W. H. Liu, The role of elimination trees in sparse
// factorization, SIAM J. Matrix Anal. Appl. 11 (1990) 134.
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/frontier/order/elimination.hpp"
#include "kernels/orders/class_graph.hpp"

namespace countpm {

/// The program of an order that names every class once. Children are done in the order that keeps the fewest
/// states alive (R. Sethi, J. D. Ullman, The generation of optimal code for arithmetic expressions, J. ACM 17
/// (1970) 715); a child's subtree of at most `inlined` classes (>= 1) is eliminated in its sibling's table
/// instead of being joined. Empty where the tables' frontiers have more than `most_fill` members together.
/// O(fill log).
std::optional<Elimination> tree_elimination(const ClassGraph& graph, const std::vector<Index>& order,
                                            Index inlined, std::uint64_t most_fill);

/// Takes, step by step, a class of least degree in the filled graph, or of least fill, ties at random. Empty
/// where a degree exceeds `most_degree`, or the word operations `most_work`. Degree: O(sum of degree^2);
/// fill: O(classes^2 * width / 64), for some thousands of classes.
std::vector<Index> minimum_degree_order(const ClassGraph& graph, std::uint64_t seed, Index most_degree);
std::vector<Index> minimum_fill_order(const ClassGraph& graph, std::uint64_t seed,
                                      std::uint64_t most_work = ~std::uint64_t{0});

}  // namespace countpm
