#include "kernels/expansion/small_permanent.hpp"

#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "kernels/arithmetic/to_mpz.hpp"

namespace countpm {
namespace {

template <class Number>
bool is_zero(const Number& value) {
  if constexpr (std::is_same_v<Number, ComplexRational>) {
    return value.re == 0 && value.im == 0;
  } else {
    return value == 0;
  }
}

template <class Number, class Value>
void add_product(Number& into, const Number& a, const Value& b) {
  if constexpr (std::is_same_v<Number, ComplexRational>) {
    into.re += a.re * b.re - a.im * b.im;
    into.im += a.re * b.im + a.im * b.re;
  } else {
    into += a * b;
  }
}

/// f(all), `table` all zeros before and after but for what is taken out.
template <class Number, class Value>
Number over_sets(const SparseMatrix<Value>& matrix, std::vector<Number>& table) {
  const std::uint32_t all = (std::uint32_t{1} << matrix.rows) - 1;
  if (table.size() <= all) table.resize(all + std::size_t{1});
  if constexpr (std::is_same_v<Number, ComplexRational>) {
    table[0] = {1, 0};
  } else {
    table[0] = 1;
  }
  for (std::uint32_t set = 0; set < all; ++set) {
    if (is_zero(table[set])) continue;
    const Number ways = std::exchange(table[set], Number{});
    const auto row = static_cast<Index>(std::popcount(set));
    for (std::uint64_t k = matrix.row_start[row]; k < matrix.row_start[row + std::uint64_t{1}]; ++k) {
      const std::uint32_t column = std::uint32_t{1} << matrix.column[k];
      if ((set & column) == 0) add_product(table[set | column], ways, matrix.value[k]);
    }
  }
  return std::exchange(table[all], Number{});
}

/// The bits that hold every f(S) of this matrix with its sign: |f(S)| <= the product of the rows' absolute
/// sums.
unsigned bits_needed(const SparseMatrix<std::int64_t>& matrix) {
  unsigned bits = 1;
  for (Index i = 0; i < matrix.rows; ++i) {
    uint128 sum = 0;
    for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::uint64_t{1}]; ++k) {
      const auto value = static_cast<std::uint64_t>(matrix.value[k]);
      sum += matrix.value[k] < 0 ? 0 - value : value;
    }
    if (sum == 0) continue;
    const uint128 below = sum - 1;  // sum <= 2^bit_width(sum - 1)
    const auto high = static_cast<std::uint64_t>(below >> 64);
    bits += static_cast<unsigned>(high != 0 ? 64 + std::bit_width(high)
                                            : std::bit_width(static_cast<std::uint64_t>(below)));
  }
  return bits;
}

}  // namespace

mpq_class SmallPermanent::operator()(const SparseMatrix<std::int64_t>& matrix) {
  // An intermediate product is one of the terms that the bound counts, so it fits too.
  const unsigned bits = bits_needed(matrix);
  if (bits <= 62) return mpq_class(static_cast<std::int64_t>(over_sets(matrix, words_)));
  if (bits <= 126) return mpq_class(to_mpz(over_sets(matrix, double_words_)));
  std::vector<mpz_class> table;
  SparseMatrix<mpz_class> wide;
  static_cast<SparsePattern&>(wide) = static_cast<const SparsePattern&>(matrix);
  for (const std::int64_t value : matrix.value) wide.value.emplace_back(static_cast<std::int64_t>(value));
  return mpq_class(over_sets(wide, table));
}

mpq_class SmallPermanent::operator()(const SparseMatrix<mpq_class>& matrix) {
  std::vector<mpq_class> table;
  return over_sets(matrix, table);
}

ComplexRational SmallPermanent::operator()(const SparseMatrix<ComplexRational>& matrix) {
  std::vector<ComplexRational> table;
  return over_sets(matrix, table);
}

}  // namespace countpm
