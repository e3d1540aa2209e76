#pragma once
// The library's exceptions as Python's.
#include <nanobind/nanobind.h>

#include <exception>
#include <string>
#include <vector>

namespace countpm::python {

/// Error, UsageError, InputError, UnableError, CheckError and CountpmWarning, as classes of the module; what
/// the library throws becomes one of them. Once, when the module is loaded.
void make_errors(nanobind::module_& module);

/// Raises each as a CountpmWarning. Throws where a filter of Python makes an error of it.
void warn(const std::vector<std::string>& warnings);

/// The exception that raising this would be, as an object. Throws what is no error of ours.
nanobind::object to_exception(const std::exception_ptr& thrown);

}  // namespace countpm::python
