#include "kernels/subsets/integer_columns.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>

#include "graph/stop_signal.hpp"

namespace countpm {
namespace {

// 2^61: see IntegerColumns.
constexpr std::int64_t largest_narrow_sum = std::int64_t{1} << 61;

/// The layout (start, row, multiplicity) and, beside each entry of the columns, which entry of the rows it
/// is.
template <class Int, class Value>
std::vector<std::uint64_t> lay_out(const Block<Value>& block, IntegerColumns<Int>& columns) {
  const auto& matrix = block.matrix;
  columns.rows = matrix.rows;
  columns.multiplicity.resize(matrix.columns);
  for (Index j = 0; j < matrix.columns; ++j) columns.multiplicity[j] = block.multiplicity_of(j);
  columns.start.assign(matrix.columns + std::uint64_t{1}, 0);
  for (const Index j : matrix.column) ++columns.start[j + std::uint64_t{1}];
  for (Index j = 0; j < matrix.columns; ++j) columns.start[j + std::uint64_t{1}] += columns.start[j];
  std::vector<std::uint64_t> next(columns.start.begin(), columns.start.end() - 1);
  std::vector<std::uint64_t> origin(matrix.column.size());
  columns.row.resize(matrix.column.size());
  for (Index i = 0; i < matrix.rows; ++i) {
    for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::uint64_t{1}]; ++k) {
      const std::uint64_t at = next[matrix.column[k]]++;
      columns.row[at] = i;
      origin[at] = k;
    }
  }
  return origin;
}

/// Empty where a row is too heavy for int64.
std::optional<IntegerColumns<std::int64_t>> narrow(const Block<std::int64_t>& block) {
  const auto& matrix = block.matrix;
  IntegerColumns<std::int64_t> columns;
  columns.row_sum.assign(matrix.rows, 0);
  columns.row_bound.assign(matrix.rows, 0);
  for (Index i = 0; i < matrix.rows; ++i) {
    for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::uint64_t{1}]; ++k) {
      const std::int64_t copies = block.multiplicity_of(matrix.column[k]);
      const std::int64_t value = matrix.value[k];
      if (!add_magnitude(columns.row_bound[i], value, block.multiplicity_of(matrix.column[k])))
        return std::nullopt;
      columns.row_sum[i] += value * copies;
    }
  }
  const std::vector<std::uint64_t> origin = lay_out(block, columns);
  columns.value.resize(origin.size());
  for (std::size_t at = 0; at < origin.size(); ++at) columns.value[at] = matrix.value[origin[at]];
  return columns;
}

mpz_class to_integer(std::int64_t value) {
  mpz_class result;
  mpz_set_si(result.get_mpz_t(), static_cast<std::int64_t>(value));
  return result;
}

/// Every row times the common denominator of its entries.
template <class Value>
IntegerColumns<mpz_class> wide(const Block<Value>& block) {
  const auto& matrix = block.matrix;
  IntegerColumns<mpz_class> columns;
  columns.row_sum.assign(matrix.rows, 0);
  columns.row_bound.assign(matrix.rows, 0);
  std::vector<mpz_class> scaled(matrix.value.size());
  for (Index i = 0; i < matrix.rows; ++i) {
    check_stop();
    mpz_class common = 1;
    if constexpr (std::is_same_v<Value, mpq_class>) {
      for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::uint64_t{1}]; ++k) {
        mpz_lcm(common.get_mpz_t(), common.get_mpz_t(), matrix.value[k].get_den_mpz_t());
      }
    }
    columns.scale *= common;
    for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::uint64_t{1}]; ++k) {
      if constexpr (std::is_same_v<Value, mpq_class>) {
        scaled[k] = matrix.value[k].get_num() * (common / matrix.value[k].get_den());
      } else {
        scaled[k] = to_integer(matrix.value[k]);
      }
      const mpz_class all_copies = scaled[k] * block.multiplicity_of(matrix.column[k]);
      columns.row_sum[i] += all_copies;
      columns.row_bound[i] += abs(all_copies);
    }
  }
  const std::vector<std::uint64_t> origin = lay_out(block, columns);
  columns.value.resize(origin.size());
  for (std::size_t at = 0; at < origin.size(); ++at) columns.value[at] = std::move(scaled[origin[at]]);
  return columns;
}

AnyIntegerColumns narrowest(IntegerColumns<mpz_class> columns) {
  const mpz_class limit = to_integer(largest_narrow_sum);
  for (const mpz_class& bound : columns.row_bound) {
    if (bound > limit) return columns;
  }
  const auto narrowed = [](const std::vector<mpz_class>& values) {
    std::vector<std::int64_t> result;
    result.reserve(values.size());
    for (const mpz_class& value : values) result.push_back(value.get_si());
    return result;
  };
  IntegerColumns<std::int64_t> result;
  result.rows = columns.rows;
  result.value = narrowed(columns.value);
  result.row_sum = narrowed(columns.row_sum);
  result.row_bound = narrowed(columns.row_bound);
  result.start = std::move(columns.start);
  result.row = std::move(columns.row);
  result.multiplicity = std::move(columns.multiplicity);
  result.scale = std::move(columns.scale);
  return result;
}

}  // namespace

AnyIntegerColumns integer_columns(const AnyBlock& block) {
  if (const auto* integers = std::get_if<Block<std::int64_t>>(&block)) {
    if (auto columns = narrow(*integers)) return std::move(*columns);
    return wide(*integers);
  }
  if (const auto* rationals = std::get_if<Block<mpq_class>>(&block)) return narrowest(wide(*rationals));
  throw std::logic_error("integer_columns: complex block");
}

bool add_magnitude(std::int64_t& bound, std::int64_t value, Index copies) {
  if (value > largest_narrow_sum || value < -largest_narrow_sum) return false;
  const std::int64_t size = value < 0 ? -value : value;
  // size * copies + bound <= 2^61, tested without multiplying
  if (size > (largest_narrow_sum - bound) / copies) return false;
  bound += size * copies;
  return true;
}
bool add_magnitude(mpz_class& bound, const mpz_class& value, Index copies) {
  bound += abs(value) * copies;
  return true;
}

template <class Int>
IntegerColumns<Int> written_out(IntegerColumns<Int> columns, const std::vector<bool>& classes) {
  IntegerColumns<Int> result;
  result.rows = columns.rows;
  result.row_sum = std::move(columns.row_sum);
  result.row_bound = std::move(columns.row_bound);
  result.scale = std::move(columns.scale);
  for (Index j = 0; j < columns.columns(); ++j) {
    const Index times = classes[j] ? columns.multiplicity[j] : 1;
    for (Index copy = 0; copy < times; ++copy) {
      for (std::uint64_t k = columns.start[j]; k < columns.start[j + std::uint64_t{1}]; ++k) {
        result.row.push_back(columns.row[k]);
        result.value.push_back(columns.value[k]);
      }
      result.start.push_back(result.row.size());
      result.multiplicity.push_back(classes[j] ? 1 : columns.multiplicity[j]);
    }
  }
  return result;
}

template <class Int>
IntegerColumns<Int> with_few_choices(IntegerColumns<Int> columns, std::uint64_t choices) {
  std::vector<Index> classes;
  for (Index j = 0; j < columns.columns(); ++j) {
    if (columns.multiplicity[j] > 1) classes.push_back(j);
  }
  std::stable_sort(classes.begin(), classes.end(),
                   [&](Index a, Index b) { return columns.multiplicity[a] < columns.multiplicity[b]; });
  std::uint64_t product = 1;
  std::vector<bool> large(columns.columns());
  bool any = false;
  for (const Index j : classes) {
    const std::uint64_t own = std::uint64_t{columns.multiplicity[j]} + 1;
    if (product > choices / own) {
      large[j] = any = true;
    } else {
      product *= own;
    }
  }
  if (!any) return columns;
  return written_out(std::move(columns), large);
}

template IntegerColumns<std::int64_t> written_out(IntegerColumns<std::int64_t>, const std::vector<bool>&);
template IntegerColumns<mpz_class> written_out(IntegerColumns<mpz_class>, const std::vector<bool>&);
template IntegerColumns<std::int64_t> with_few_choices(IntegerColumns<std::int64_t>, std::uint64_t);
template IntegerColumns<mpz_class> with_few_choices(IntegerColumns<mpz_class>, std::uint64_t);

}  // namespace countpm
