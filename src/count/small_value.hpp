#pragma once
// Counts of a few rows with weights of any kind, for programs that ask of many small matrices.
#include <optional>

#include "graph/graph.hpp"
#include "src/api/options.hpp"
#include "src/api/value.hpp"

namespace countpm {

/// The count, or weighted sum, of a sound graph, of a rectangle over the injections of its smaller side:
/// direct_sum()'s, or the same sums with weights of any kind as integers over one denominator, complex ones
/// as pairs of them. Decimals and doubles are fractions, so that real and complex sums are exact until they
/// are rounded once, at the end. Nothing where there are more than ten rows or twelve vertices, or monomers,
/// but dense_complex_sum()'s of complex weights; where the numbers may grow beyond 4096 bits, where a real or
/// complex sum is 0, or where the options ask for more than a number, or for floating point. Throws
/// CheckError where two ways of counting differ. `options` have been checked.
std::optional<Value> small_value(const Graph& graph, const Options& options);

}  // namespace countpm
