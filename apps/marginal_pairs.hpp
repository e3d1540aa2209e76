#pragma once
// countpm marginals INPUT --given A,B or --pairs FILE: pairs of edges.
#include "apps/options.hpp"
#include "src/api/sampling_forecast.hpp"

namespace countpm::app {

/// A line for each pair, or JSON. Precondition: one of the two was given.
int run_marginal_pairs(const Request& request);

/// What --sampled would draw for them. Precondition: as above.
SamplingForecast explain_marginal_pairs(const Request& request, const Source& source, const ReadOptions& read,
                                        const CountOptions& options);

}  // namespace countpm::app
