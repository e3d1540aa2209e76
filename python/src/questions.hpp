#pragma once
// count, estimate, explain and the like of a graph.
#include <nanobind/nanobind.h>

#include "python/src/graph.hpp"
#include "src/api/entries.hpp"

namespace countpm::python {

/// Of a count with the monomers' letter t, as pairs.
nanobind::list coefficients_of(const CountResult& result);
/// A count as the module hands it on: value and polynomial; json and report where `report`.
nanobind::dict answer_of(CountResult result, const PyGraph& graph, const CountOptions& options, bool report);

void bind_questions(nanobind::module_& module);

}  // namespace countpm::python
