#pragma once
// What standard error says of edge probabilities by samples.
#include "apps/options.hpp"
#include "src/api/sampled_result.hpp"

namespace countpm::app {

/// What concerns all edges: in a report, and what speaks against the errors always.
void report_sampled(const Request& request, const SampledMarginals& sampled);

}  // namespace countpm::app
