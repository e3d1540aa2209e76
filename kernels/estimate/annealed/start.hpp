#pragma once
// What all annealed samples begin with: many holes, and messages of belief propagation among the others.
#include <cstdint>
#include <vector>

#include "kernels/estimate/bethe/general_walk.hpp"
#include "kernels/estimate/samples/sample_graph.hpp"

namespace countpm {

/// The graph at the first stage. With x_uv = w_uv y_u y_v for weights and 1 for every hole the sum over its
/// matchings is f's (estimate/annealed/chain.hpp) times the product of all y.
struct AnnealingStart {
  AnnealingStart(const SampleGraph& whole, const std::vector<double>& log_activity);
  AnnealingStart(const AnnealingStart&) = delete;
  AnnealingStart& operator=(const AnnealingStart&) = delete;

  SampleGraph graph;
  RestGraph messages;
  double log_factor;  // of what a walk says, so that it is f's sum
};

/// Which share of the vertices are to be holes at first: as few as walks by belief propagation can draw with
/// little spread, as pilots show; but never so few that what these know nothing of, far away, matters.
double first_share_of_holes(const SampleGraph& graph, std::uint64_t seed, std::uint64_t stream);

}  // namespace countpm
