#pragma once
// All permanents of a matrix without one of its lines, in one pass.
#include <vector>

#include "graph/read.hpp"
#include "src/api/entries.hpp"

namespace countpm {

/// Of a matrix with one line more on one side than on the other, as a bipartite graph whose values count: in
/// place k the permanent without line k of the longer side. Exact weights, and complex ones with
/// ReadOptions::exact, give exact values, real and complex ones values with an error bound. One walk over the
/// classes of the shorter side's lines, on one thread (subsets/lanes/lane_sums.hpp,
/// subsets/lanes/exact_minors.hpp). Throws UsageError for other sizes, UnableError where it is predicted to
/// take longer than the time limit.
std::vector<Value> permanents_without_a_line(ReadResult matrix, const CountOptions& options);

}  // namespace countpm
