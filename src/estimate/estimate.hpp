#pragma once
// Estimates: what is easy is counted exactly, what is not is sampled, and the result says how far to trust
// it.
#include "src/api/entries.hpp"
#include "src/api/estimate_result.hpp"

namespace countpm {

/// Structure and reductions first; then blocks within `exact_below_seconds` by the exact methods, the others
/// by samples until the interval of their product is narrow enough. The samples that a seed draws do not
/// depend on the threads; a time limit decides only how many there are, and the same number given as
/// `samples` draws the same estimate again where one block is sampled. With a guarantee (guarantee.hpp) the
/// time limit is one of the whole run: what is predicted to take longer is refused, and what does is stopped.
/// Of `count_options` method, rules,
/// order, seed, threads, memory, floating point, progress and interruption are used. Throws as count() does;
/// UnableError for blocks that cannot be sampled (negative or complex weights; with a guarantee odd cycles
/// and monomers, too) and are beyond the exact methods; UsageError for monomers of a letter's weight.
EstimateResult estimate(const Source& source, const ReadOptions& read_options,
                        const CountOptions& count_options, const EstimateOptions& options);
/// The same of what has been read, or is in memory.
EstimateResult estimate(ReadResult read, const CountOptions& count_options, const EstimateOptions& options);
EstimateResult estimate(Graph graph, const CountOptions& count_options, const EstimateOptions& options);

}  // namespace countpm
