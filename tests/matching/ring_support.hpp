#pragma once
// Matrices with values for the tests: the permanent by its definition, random matrices over every value type,
// and printing them.
#include <gmpxx.h>

#include <sstream>
#include <string>

#include "matching/block.hpp"
#include "matching/entry_ops.hpp"
#include "tests/matching/support.hpp"

namespace countpm::testing_support {

inline mpq_class exact(std::int64_t value) {
  return mpq_class(static_cast<long>(value));
}
inline mpq_class exact(const mpq_class& value) {
  return value;
}
inline ComplexRational exact(const ComplexRational& value) {
  return value;
}
inline ComplexRational operator+(const ComplexRational& a, const ComplexRational& b) {
  return {a.re + b.re, a.im + b.im};
}

inline std::string text(const mpq_class& value) {
  return value.get_str();
}
inline std::string text(const ComplexRational& value) {
  std::string result = value.re.get_str();
  result.append("+i*").append(value.im.get_str());
  return result;
}
inline std::string text(std::int64_t value) {
  return std::to_string(value);
}

template <class Value>
using ExactOf = decltype(exact(std::declval<Value>()));

template <class Value>
std::string show(const SparseMatrix<Value>& matrix) {
  std::ostringstream out;
  out << matrix.rows << " x " << matrix.columns << "\n";
  for (Index i = 0; i < matrix.rows; ++i) {
    for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + 1]; ++k) {
      out << "(" << i << "," << matrix.column[k] << ")=" << text(matrix.value[k]) << " ";
    }
    out << "\n";
  }
  return out.str();
}

/// By expansion along the rows: the definition, zero terms skipped.
template <class Value>
ExactOf<Value> permanent(const SparseMatrix<Value>& matrix, Index row = 0, std::uint64_t used = 0) {
  if (row == matrix.rows) return exact(Value{1});
  ExactOf<Value> sum = exact(Value{0});
  for (std::uint64_t k = matrix.row_start[row]; k < matrix.row_start[row + 1]; ++k) {
    const std::uint64_t bit = std::uint64_t{1} << matrix.column[k];
    if ((used & bit) != 0) continue;
    const ExactOf<Value> term = exact(matrix.value[k]) * permanent(matrix, row + 1, used | bit);
    sum = sum + term;
  }
  return sum;
}
template <>
inline ComplexRational permanent(const SparseMatrix<ComplexRational>& matrix, Index row, std::uint64_t used) {
  if (row == matrix.rows) return {1, 0};
  ComplexRational sum{0, 0};
  for (std::uint64_t k = matrix.row_start[row]; k < matrix.row_start[row + 1]; ++k) {
    const std::uint64_t bit = std::uint64_t{1} << matrix.column[k];
    if ((used & bit) == 0) sum = sum + matrix.value[k] * permanent(matrix, row + 1, used | bit);
  }
  return sum;
}

enum class ValueKind { ones, small_positive, small_signed, units, large };

inline std::int64_t random_integer(ValueKind kind, Random& random) {
  switch (kind) {
    case ValueKind::ones:
      return 1;
    case ValueKind::small_positive:
      return 1 + random.below(6);
    case ValueKind::units:
      return random.below(2) == 0 ? 1 : -1;
    case ValueKind::large: {
      const std::int64_t value = (std::int64_t{1} << 61) + static_cast<std::int64_t>(random() >> 2);
      return random.below(2) == 0 ? value : (random.below(8) == 0 ? INT64_MIN : -value);
    }
    case ValueKind::small_signed:
      break;
  }
  const std::int64_t value = 1 + random.below(4);
  return random.below(2) == 0 ? value : -value;
}

template <class Value>
Value random_value(ValueKind kind, Random& random);
template <>
inline std::int64_t random_value(ValueKind kind, Random& random) {
  return random_integer(kind, random);
}
template <>
inline mpq_class random_value(ValueKind kind, Random& random) {
  mpq_class value(exact(random_integer(kind, random)) / (kind == ValueKind::ones ? 1 : 1 + random.below(5)));
  value.canonicalize();
  return value;
}
template <>
inline ComplexRational random_value(ValueKind kind, Random& random) {
  if (kind == ValueKind::ones) return {1, 0};
  if (random.below(3) == 0) return {0, random_value<mpq_class>(kind, random)};
  return {random_value<mpq_class>(kind, random),
          random.below(2) == 0 ? mpq_class(0) : random_value<mpq_class>(kind, random)};
}

template <class Value>
SparseMatrix<Value> with_random_values(const SparsePattern& pattern, ValueKind kind, Random& random) {
  SparseMatrix<Value> matrix;
  static_cast<SparsePattern&>(matrix) = pattern;
  for (std::size_t k = 0; k < pattern.column.size(); ++k)
    matrix.value.push_back(random_value<Value>(kind, random));
  return matrix;
}

template <class Value>
SparseMatrix<mpq_class> to_rational(const SparseMatrix<Value>& matrix) {
  SparseMatrix<mpq_class> result;
  static_cast<SparsePattern&>(result) = static_cast<const SparsePattern&>(matrix);
  for (const Value& value : matrix.value) result.value.push_back(exact(value));
  return result;
}

}  // namespace countpm::testing_support
