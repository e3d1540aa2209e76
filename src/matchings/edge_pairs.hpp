#pragma once
// Correlations: the probability that a random perfect matching has both of two edges.
//
// With P(e) an edge's probability and G - e the graph without e's ends,
//   P(e and f) = P(e) P(f in a random perfect matching of G - e),
// so that the marginals of G and of G - e for each first edge e of a pair give them all, exactly and by the
// same methods. Of a directed graph, whose cycle covers are the perfect matchings of tails with heads, an arc
// takes a tail and a head away. With monomers the matchings are all, those of G - e too, and e may be a
// vertex that stays alone.
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/api/entries.hpp"

namespace countpm {

/// By the labels of its ends; of an undirected graph in either order.
struct EdgeName {
  std::string from;
  std::string to;
  std::string file = {};  // that names it, for errors; empty where none does
  std::uint64_t line = 0;
};

/// Which pairs: every edge of the input, in its order, with one that is given, or those that are listed.
struct PairRequest {
  std::optional<EdgeName> given;
  std::vector<std::pair<EdgeName, EdgeName>> pairs;
};

struct PairProbability {
  EdgeProbability first;  // of a request with one given: that
  EdgeProbability second;
  std::string joint;       // of both at once
  std::string covariance;  // joint - first second
};
using PairSink = std::function<bool(const PairProbability&)>;  // false: enough

/// In the order of the request; returns how many went to the sink. Throws as marginals() does, UsageError (of
/// a file InputError) for an edge that the input does not have, and UnableError where the weights of the
/// matchings with a first edge add up to 0.
std::uint64_t pair_probabilities(const Source& source, const ReadOptions& read_options,
                                 const CountOptions& options, const MarginalOptions& marginal_options,
                                 const PairRequest& request, const PairSink& sink);

/// By the edges' places in graph.edges, as exact fractions; all 0 where there is no perfect matching. Throws
/// UsageError for a place that there is not.
std::vector<mpq_class> pair_marginals(ReadResult read,
                                      const std::vector<std::pair<std::uint64_t, std::uint64_t>>& pairs,
                                      const CountOptions& options);

}  // namespace countpm
