#pragma once
// --explain of estimate, marginals --sampled and compare.
#include "apps/options.hpp"

namespace countpm::app {

/// Writes what would be drawn, and what that is predicted to take. Throws UsageError for options that make
/// no sense where nothing is drawn.
int run_explain_samples(const Request& request);

/// Throws UsageError for options of what is drawn, written or kept, which go with no explanation.
void refuse_of_samples(const Request& request);

/// How edges are to be sampled.
EdgeSampling edge_sampling(const Request& request);

}  // namespace countpm::app
