#pragma once
// Arrays of Python's, looked at in place: whatever has a buffer (array.array, numpy), one-dimensional and in
// one piece.
#include <nanobind/nanobind.h>

#include <complex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/library/views.hpp"

namespace countpm::python {

/// A buffer for as long as this lives. Use with the interpreter's lock.
class Array {
 public:
  /// Throws TypeError where it is no buffer; `what` names it.
  Array(nanobind::handle object, const char* what);
  ~Array();
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  /// int32, int64, uint32 or uint64; TypeError for others.
  Indices indices() const;
  /// int64, float64 or complex128; TypeError for others.
  Weights weights() const;

 private:
  template <class Number>
  std::span<const Number> as() const {
    return {static_cast<const Number*>(view_.buf), static_cast<std::size_t>(view_.len) / sizeof(Number)};
  }
  [[noreturn]] void refuse(const char* expected) const;

  Py_buffer view_;
  const char* what_;
  std::string format_;  // without its mark of byte order
};

/// Weights in any form that Python has them: None, a buffer, or a list of int, of pairs (numerator,
/// denominator), of fractions.Fraction, of float, of complex, of pairs of pairs (exact re and im), or of str,
/// which may have letters. What a list holds is copied here.
class WeightList {
 public:
  explicit WeightList(nanobind::handle object);
  Weights view() const;

 private:
  void read_list(nanobind::sequence list);

  std::optional<Array> array_;
  std::vector<mpq_class> fractions_;
  std::vector<double> doubles_;
  std::vector<std::complex<double>> complexes_;
  std::vector<std::string> texts_;
  std::vector<ComplexRational> exact_complexes_;
  enum class Form { none, array, fractions, doubles, complexes, texts, exact_complexes } form_ = Form::none;
};

}  // namespace countpm::python
