#pragma once
// The permanent of a small dense matrix, without a plan.
#include <optional>

#include <gmpxx.h>

#include "src/count/small_graph.hpp"

namespace countpm {

/// By the method of the table that counts tiny matrices before any other is asked, on this thread, modulo as
/// many primes as the product of the rows' sums asks for. Nothing where that would take longer than looking
/// for a better method. Precondition: two sides, of the same size.
std::optional<mpz_class> dense_permanent(const SmallGraph& graph, bool transposed);

}  // namespace countpm
