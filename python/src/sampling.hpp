#pragma once
// What is sampled of a graph: estimates, ratios, edge probabilities.
#include <nanobind/nanobind.h>

#include "src/api/entries.hpp"
#include "src/estimate/estimate_result.hpp"

namespace countpm::python {

/// An estimate as the module hands it on.
nanobind::dict answer_of(EstimateResult result, const CountOptions& options);

void bind_sampling(nanobind::module_& module);

}  // namespace countpm::python
