#pragma once
// The command's main(), for the script that pip makes of it.
#include <nanobind/nanobind.h>

namespace countpm::python {

void bind_command(nanobind::module_& module);

}  // namespace countpm::python
