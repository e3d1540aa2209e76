#include "kernels/subsets/lanes/factor_matrix.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <variant>

#include "kernels/arithmetic/ring_values.hpp"
#include "matching/rule_twins.hpp"

namespace countpm {
namespace {

ComplexRational as_complex(const ComplexRational& value) {
  return value;
}
ComplexRational as_complex(const mpq_class& value) {
  return {value, 0};
}
ComplexRational as_complex(std::int64_t value) {
  return {mpq_class(static_cast<long>(value)), 0};
}

/// The least e with value <= 2^e; value > 0.
std::int64_t log2_ceiling(const mpq_class& value) {
  auto e = static_cast<std::int64_t>(mpz_sizeinbase(value.get_num_mpz_t(), 2)) -
           static_cast<std::int64_t>(mpz_sizeinbase(value.get_den_mpz_t(), 2));
  // 2^(e - 1) < value < 2^(e + 1)
  return divided_by_power_of_two(value, e) <= 1 ? e : e + 1;
}

double nearest_whole(const mpq_class& value, bool& exact) {
  if (value.get_den() == 1) return value.get_num().get_d();
  exact = false;
  mpz_class whole;
  const mpz_class twice = 2 * value.get_num() + value.get_den();
  mpz_fdiv_q(whole.get_mpz_t(), twice.get_mpz_t(), mpz_class(2 * value.get_den()).get_mpz_t());
  return whole.get_d();
}

/// numerator 2^exponent, where that is all that a fraction is: what a double is, and some more.
struct BinaryFraction {
  std::int64_t numerator;
  std::int64_t exponent;
};
std::optional<BinaryFraction> binary_fraction(const mpq_class& value) {
  constexpr std::int64_t most_bits = 800;  // within the range of doubles
  constexpr std::int64_t most_numerator = std::int64_t{1} << 62;
  const mpz_class& denominator = value.get_den();
  const auto bits = static_cast<std::int64_t>(mpz_sizeinbase(denominator.get_mpz_t(), 2)) - 1;
  if (bits > most_bits || static_cast<std::int64_t>(mpz_scan1(denominator.get_mpz_t(), 0)) != bits ||
      mpz_fits_slong_p(value.get_num_mpz_t()) == 0)
    return std::nullopt;
  const std::int64_t numerator = value.get_num().get_si();
  if (numerator > most_numerator || numerator < -most_numerator) return std::nullopt;
  return BinaryFraction{numerator, -bits};
}

/// nearest_whole(value / 2^unit). Precondition: that is below 2^53.
double nearest_whole(const BinaryFraction& value, std::int64_t unit, bool& exact) {
  const std::int64_t down = unit - value.exponent;
  if (down <= 0) return std::ldexp(static_cast<double>(value.numerator), static_cast<int>(-down));
  constexpr std::int64_t all_bits = 63;
  if (down >= all_bits) {
    exact = exact && value.numerator == 0;
    return 0;
  }
  const std::int64_t one = std::int64_t{1} << down;
  exact = exact && (value.numerator & (one - 1)) == 0;
  return static_cast<double>((value.numerator + one / 2) >> down);
}

/// Where all are binary fractions, and the row is not empty.
std::optional<WholeRow> whole_row_of_binary_fractions(const FactorMatrix& matrix, Index row, int sum_bits) {
  std::vector<BinaryFraction> parts;
  std::array<double, 2> magnitude{};
  for (Index j = 0; j < matrix.columns(); ++j) {
    for (const mpq_class* const value : {&matrix.at(row, j).re, &matrix.at(row, j).im}) {
      const std::optional<BinaryFraction> part = binary_fraction(*value);
      if (!part) return std::nullopt;
      magnitude[parts.size() % 2] +=
          std::ldexp(std::abs(static_cast<double>(part->numerator)), static_cast<int>(part->exponent)) *
          matrix.copies[j];
      parts.push_back(*part);
    }
  }
  // from above, whatever the sums have lost
  constexpr double roundings = 1 + 0x1p-20;
  const double largest = std::max(magnitude[0], magnitude[1]) * roundings;
  if (largest == 0) return std::nullopt;
  WholeRow result;
  result.unit = std::ilogb(largest) + 1 - sum_bits;
  for (const BinaryFraction& part : parts)
    result.part.push_back(nearest_whole(part, result.unit, result.exact));
  return result;
}

}  // namespace

FactorMatrix factor_matrix(const AnyBlock& any_block) {
  return std::visit(
      [](const auto& block) {
        using Value = typename std::decay_t<decltype(block.matrix.value)>::value_type;
        FactorMatrix result;
        result.complex = std::is_same_v<Value, ComplexRational>;
        Index classes = 0;
        const std::vector<Index> class_of = rule_twins::column_classes(transpose(block.matrix), classes);
        result.power.assign(classes, 0);
        for (Index j = 0; j < block.matrix.columns; ++j) result.copies.push_back(block.multiplicity_of(j));
        result.value.resize(std::size_t{classes} * block.matrix.columns);
        for (Index i = 0; i < block.matrix.rows; ++i) {
          if (result.power[class_of[i]]++ != 0) continue;
          for (std::uint64_t k = block.matrix.row_start[i]; k < block.matrix.row_start[i + std::uint64_t{1}];
               ++k) {
            result.value[std::size_t{class_of[i]} * block.matrix.columns + block.matrix.column[k]] =
                as_complex(block.matrix.value[k]);
          }
        }
        return result;
      },
      any_block);
}

std::optional<WholeRow> whole_row(const FactorMatrix& matrix, Index row, int sum_bits) {
  if (std::optional<WholeRow> binary = whole_row_of_binary_fractions(matrix, row, sum_bits)) return binary;
  std::array<mpq_class, 2> magnitude;
  for (Index j = 0; j < matrix.columns(); ++j) {
    magnitude[0] += abs(matrix.at(row, j).re) * matrix.copies[j];
    magnitude[1] += abs(matrix.at(row, j).im) * matrix.copies[j];
  }
  const mpq_class& largest = std::max(magnitude[0], magnitude[1]);
  if (largest == 0) return std::nullopt;
  WholeRow result;
  result.unit = log2_ceiling(largest) - sum_bits;
  for (Index j = 0; j < matrix.columns(); ++j) {
    for (const mpq_class* const value : {&matrix.at(row, j).re, &matrix.at(row, j).im})
      result.part.push_back(nearest_whole(divided_by_power_of_two(*value, result.unit), result.exact));
  }
  return result;
}

}  // namespace countpm
