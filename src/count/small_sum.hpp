#pragma once
// Counts of a few rows, for programs that ask of many small matrices: where looking at the machine, planning
// and a report would take a thousand times as long as counting.
#include <optional>

#include <gmpxx.h>

#include "graph/graph.hpp"
#include "src/api/options.hpp"

namespace countpm {

/// The count, or weighted sum, of a sound graph; nothing where it has more than ten rows or twelve vertices,
/// weights that are not integers of 64 bits, or a sum that may exceed 126 bits, or where the options ask for
/// more than a number. By dynamic programming over the sets of columns used, exactly in 128 bits, where no
/// partial sum exceeds the product of the rows' sums:
///   f(S) = sum over j in S of a(|S|, j) f(S \ {j}),
/// and over sets of vertices for graphs that are not bipartite. O(2^n n), twice: of the transposed matrix, or
/// with the vertices numbered backwards, again. Throws CheckError where the two differ. `options` have been
/// checked.
std::optional<mpz_class> small_sum(const Graph& graph, const Options& options);

}  // namespace countpm
