#pragma once
// Numbers across the border, large ones as bytes and never as decimal text.
#include <nanobind/nanobind.h>

#include "src/api/value.hpp"

namespace countpm::python {

nanobind::object to_python(const mpz_class& value);
/// (numerator, denominator)
nanobind::object to_python(const mpq_class& value);
/// int; ("rational", numerator, denominator); ("real", value, error, text, error text); ("complex", ...)
/// alike.
nanobind::object to_python(const Value& value);

/// Of an int, a pair of them, or what has a numerator and a denominator; TypeError for anything else. A
/// denominator may be 0.
mpq_class fraction_of(nanobind::handle object);

}  // namespace countpm::python
