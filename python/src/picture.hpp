#pragma once
// Graphs, and matchings in them, as SVG.
#include <nanobind/nanobind.h>

namespace countpm::python {

void bind_picture(nanobind::module_& module);

}  // namespace countpm::python
