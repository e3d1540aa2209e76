#pragma once
// Permanents and hafnians of small numpy arrays, without a Graph.
#include <nanobind/nanobind.h>

namespace countpm::python {

void bind_small_matrix(nanobind::module_& module);

}  // namespace countpm::python
