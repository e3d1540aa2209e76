#include "python/src/values.hpp"

#include <climits>
#include <string>
#include <vector>

namespace countpm::python {

namespace nb = nanobind;

namespace {

mpz_class integer_of(nb::handle object) {
  nb::object index = nb::steal(PyNumber_Index(object.ptr()));
  if (!index.is_valid()) throw nb::python_error();
  int overflow = 0;
  const long short_value = PyLong_AsLongAndOverflow(index.ptr(), &overflow);
  if (overflow == 0) return mpz_class(short_value);
  // Hexadecimal takes linear time, and has no limit of digits.
  const nb::object digits = nb::steal(PyNumber_ToBase(index.ptr(), 16));
  if (!digits.is_valid()) throw nb::python_error();
  return mpz_class(nb::cast<std::string>(digits), 0);
}

nb::object real(const char* kind, nb::object middle, double radius, const std::string& digits,
                const std::string& error) {
  return nb::make_tuple(kind, std::move(middle), radius, digits, error);
}

}  // namespace

nb::object to_python(const mpz_class& value) {
  if (value.fits_slong_p()) return nb::int_(value.get_si());
  std::vector<char> bytes((mpz_sizeinbase(value.get_mpz_t(), 2) + CHAR_BIT - 1) / CHAR_BIT);
  std::size_t written = 0;
  mpz_export(bytes.data(), &written, -1, 1, -1, 0, value.get_mpz_t());
  const nb::object from_bytes = nb::handle(reinterpret_cast<PyObject*>(&PyLong_Type)).attr("from_bytes");
  nb::object result = from_bytes(nb::bytes(bytes.data(), written), "little");
  if (value < 0) {
    result = nb::steal(PyNumber_Negative(result.ptr()));
    if (!result.is_valid()) throw nb::python_error();
  }
  return result;
}

nb::object to_python(const mpq_class& value) {
  return nb::make_tuple(to_python(mpz_class(value.get_num())), to_python(mpz_class(value.get_den())));
}

nb::object to_python(const Value& value) {
  if (const auto* integer = std::get_if<mpz_class>(&value)) return to_python(*integer);
  if (const auto* fraction = std::get_if<mpq_class>(&value)) {
    return nb::make_tuple("rational", to_python(mpz_class(fraction->get_num())),
                          to_python(mpz_class(fraction->get_den())));
  }
  if (const auto* ball = std::get_if<RealBall>(&value))
    return real("real", nb::float_(ball->middle), ball->radius, ball->digits, ball->error);
  const auto& ball = std::get<ComplexBall>(value);
  nb::object middle = nb::steal(PyComplex_FromDoubles(ball.middle.real(), ball.middle.imag()));
  if (!middle.is_valid()) throw nb::python_error();
  return real("complex", std::move(middle), ball.radius, ball.digits, ball.error);
}

mpq_class fraction_of(nb::handle object) {
  mpq_class result;
  if (PyTuple_Check(object.ptr()) != 0 && nb::len(object) == 2) {
    result.get_num() = integer_of(object[0]);
    result.get_den() = integer_of(object[1]);
  } else if (PyLong_Check(object.ptr()) == 0 && nb::hasattr(object, "numerator") &&
             nb::hasattr(object, "denominator")) {
    result.get_num() = integer_of(object.attr("numerator"));
    result.get_den() = integer_of(object.attr("denominator"));
  } else {
    result.get_num() = integer_of(object);
  }
  if (result.get_den() != 0) result.canonicalize();
  return result;
}

}  // namespace countpm::python
