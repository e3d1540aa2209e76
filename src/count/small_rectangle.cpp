#include "src/count/small_rectangle.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "kernels/arithmetic/big_float.hpp"
#include "kernels/arithmetic/to_mpz.hpp"
#include "kernels/doubles/small_integers.hpp"
#include "src/count/over_sets.hpp"

namespace countpm {
namespace {

using RectangleSum = std::optional<std::variant<mpz_class, SmallSum>>;

constexpr std::size_t most_short_lines = 12;
constexpr std::size_t most_lines_in_lanes = most_injected_rows;
/// Of a pass: below a millisecond each (1, 3 and 35 ns a step; AMD EPYC, Zen 5, November 2026).
constexpr std::size_t most_word_steps = std::size_t{1} << 19;
constexpr std::size_t most_wide_steps = std::size_t{1} << 18;
constexpr std::size_t most_gmp_steps = std::size_t{1} << 14;
constexpr std::size_t most_lane_steps = std::size_t{1} << 22;
/// How many steps of a square's walk in pairs of doubles take as long as one with GMP (the same machine).
constexpr double walk_steps_a_gmp_step = 128;
/// Between the exponents of a row; more would make long integers.
constexpr int most_exponents = 64;

/// The shorter side has the rows.
template <class Element>
struct Rectangle {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<Element> entry;
  const Element& at(std::size_t row, std::size_t column) const { return entry[row * columns + column]; }
  std::size_t steps() const { return columns * rows << (rows - 1); }
};

/// `parts` numbers for an entry, which stay together.
template <class Part>
Rectangle<Part> upright(const SmallMatrix& matrix, std::span<const Part> parts_of_all, std::size_t parts) {
  Rectangle<Part> found{std::min(matrix.rows, matrix.columns), std::max(matrix.rows, matrix.columns), {}};
  if (matrix.rows <= matrix.columns) {
    found.entry.assign(parts_of_all.begin(), parts_of_all.end());
    return found;
  }
  found.entry.reserve(parts_of_all.size());
  for (std::size_t j = 0; j < matrix.columns; ++j) {
    for (std::size_t i = 0; i < matrix.rows; ++i) {
      const auto entry = parts_of_all.subspan((i * matrix.columns + j) * parts, parts);
      found.entry.insert(found.entry.end(), entry.begin(), entry.end());
    }
  }
  return found;
}

template <class Sum, class Element>
Sum injections_twice(Rectangle<Element> matrix, const Sum& one) {
  const auto sum_of = [&] {
    std::vector<Sum> places(std::size_t{1} << matrix.rows);
    places[0] = one;
    return injections_over_sets(matrix, std::span<Sum>(places));
  };
  Sum sum = sum_of();
  std::reverse(matrix.entry.begin(), matrix.entry.end());  // rows and columns
  if (!(sum == sum_of())) throw CheckError("counted twice, forwards and backwards: the two sums differ");
  return sum;
}

RectangleSum rectangle_of_integers(const Rectangle<std::int64_t>& matrix) {
  if (matrix.steps() <= most_lane_steps) {
    if (const std::optional<int128> sum = small_integer_injections(matrix.entry, matrix.rows, matrix.columns))
      return to_mpz(*sum);
  }
  if (matrix.rows > most_short_lines) return std::nullopt;
  // All sums over sets are at most the product of the rows' sums of magnitudes, and of 1.
  double bound = 1;
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    double magnitude = 0;
    for (std::size_t j = 0; j < matrix.columns; ++j)
      magnitude += std::abs(static_cast<double>(matrix.at(i, j)));
    bound *= std::max(magnitude, 1.0);
  }
  const std::size_t steps = matrix.steps();
  if (bound < 0x1p61) {
    if (steps > most_word_steps) return std::nullopt;
    return mpz_class(static_cast<std::int64_t>(injections_twice(matrix, std::int64_t{1})));
  }
  if (bound < 0x1p125) {
    if (steps > most_wide_steps) return std::nullopt;
    return to_mpz(injections_twice(matrix, int128{1}));
  }
  if (steps > most_gmp_steps) return std::nullopt;
  Rectangle<mpz_class> large{matrix.rows, matrix.columns, {}};
  for (const std::int64_t entry : matrix.entry) large.entry.emplace_back(static_cast<std::int64_t>(entry));
  return injections_twice(large, mpz_class(1));
}

double rounded_to_double(const mpz_class& value, std::int64_t exponent) {
  constexpr mpfr_prec_t bits_of_double = 53;
  BigFloat rounded(bits_of_double);
  mpfr_set_z_2exp(rounded.get(), value.get_mpz_t(), exponent, MPFR_RNDN);
  return rounded.to_double(MPFR_RNDN);
}

mpz_class one_of(const mpz_class*) {
  return 1;
}
WholeComplex one_of(const WholeComplex*) {
  return {1, 0};
}
mpz_class entry_of_parts(std::span<const double> parts, int shift, const mpz_class*) {
  return mpz_class(std::ldexp(parts[0], shift));
}
WholeComplex entry_of_parts(std::span<const double> parts, int shift, const WholeComplex*) {
  return {mpz_class(std::ldexp(parts[0], shift)), mpz_class(std::ldexp(parts[1], shift))};
}
std::pair<mpz_class, mpz_class> parts_of_sum(const mpz_class& sum) {
  return {sum, 0};
}
std::pair<mpz_class, mpz_class> parts_of_sum(const WholeComplex& sum) {
  return {sum.re, sum.im};
}

/// Each row as integers times a power of two: exact, and rounded once.
template <class Element>
RectangleSum rectangle_of_exact_doubles(const Rectangle<double>& matrix, std::size_t parts) {
  constexpr const Element* kind = nullptr;
  Rectangle<Element> whole{matrix.rows, matrix.columns, {}};
  std::int64_t exponent = 0;
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    const auto row =
        std::span<const double>(matrix.entry).subspan(i * matrix.columns * parts, matrix.columns * parts);
    int least = 0;
    int most = 0;
    bool empty = true;
    for (const double part : row) {
      if (part == 0) continue;
      int own = 0;
      std::frexp(part, &own);
      least = empty ? own : std::min(least, own);
      most = empty ? own : std::max(most, own);
      empty = false;
    }
    if (empty || most - least > most_exponents) return std::nullopt;
    for (std::size_t j = 0; j < matrix.columns; ++j)
      whole.entry.push_back(entry_of_parts(row.subspan(j * parts, parts), 53 - least, kind));
    exponent += least - 53;
  }
  const auto [re, im] = parts_of_sum(injections_twice(whole, one_of(kind)));
  SmallSum sum;
  sum.middle = {rounded_to_double(re, exponent), rounded_to_double(im, exponent)};
  const double size = std::abs(sum.middle.real()) + std::abs(sum.middle.imag());
  if (!(size > 0x1p-900 && size < 0x1p900)) return std::nullopt;
  sum.radius = size * 0x1p-53 + 0x1p-1060;  // a part may end below the range of normal numbers
  return sum;
}

/// As the permanent of a square.
RectangleSum rectangle_of_square(const Rectangle<double>& matrix, std::size_t parts) {
  std::vector<double> square = matrix.entry;
  square.resize(matrix.columns * matrix.columns * parts);
  for (std::size_t k = matrix.entry.size(); k < square.size(); k += parts) square[k] = 1;
  const RectangleSum permanent = small_matrix_sum(
      {matrix.columns, matrix.columns, parts == 2, std::span<const double>(square)}, MatrixSum::permanent);
  if (!permanent) return std::nullopt;
  SmallSum sum = std::get<SmallSum>(*permanent);
  double orders = 1;  // (n - m)!, exact below 19!
  for (std::size_t k = matrix.columns - matrix.rows; k > 1; --k) orders *= static_cast<double>(k);
  constexpr double slack_of_two = 1 + 0x1p-50;
  sum.middle /= orders;
  sum.radius = (sum.radius / orders + std::abs(sum.middle) * 0x1p-53) * slack_of_two + 0x1p-1060;
  return sum;
}

RectangleSum rectangle_of_doubles(const Rectangle<double>& matrix, bool complex) {
  const std::size_t parts = complex ? 2 : 1;
  if (!std::all_of(matrix.entry.begin(), matrix.entry.end(), [](double part) { return std::isfinite(part); }))
    return std::nullopt;
  const double exact_steps = static_cast<double>(matrix.steps()) * walk_steps_a_gmp_step;
  const double walk_steps =
      std::ldexp(static_cast<double>(matrix.columns), static_cast<int>(matrix.columns) - 1);
  if (walk_steps < exact_steps) {
    if (RectangleSum sum = rectangle_of_square(matrix, parts)) return sum;
  }
  if (matrix.steps() * parts * parts > most_gmp_steps) return std::nullopt;
  return complex ? rectangle_of_exact_doubles<WholeComplex>(matrix, parts)
                 : rectangle_of_exact_doubles<mpz_class>(matrix, parts);
}

}  // namespace

RectangleSum small_rectangle_sum(const SmallMatrix& matrix) {
  if (std::min(matrix.rows, matrix.columns) == 0 ||
      std::min(matrix.rows, matrix.columns) > most_lines_in_lanes ||
      std::max(matrix.rows, matrix.columns) > most_direct_columns)
    return std::nullopt;
  if (const auto* const integers = std::get_if<std::span<const std::int64_t>>(&matrix.entries))
    return rectangle_of_integers(upright(matrix, *integers, 1));
  if (std::min(matrix.rows, matrix.columns) > most_short_lines) return std::nullopt;
  return rectangle_of_doubles(
      upright(matrix, std::get<std::span<const double>>(matrix.entries), matrix.complex ? 2 : 1),
      matrix.complex);
}

}  // namespace countpm
