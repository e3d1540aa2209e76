#pragma once
// Many graphs: read from one source, and counted some at a time.
#include <nanobind/nanobind.h>

namespace countpm::python {

void bind_many(nanobind::module_& module);

}  // namespace countpm::python
