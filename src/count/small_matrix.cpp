#include "src/count/small_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "graph/errors.hpp"
#include "kernels/arithmetic/to_mpz.hpp"
#include "kernels/doubles/small_integers.hpp"
#include "src/count/direct_count.hpp"
#include "src/count/over_sets.hpp"
#include "src/count/small_graph.hpp"
#include "src/count/small_rectangle.hpp"

namespace countpm {
namespace {

using Answer = std::optional<std::variant<mpz_class, SmallSum>>;

/// Beyond so many a second sum of doubles would take longer than the only one of others (The Walrus,
/// bench/python/small.py).
constexpr std::size_t most_rows_twice = 9;
constexpr std::size_t most_real_rows = 18;
constexpr std::size_t most_complex_rows = 16;
constexpr double most_relative_error = 0x1p-50;

template <class Number>
bool is_symmetric(std::span<const Number> entries, std::size_t rows, std::size_t parts) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      for (std::size_t k = 0; k < parts; ++k) {
        if (entries[(i * rows + j) * parts + k] != entries[(j * rows + i) * parts + k]) return false;
      }
    }
  }
  return true;
}

/// Rows for columns; of hafnians both backwards.
std::vector<double> doubles_other_way(std::span<const double> entries, std::size_t rows, std::size_t parts,
                                      bool backwards) {
  std::vector<double> other(entries.size());
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < rows; ++j) {
      const std::size_t from = backwards ? (rows - 1 - i) * rows + (rows - 1 - j) : j * rows + i;
      for (std::size_t k = 0; k < parts; ++k) other[(i * rows + j) * parts + k] = entries[from * parts + k];
    }
  }
  return other;
}

Answer sum_of_doubles(std::span<const double> entries, std::size_t rows, bool complex, MatrixSum kind) {
  const std::size_t parts = complex ? 2 : 1;
  const bool hafnian = kind != MatrixSum::permanent;
  if (rows > (complex ? most_complex_rows : most_real_rows)) return std::nullopt;
  // Where the diagonal plays no part, too: what is no number is for others to refuse.
  if (!std::all_of(entries.begin(), entries.end(), [](double part) { return std::isfinite(part); }))
    return std::nullopt;
  if (hafnian && !is_symmetric(entries, rows, parts)) return std::nullopt;
  if (kind == MatrixSum::hafnian && rows % 2 != 0) return mpz_class(0);
  const auto sum_of = [&](std::span<const double> matrix) {
    return hafnian ? small_hafnian(matrix, rows, complex, kind == MatrixSum::loop_hafnian)
                   : small_permanent(matrix, rows, complex);
  };
  std::optional<SmallSum> sum = sum_of(entries);
  if (!sum || !(sum->radius <= most_relative_error * std::abs(sum->middle))) return std::nullopt;
  if (rows <= most_rows_twice) {
    const std::optional<SmallSum> again = sum_of(doubles_other_way(entries, rows, parts, hafnian));
    if (again && !(std::abs(sum->middle - again->middle) <= (sum->radius + again->radius) * (1 + 0x1p-40)))
      throw CheckError(
          fmt::format("counted twice, {}: {}{:+}i and {}{:+}i, which differ by more than their errors",
                      hafnian ? "forwards and backwards" : "by rows and by columns", sum->middle.real(),
                      sum->middle.imag(), again->middle.real(), again->middle.imag()));
  }
  return *sum;
}

// Integers
// ---------------------------------------------------------------------------------------------------

constexpr std::size_t most_rows_over_sets = 10;

struct WordMatrix {
  std::size_t size;
  std::array<std::int64_t, most_rows_over_sets * most_rows_over_sets> entry;
  std::int64_t& at(std::size_t row, std::size_t column) { return entry[row * size + column]; }
  std::int64_t at(std::size_t row, std::size_t column) const { return entry[row * size + column]; }
};

/// In words of 64 bits, where all sums fit them.
std::optional<mpz_class> sum_over_sets(std::span<const std::int64_t> entries, std::size_t rows,
                                       bool hafnian) {
  if (rows == 0 || rows > most_rows_over_sets) return std::nullopt;
  // A sum over sets is at most the product of the rows' sums of magnitudes, and of 1.
  double bound = 1;
  for (std::size_t i = 0; i < rows; ++i) {
    double magnitude = 0;
    for (std::size_t j = 0; j < rows; ++j) magnitude += std::abs(static_cast<double>(entries[i * rows + j]));
    bound *= std::max(magnitude, 1.0);
  }
  if (!(bound < 0x1p61)) return std::nullopt;
  WordMatrix matrix{};
  matrix.size = rows;
  std::copy(entries.begin(), entries.end(), matrix.entry.begin());
  const auto sum_of = [&](const WordMatrix& given) {
    std::array<std::int64_t, std::size_t{1} << most_rows_over_sets> places{};
    const std::span<std::int64_t> sum(places.data(), std::size_t{1} << rows);
    sum[0] = 1;
    return hafnian ? hafnian_over_sets(given, sum) : permanent_over_sets(given, sum);
  };
  const std::int64_t sum = sum_of(matrix);
  const std::int64_t again = sum_of(other_way(matrix, hafnian));
  if (sum != again)
    throw CheckError(fmt::format("counted twice, by rows and by columns: {} and {}", sum, again));
  return mpz_class(static_cast<std::int64_t>(sum));
}

SmallGraph graph_of(std::span<const std::int64_t> entries, std::size_t rows, MatrixSum kind) {
  SmallGraph graph;
  graph.two_sides = kind == MatrixSum::permanent;
  graph.left = graph.two_sides ? rows : 0;
  graph.vertices = graph.two_sides ? 2 * rows : rows;
  graph.weight.resize(graph.vertices * graph.vertices);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < rows; ++j) {
      const std::int64_t value = entries[i * rows + j];
      if (value == 0 || (i == j && kind == MatrixSum::hafnian)) continue;
      const std::size_t to = j + graph.left;
      graph.neighbours[i] |= std::uint64_t{1} << to;
      graph.neighbours[to] |= std::uint64_t{1} << i;
      graph.weight[i * graph.vertices + to] = graph.weight[to * graph.vertices + i] = value;
    }
  }
  return graph;
}

Answer sum_of_integers(std::span<const std::int64_t> entries, std::size_t rows, MatrixSum kind) {
  if (kind != MatrixSum::permanent && !is_symmetric(entries, rows, 1)) return std::nullopt;
  if (kind == MatrixSum::permanent) {
    if (const std::optional<int128> sum = small_integer_permanent(entries, rows)) return to_mpz(*sum);
  }
  if (kind != MatrixSum::loop_hafnian) {
    if (std::optional<mpz_class> sum = sum_over_sets(entries, rows, kind == MatrixSum::hafnian)) return *sum;
  }
  std::optional<DirectSum> sum = direct_sum(graph_of(entries, rows, kind));
  if (!sum) return std::nullopt;
  return std::move(sum->value);
}

}  // namespace

Answer small_matrix_sum(const SmallMatrix& matrix, MatrixSum sum) {
  if (matrix.rows != matrix.columns)
    return sum == MatrixSum::permanent ? small_rectangle_sum(matrix) : std::nullopt;
  if (matrix.rows == 0 || matrix.rows > most_direct_rows) return std::nullopt;
  if (const auto* const integers = std::get_if<std::span<const std::int64_t>>(&matrix.entries))
    return sum_of_integers(*integers, matrix.rows, sum);
  return sum_of_doubles(std::get<std::span<const double>>(matrix.entries), matrix.rows, matrix.complex, sum);
}

}  // namespace countpm
