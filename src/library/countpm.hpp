#pragma once
// countpm for programs: what is to be counted goes in as an Input, and a checked result comes out. Installed
// as <countpm/countpm.hpp>; docs/library.md has examples.
//
// Every function throws the family of graph/errors.hpp and nothing else but std::bad_alloc: UsageError for
// options that there are not, InputError for a graph that is none, UnableError beyond the limits, CheckError
// where a check failed, InterruptedError where Options::interrupted said so. None prints, or leaves anything
// behind in the process. Any number of threads may ask at a time; each question starts as many threads as its
// options say.
#include <cstdint>
#include <functional>
#include <vector>

#include "graph/errors.hpp"
#include "src/api/options.hpp"
#include "src/api/results.hpp"
#include "src/api/version.hpp"
#include "src/count/log_result.hpp"
#include "src/estimate/estimate_result.hpp"
#include "src/library/input.hpp"
#include "src/report/json_text.hpp"

namespace countpm {

/// The permanent of a matrix, whose values count: a SparseView, a bipartite graph's biadjacency matrix (left
/// by right), a directed or undirected graph's adjacency matrix. Of a matrix that is not square: 0.
Value permanent(const Input& matrix, const Options& options = {});

/// The hafnian of a symmetric matrix, whose values count and whose diagonal does not: a SparseView, an
/// undirected graph's adjacency matrix, or that of a directed one where each arc has its reverse of the same
/// weight. Of an odd number of rows: 0. Throws InputError where the matrix is not symmetric.
Value hafnian(const Input& matrix, const Options& options = {});

/// Perfect matchings, or the cycle covers of a directed graph; weighted where the input is.
CountResult count(const Input& input, const Options& options = {});

/// Structure, reductions and what each method is predicted to take; counts nothing.
Explanation explain(const Input& input, const Options& options = {});

/// Counts what is easy, samples the rest.
EstimateResult estimate(const Input& input, const Options& options = {},
                        const EstimateOptions& sampling = {});

/// ln of the count in floating point, of planar graphs and lattices on a torus.
LogCountResult log_count(const Input& input, const Options& options = {});

/// Between which numbers the count is for certain.
BoundsReport bounds(const Input& input, const Options& options = {});

/// The probability of every edge to be in a random perfect matching (cycle cover), one drawn with probability
/// proportional to the product of its weights: beside the graph's edges, in their order.
Marginals marginals(const Input& input, const Options& options = {});
ExactMarginals exact_marginals(const Input& input, const Options& options = {});

/// `number` random perfect matchings (cycle covers), independent and exactly proportional to the products of
/// their weights. Options::seed fixes them. None where there is none.
std::vector<std::vector<Edge>> sample(const Input& input, std::uint64_t number, const Options& options = {});
/// The same, one after another; returns how many went to the sink.
std::uint64_t sample(const Input& input, std::uint64_t number, const MatchingIdSink& sink,
                     const Options& options = {});

/// All perfect matchings (cycle covers), or a range of them, one after another, in lexicographic order;
/// weights play no part. Returns how many went to the sink.
std::uint64_t list(const Input& input, const MatchingIdSink& sink, const ListOptions& options = {});

}  // namespace countpm
