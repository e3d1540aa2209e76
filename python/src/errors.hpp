#pragma once
// The library's exceptions as Python's.
#include <nanobind/nanobind.h>

namespace countpm::python {

/// Error, UsageError, InputError, UnableError and CheckError, as classes of the module; what the library
/// throws becomes one of them. Once, when the module is loaded.
void make_errors(nanobind::module_& module);

}  // namespace countpm::python
