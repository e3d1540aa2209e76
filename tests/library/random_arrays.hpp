#pragma once
// Random arrays of a program, sound ones and some with one fault, and what they should count to.
#include <gmpxx.h>

#include <complex>
#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "src/library/countpm.hpp"

namespace countpm::testing {

/// A square matrix of integers as rows of entries, without zeros.
struct Arrays {
  std::uint64_t size = 0;
  std::vector<std::int64_t> row_start{0};
  std::vector<std::int64_t> column;
  std::vector<std::int64_t> weight;

  SparseView view() const {
    SparseView matrix;
    matrix.rows = matrix.columns = size;
    matrix.row_start = std::span<const std::int64_t>(row_start);
    matrix.column = std::span<const std::int64_t>(column);
    matrix.weights = std::span<const std::int64_t>(weight);
    return matrix;
  }
  std::int64_t at(std::uint64_t i, std::uint64_t j) const {
    for (auto k = row_start[i]; k < row_start[i + 1]; ++k)
      if (column[static_cast<std::size_t>(k)] == static_cast<std::int64_t>(j))
        return weight[static_cast<std::size_t>(k)];
    return 0;
  }
};

/// symmetric: with an empty diagonal.
template <class Random>
Arrays random_arrays(std::uint64_t size, bool symmetric, Random& random) {
  std::bernoulli_distribution present(0.6);
  std::uniform_int_distribution<std::int64_t> value(-4, 4);
  std::vector<std::vector<std::int64_t>> dense(size, std::vector<std::int64_t>(size, 0));
  for (std::uint64_t i = 0; i < size; ++i) {
    for (std::uint64_t j = 0; j < size; ++j) {
      if (symmetric && j >= i) continue;
      dense[i][j] = present(random) ? value(random) : 0;
      if (symmetric) dense[j][i] = dense[i][j];
    }
  }
  Arrays arrays;
  arrays.size = size;
  for (const std::vector<std::int64_t>& row : dense) {
    for (std::uint64_t j = 0; j < size; ++j) {
      if (row[j] == 0) continue;
      arrays.column.push_back(static_cast<std::int64_t>(j));
      arrays.weight.push_back(row[j]);
    }
    arrays.row_start.push_back(static_cast<std::int64_t>(arrays.column.size()));
  }
  return arrays;
}

inline mpz_class permanent_of(const Arrays& arrays, std::uint64_t row = 0, std::uint64_t used = 0) {
  if (row == arrays.size) return 1;
  mpz_class sum = 0;
  for (std::uint64_t j = 0; j < arrays.size; ++j) {
    if ((used >> j & 1U) == 0 && arrays.at(row, j) != 0)
      sum += mpz_class(static_cast<long>(arrays.at(row, j))) *
             permanent_of(arrays, row + 1, used | std::uint64_t{1} << j);
  }
  return sum;
}

inline mpz_class hafnian_of(const Arrays& arrays, std::uint64_t used = 0) {
  std::uint64_t first = 0;
  while (first < arrays.size && (used >> first & 1U) != 0) ++first;
  if (first == arrays.size) return 1;
  mpz_class sum = 0;
  for (std::uint64_t j = first + 1; j < arrays.size; ++j) {
    if ((used >> j & 1U) == 0 && arrays.at(first, j) != 0)
      sum += mpz_class(static_cast<long>(arrays.at(first, j))) *
             hafnian_of(arrays, used | std::uint64_t{1} << first | std::uint64_t{1} << j);
  }
  return sum;
}

}  // namespace countpm::testing
