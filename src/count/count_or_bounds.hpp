#pragma once
// A count, or, where its limits do not allow it, what is certain of it.
#include <variant>

#include "src/api/entries.hpp"
#include "src/count/bounded_result.hpp"

namespace countpm {

using CountOrBounds = std::variant<CountResult, BoundedCount>;

/// As count(). Where that would throw UnableError, once the structure and the reductions are known, or runs
/// out of memory: bounds. Blocks that are counted by then are exact, and where it is the prediction that is
/// beyond the limits, so are those predicted to take a second at most; the others lie between certified
/// bounds (kernels/estimate/bounds/certified_bounds.hpp). What is told after the time limit was made ready
/// before; the structure and the reductions have a second more than the time limit. Throws UnableError,
/// before anything is counted, for what has no bounds: monomers and covers, other degrees than 1, negative
/// and complex weights.
CountOrBounds count_or_bounds(const Source& source, const ReadOptions& read_options,
                              const CountOptions& options);
CountOrBounds count_or_bounds(ReadResult read, const CountOptions& options);

}  // namespace countpm
