#pragma once
// countpm marginals INPUT --given A,B or --pairs FILE: pairs of edges.
#include "apps/options.hpp"

namespace countpm::app {

/// A line for each pair, or JSON. Precondition: one of the two was given.
int run_marginal_pairs(const Request& request);

}  // namespace countpm::app
