#include "python/src/small_matrix.hpp"

#include <algorithm>
#include <complex>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "python/src/values.hpp"
#include "src/count/small_rectangle.hpp"

namespace countpm::python {

namespace nb = nanobind;

namespace {

constexpr std::size_t most_entries_under_lock = 64;

/// The buffer of an object, while it lives; not valid where it has none.
class Buffer {
 public:
  explicit Buffer(nb::handle object)
      : valid_(PyObject_GetBuffer(object.ptr(), &view_, PyBUF_FORMAT | PyBUF_STRIDES) == 0) {
    if (!valid_) PyErr_Clear();
  }
  ~Buffer() {
    if (valid_) PyBuffer_Release(&view_);
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  bool valid() const { return valid_; }
  const Py_buffer& view() const { return view_; }

 private:
  Py_buffer view_{};
  bool valid_;
};

/// Row by row, whatever the strides; of this thread's last matrix.
template <class Number>
std::span<const Number> numbers_in(const Py_buffer& view) {
  const auto rows = static_cast<std::size_t>(view.shape[0]);
  const auto columns = static_cast<std::size_t>(view.shape[1]);
  const auto size = static_cast<std::size_t>(view.itemsize);
  const std::size_t parts = size / sizeof(Number);
  thread_local std::vector<Number> numbers;
  numbers.resize(std::max(numbers.size(), rows * columns * parts));
  const char* const start = static_cast<const char*>(view.buf);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      std::memcpy(
          numbers.data() + (i * columns + j) * parts,
          start + static_cast<Py_ssize_t>(i) * view.strides[0] + static_cast<Py_ssize_t>(j) * view.strides[1],
          size);
    }
  }
  return {numbers.data(), rows * columns * parts};
}

nb::object pair_of(const SmallSum& sum, bool complex) {
  nb::object middle;
  if (complex) {
    middle = nb::steal(PyComplex_FromDoubles(sum.middle.real(), sum.middle.imag()));
    if (!middle.is_valid()) throw nb::python_error();
  } else {
    middle = nb::float_(sum.middle.real());
  }
  return nb::make_tuple(std::move(middle), sum.radius);
}

/// numpy.ndarray; none where numpy has not been imported, without which there is no array. Kept for good, as
/// modules are. Types tell their names in microseconds, in the stable interface of Python.
nb::handle array_type() {
  static PyObject* known = nullptr;
  if (known == nullptr) {
    const nb::object name = nb::steal(PyUnicode_FromString("numpy"));
    const nb::object numpy = nb::steal(PyImport_GetModule(name.ptr()));
    if (numpy.is_valid()) known = PyObject_GetAttrString(numpy.ptr(), "ndarray");
    PyErr_Clear();
  }
  return known;
}

nb::object small_sum_of(nb::handle array, MatrixSum kind) {
  // Classes derived from it (matrix, masked arrays) may mean something else.
  if (!array.type().is(array_type())) return nb::none();
  const Buffer buffer(array);
  if (!buffer.valid()) return nb::none();
  const Py_buffer& view = buffer.view();
  if (view.ndim != 2) return nb::none();
  const auto rows = static_cast<std::size_t>(view.shape[0]);
  const auto columns = static_cast<std::size_t>(view.shape[1]);
  if (std::max(rows, columns) > (rows == columns ? most_direct_rows : most_direct_columns)) return nb::none();
  const std::string_view format = view.format == nullptr ? "B" : view.format;
  SmallMatrix matrix;
  matrix.rows = rows;
  matrix.columns = columns;
  if ((format == "l" || format == "q") && view.itemsize == 8) {
    matrix.entries = numbers_in<std::int64_t>(view);
  } else if (format == "d" || format == "Zd") {
    matrix.complex = format == "Zd";
    matrix.entries = numbers_in<double>(view);
  } else {
    return nb::none();
  }
  const auto sum = [&] {
    // Of few entries the sum takes less time than the lock.
    std::optional<nb::gil_scoped_release> released;
    if (rows * columns > most_entries_under_lock) released.emplace();
    return small_matrix_sum(matrix, kind);
  }();
  if (!sum) return nb::none();
  if (const auto* const integer = std::get_if<mpz_class>(&*sum)) return to_python(*integer);
  return pair_of(std::get<SmallSum>(*sum), matrix.complex);
}

}  // namespace

void bind_small_matrix(nb::module_& module) {
  const auto define = [&](const char* name, MatrixSum kind) {
    module.def(
        name, [kind](nb::handle array) { return small_sum_of(array, kind); }, nb::arg("array").none(),
        "Of a small array of numpy, of integers or floats, that is counted at once: an int, or (float or "
        "complex, error); None of anything else.");
  };
  define("small_permanent", MatrixSum::permanent);
  define("small_hafnian", MatrixSum::hafnian);
  define("small_loop_hafnian", MatrixSum::loop_hafnian);
}

}  // namespace countpm::python
