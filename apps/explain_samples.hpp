#pragma once
// How edges are sampled, and what --explain says of samples.
#include "apps/options.hpp"

namespace countpm::app {

/// How edges are to be sampled.
EdgeSampling edge_sampling(const Request& request);

}  // namespace countpm::app
