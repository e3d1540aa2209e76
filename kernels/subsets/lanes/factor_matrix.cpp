#include "kernels/subsets/lanes/factor_matrix.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <type_traits>
#include <utility>
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
  return {mpq_class(static_cast<std::int64_t>(value)), 0};
}

/// The least e with value <= 2^e; value > 0.
std::int64_t log2_ceiling(const mpq_class& value) {
  auto e = static_cast<std::int64_t>(mpz_sizeinbase(value.get_num_mpz_t(), 2)) -
           static_cast<std::int64_t>(mpz_sizeinbase(value.get_den_mpz_t(), 2));
  // 2^(e - 1) < value < 2^(e + 1)
  return divided_by_power_of_two(value, e) <= 1 ? e : e + 1;
}

/// What a number became, and what was taken away for that, within 2^-52 of it.
struct Rounded {
  double whole;
  double away = 0;
  bool exact = true;
};

Rounded nearest_whole(const mpq_class& value) {
  if (value.get_den() == 1) return {value.get_num().get_d()};
  mpz_class whole;
  const mpz_class twice = 2 * value.get_num() + value.get_den();
  mpz_fdiv_q(whole.get_mpz_t(), twice.get_mpz_t(), mpz_class(2 * value.get_den()).get_mpz_t());
  return {whole.get_d(), mpq_class(value - whole).get_d(), false};
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
Rounded nearest_whole(const BinaryFraction& value, std::int64_t unit) {
  const std::int64_t down = unit - value.exponent;
  if (down <= 0) return {std::ldexp(static_cast<double>(value.numerator), static_cast<int>(-down))};
  constexpr std::int64_t all_bits = 63;
  if (down >= all_bits)
    return {0, std::ldexp(static_cast<double>(value.numerator), static_cast<int>(-down)),
            value.numerator == 0};
  const std::int64_t one = std::int64_t{1} << down;
  const std::int64_t whole = (value.numerator + one / 2) >> down;
  const std::int64_t away = value.numerator - whole * one;
  return {static_cast<double>(whole), std::ldexp(static_cast<double>(away), static_cast<int>(-down)),
          away == 0};
}

/// A row that is made of its parts.
class RowBuilder {
 public:
  explicit RowBuilder(std::int64_t unit) { row_.unit = unit; }

  void add(const Rounded& part) {
    row_.part.push_back(part.whole);
    away_.push_back(part.away);
    row_.exact = row_.exact && part.exact;
  }
  WholeRow finish(const FactorMatrix& matrix) {
    row_.reach = sum_reach(row_.part, matrix.copies, matrix.complex);
    constexpr double too_small_for_doubles = 0x1p-60;
    if (!row_.exact) row_.rounding = sum_reach(away_, matrix.copies, matrix.complex) + too_small_for_doubles;
    return std::move(row_);
  }

 private:
  WholeRow row_;
  std::vector<double> away_;
};

// Of sums of magnitudes, from above: what their doubles have lost, and what rounding to wholes adds.
constexpr double roundings = 1 + 0x1p-20;

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
  const double largest = std::max(magnitude[0], magnitude[1]) * roundings;
  if (largest == 0) return std::nullopt;
  const int unit = std::ilogb(largest) + 1 - sum_bits;
  RowBuilder builder(unit);
  for (const BinaryFraction& part : parts) builder.add(nearest_whole(part, unit));
  return builder.finish(matrix);
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
  const std::int64_t unit = log2_ceiling(largest * mpq_class(roundings)) - sum_bits;
  RowBuilder builder(unit);
  for (Index j = 0; j < matrix.columns(); ++j) {
    for (const mpq_class* const value : {&matrix.at(row, j).re, &matrix.at(row, j).im})
      builder.add(nearest_whole(divided_by_power_of_two(*value, unit)));
  }
  return builder.finish(matrix);
}

double sum_reach(const std::vector<double>& parts, const std::vector<Index>& copies, bool complex) {
  constexpr std::size_t directions = 16;
  static const std::array<std::array<double, 2>, directions> direction = [] {
    std::array<std::array<double, 2>, directions> result{};
    for (std::size_t k = 0; k < directions; ++k) {
      const double angle = std::numbers::pi * static_cast<double>(k) / directions;
      result[k] = {std::cos(angle), std::sin(angle)};
    }
    return result;
  }();
  std::array<double, directions> reach{};
  for (std::size_t j = 0; j < copies.size(); ++j) {
    const double re = parts[2 * j] * copies[j];
    const double im = parts[2 * j + 1] * copies[j];
    for (std::size_t k = 0; k < (complex ? directions : 1); ++k)
      reach[k] += std::abs(re * direction[k][0] + im * direction[k][1]);
  }
  const double largest = *std::max_element(reach.begin(), reach.end());
  return (complex ? largest / std::cos(std::numbers::pi / (2 * directions)) : largest) * roundings;
}

}  // namespace countpm
