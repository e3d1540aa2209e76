#include "python/src/arrays.hpp"

#include <fmt/format.h>

#include <string>

#include "python/src/values.hpp"

namespace countpm::python {

namespace nb = nanobind;

Array::Array(nb::handle object, const char* what) : what_(what) {
  if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) != 0)
    throw nb::python_error();
  format_ = view_.format == nullptr ? "B" : view_.format;
  if (!format_.empty() && (format_[0] == '@' || format_[0] == '=' || format_[0] == '<')) format_.erase(0, 1);
  if (view_.ndim == 1) return;
  const int dimensions = view_.ndim;
  PyBuffer_Release(&view_);
  throw nb::type_error(
      fmt::format("{}: expected a one-dimensional array, found one of {} dimensions", what_, dimensions)
          .c_str());
}

Array::~Array() {
  PyBuffer_Release(&view_);
}

void Array::refuse(const char* expected) const {
  throw nb::type_error(
      fmt::format("{}: expected an array of {}, found one of the format '{}'", what_, expected, format_)
          .c_str());
}

Indices Array::indices() const {
  const bool is_signed = format_ == "i" || format_ == "l" || format_ == "q" || format_ == "n";
  const bool is_unsigned = format_ == "I" || format_ == "L" || format_ == "Q" || format_ == "N";
  if (is_signed && view_.itemsize == 4) return as<std::int32_t>();
  if (is_signed && view_.itemsize == 8) return as<std::int64_t>();
  if (is_unsigned && view_.itemsize == 4) return as<std::uint32_t>();
  if (is_unsigned && view_.itemsize == 8) return as<std::uint64_t>();
  refuse("int64, int32, uint32 or uint64");
}

Weights Array::weights() const {
  const bool is_signed = format_ == "l" || format_ == "q" || format_ == "n";
  if (is_signed && view_.itemsize == 8) return as<std::int64_t>();
  if (format_ == "d") return as<double>();
  if (format_ == "Zd") return as<std::complex<double>>();
  refuse("int64, float64 or complex128");
}

WeightList::WeightList(nb::handle object) {
  if (object.is_none()) return;
  if (PyObject_CheckBuffer(object.ptr()) != 0) {
    array_.emplace(object, "weights");
    form_ = Form::array;
    array_->weights();
    return;
  }
  if (!PySequence_Check(object.ptr()))
    throw nb::type_error("weights: expected None, an array, or a list of numbers");
  read_list(nb::borrow<nb::sequence>(object));
}

namespace {

bool is_pair_of_pairs(nb::handle item) {
  return PyTuple_Check(item.ptr()) != 0 && nb::len(item) == 2 && PyTuple_Check(item[0].ptr()) != 0;
}

}  // namespace

void WeightList::read_list(nb::sequence list) {
  // The first one says of which form all are.
  std::size_t place = 0;
  for (const nb::handle item : list) {
    const Form form = PyComplex_Check(item.ptr()) != 0   ? Form::complexes
                      : PyFloat_Check(item.ptr()) != 0   ? Form::doubles
                      : PyUnicode_Check(item.ptr()) != 0 ? Form::texts
                      : is_pair_of_pairs(item)           ? Form::exact_complexes
                                                         : Form::fractions;
    if (form_ == Form::none) form_ = form;
    if (form != form_)
      throw nb::type_error(
          fmt::format("weights: the one at place {} is of another kind than those before it; expected all "
                      "exact, all float, all complex or all str",
                      place)
              .c_str());
    if (form == Form::complexes) {
      complexes_.emplace_back(PyComplex_RealAsDouble(item.ptr()), PyComplex_ImagAsDouble(item.ptr()));
    } else if (form == Form::doubles) {
      doubles_.push_back(PyFloat_AsDouble(item.ptr()));
    } else if (form == Form::texts) {
      texts_.push_back(nb::cast<std::string>(item));
    } else if (form == Form::exact_complexes) {
      exact_complexes_.push_back({fraction_of(item[0]), fraction_of(item[1])});
    } else {
      fractions_.push_back(fraction_of(item));
    }
    ++place;
  }
  if (form_ == Form::none) form_ = Form::fractions;
}

Weights WeightList::view() const {
  switch (form_) {
    case Form::none:
      break;
    case Form::array:
      return array_->weights();
    case Form::fractions:
      return std::span<const mpq_class>(fractions_);
    case Form::doubles:
      return std::span<const double>(doubles_);
    case Form::complexes:
      return std::span<const std::complex<double>>(complexes_);
    case Form::texts:
      return std::span<const std::string>(texts_);
    case Form::exact_complexes:
      return std::span<const ComplexRational>(exact_complexes_);
  }
  return std::monostate{};
}

}  // namespace countpm::python
