#pragma once
// The pattern of a matrix as its structure shows it: as given, then with rows and columns in the order of its
// Dulmage-Mendelsohn decomposition, then each block in the order in which it would be eliminated.
#include <cstdint>
#include <optional>

#include "graph/instance.hpp"
#include "kernels/method.hpp"
#include "kernels/order_kind.hpp"
#include "src/matchings/pattern_views.hpp"
#include "src/structure/analysis.hpp"

namespace countpm {

/// Bipartite: the fine decomposition, block upper triangular, with a perfect matching on the diagonal; then
/// each block's rows and columns in the best linear order of elimination of the frontier method. Without a
/// perfect matching: the coarse decomposition, with the part that has too many columns first, the part that
/// has too many rows last. General graphs: components, rows and columns alike; without a perfect matching
/// Tutte's violator: the removed vertices, then the odd components. O(entries) and a short search a block;
/// without an `order` there is neither that search nor its view. Throws Stopped. A. Pothen, C.-J. Fan,
/// Computing the block triangular form of a sparse matrix, ACM Trans. Math. Softw. 16 (1990) 303.
PatternStages pattern_stages(const Instance& instance, const Analysis& analysis,
                             std::optional<OrderKind> order, std::uint64_t seed, const StopSignal& stop);

}  // namespace countpm
