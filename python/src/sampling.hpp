#pragma once
// What is sampled of a graph: estimates, ratios, edge probabilities.
#include <nanobind/nanobind.h>

#include <vector>

#include "src/api/entries.hpp"
#include "src/api/estimate_result.hpp"

namespace countpm::python {

/// An estimate as the module hands it on.
nanobind::dict answer_of(EstimateResult result, const CountOptions& options);

/// ln of every sample's weight, by replicate and block.
using LogWeights = std::vector<std::vector<std::vector<double>>>;
void keep_weights(LogWeights& all, const SampleWeights& some);
nanobind::list to_lists(const LogWeights& all);

void bind_sampling(nanobind::module_& module);

}  // namespace countpm::python
