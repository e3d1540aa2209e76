#pragma once
// --explain of estimate, marginals --sampled and compare.
#include "apps/options.hpp"

namespace countpm::app {

/// Writes what would be drawn, and what that is predicted to take. Throws UsageError for options that make
/// no sense where nothing is drawn.
int run_explain_samples(const Request& request);

/// How edges are to be sampled.
EdgeSampling edge_sampling(const Request& request);

}  // namespace countpm::app
