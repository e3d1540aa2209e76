#pragma once
// What is sampled of a graph: estimates, ratios, edge probabilities.
#include <nanobind/nanobind.h>

namespace countpm::python {

void bind_sampling(nanobind::module_& module);

}  // namespace countpm::python
