#pragma once
// count, estimate, explain and the like of a graph.
#include <nanobind/nanobind.h>

namespace countpm::python {

void bind_questions(nanobind::module_& module);

}  // namespace countpm::python
