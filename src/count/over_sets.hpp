#pragma once
// Weighted sums of a few rows by dynamic programming over sets of columns, or of vertices.
#include <gmpxx.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/arithmetic/arithmetic.hpp"

namespace countpm {

/// A complex number with whole parts.
struct WholeComplex {
  mpz_class re;
  mpz_class im;
  bool operator==(const WholeComplex&) const = default;
};

inline void add_product(std::int64_t& into, std::int64_t a, std::int64_t b) {
  into += a * b;
}
inline void add_product(int128& into, std::int64_t a, int128 b) {
  into += a * b;
}
inline void add_product(mpz_class& into, const mpz_class& a, const mpz_class& b) {
  mpz_addmul(into.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
}
inline void add_product(WholeComplex& into, const WholeComplex& a, const WholeComplex& b) {
  mpz_addmul(into.re.get_mpz_t(), a.re.get_mpz_t(), b.re.get_mpz_t());
  mpz_submul(into.re.get_mpz_t(), a.im.get_mpz_t(), b.im.get_mpz_t());
  mpz_addmul(into.im.get_mpz_t(), a.re.get_mpz_t(), b.im.get_mpz_t());
  mpz_addmul(into.im.get_mpz_t(), a.im.get_mpz_t(), b.re.get_mpz_t());
}

/// The permanent: f(S) = sum over j in S of a(|S| - 1, j) f(S \ {j}) for sets S of columns. `sum`: a place
/// for each of the 2^size sets, 0 but for the first, which is 1. `matrix` has `size` and at(row, column).
template <class Matrix, class Sum>
Sum permanent_over_sets(const Matrix& matrix, std::span<Sum> sum) {
  for (std::size_t set = 1; set < sum.size(); ++set) {
    const auto row = static_cast<std::size_t>(std::popcount(set)) - 1;
    for (std::size_t left = set; left != 0; left &= left - 1) {
      const auto column = static_cast<std::size_t>(std::countr_zero(left));
      add_product(sum[set], matrix.at(row, column), sum[set ^ (std::size_t{1} << column)]);
    }
  }
  return sum.back();
}

/// The sum over the injections of rows into at least as many columns, one column after another:
/// f(S) += sum over i in S of a(i, column) f(S \ {i}) for sets S of rows, of larger ones first. `sum` as
/// above, for sets of rows. `matrix` has `rows`, `columns` and at(row, column).
template <class Matrix, class Sum>
Sum injections_over_sets(const Matrix& matrix, std::span<Sum> sum) {
  for (std::size_t column = 0; column < matrix.columns; ++column) {
    const std::size_t left_over = matrix.columns - 1 - column;
    for (std::size_t set = sum.size(); --set != 0;) {
      const auto size = static_cast<std::size_t>(std::popcount(set));
      if (size > column + 1 || size + left_over < matrix.rows) continue;  // 0, or in no injection
      for (std::size_t left = set; left != 0; left &= left - 1) {
        const auto row = static_cast<std::size_t>(std::countr_zero(left));
        add_product(sum[set], matrix.at(row, column), sum[set ^ (std::size_t{1} << row)]);
      }
    }
  }
  return sum.back();
}

/// The hafnian, by the partner of the first vertex of each set; of an odd number of vertices 0. `sum` as
/// above.
template <class Matrix, class Sum>
Sum hafnian_over_sets(const Matrix& matrix, std::span<Sum> sum) {
  for (std::size_t set = 3; set < sum.size(); ++set) {
    if (std::popcount(set) % 2 != 0) continue;
    const auto first = static_cast<std::size_t>(std::countr_zero(set));
    const std::size_t others = set & (set - 1);
    for (std::size_t left = others; left != 0; left &= left - 1) {
      const auto partner = static_cast<std::size_t>(std::countr_zero(left));
      add_product(sum[set], matrix.at(first, partner), sum[others ^ (std::size_t{1} << partner)]);
    }
  }
  return sum.back();
}

/// Rows for columns; of a symmetric matrix the lines backwards: the same sum on another way.
template <class Matrix>
Matrix other_way(const Matrix& matrix, bool symmetric) {
  Matrix other = matrix;
  for (std::size_t i = 0; i < matrix.size; ++i) {
    for (std::size_t j = 0; j < matrix.size; ++j)
      other.at(i, j) = symmetric ? matrix.at(matrix.size - 1 - i, matrix.size - 1 - j) : matrix.at(j, i);
  }
  return other;
}

}  // namespace countpm
