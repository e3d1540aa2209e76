#include "kernels/estimate/samples/sample_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "graph/errors.hpp"
#include "kernels/arithmetic/bound.hpp"

namespace countpm {
namespace {

constexpr double most_ratio_bits = 300;

Scaled scaled(const mpz_class& value) {
  std::int64_t bits = 0;
  const double mantissa = mpz_get_d_2exp(&bits, value.get_mpz_t());
  return {mantissa, bits};
}

// The row's weights over a power of two, which is returned.
std::int64_t scale_row(const std::vector<Scaled>& row, std::vector<double>& weight, double& ratio_bits) {
  std::int64_t highest = 0;
  double least = 0;
  double most = 0;
  for (std::size_t k = 0; k < row.size(); ++k) {
    const double log2 = row[k].log2();
    least = k == 0 ? log2 : std::min(least, log2);
    most = k == 0 ? log2 : std::max(most, log2);
    const std::int64_t exponent = std::ilogb(row[k].mantissa) + 1 + row[k].exponent;
    highest = k == 0 ? exponent : std::max(highest, exponent);
  }
  ratio_bits = std::max(ratio_bits, most - least);
  if (ratio_bits > most_ratio_bits) {
    throw UnableError(
        "a row has weights that differ by a factor beyond 2^300, too far apart for an estimate in doubles",
        "'countpm INPUT --weights' counts exactly");
  }
  for (const Scaled& entry : row)
    weight.push_back(std::ldexp(entry.mantissa, static_cast<int>(entry.exponent - highest)));
  return highest;
}

template <class Value>
SampleMatrix make(const Block<Value>& compact) {
  const Block<Value> block = expanded(compact);
  SampleMatrix result;
  const SparsePattern& pattern = block.matrix;
  result.rows = pattern;
  result.columns = transpose(result.rows);
  const bool ones = std::all_of(block.matrix.value.begin(), block.matrix.value.end(), [](const Value& value) {
    const Scaled one = scaled_weight(value);
    return std::ldexp(one.mantissa, static_cast<int>(std::clamp<std::int64_t>(one.exponent, -100, 100))) == 1;
  });
  if (ones) return result;
  std::vector<Scaled> row;
  for (Index i = 0; i < block.matrix.rows; ++i) {
    row.clear();
    for (std::uint64_t k = block.matrix.row_start[i]; k < block.matrix.row_start[i + std::uint64_t{1}]; ++k)
      row.push_back(scaled_weight(block.matrix.value[k]));
    result.exponent += scale_row(row, result.weight, result.ratio_bits);
  }
  return result;
}

}  // namespace

Scaled scaled_weight(std::int64_t value) {
  return {static_cast<double>(value), 0};
}
Scaled scaled_weight(const mpq_class& value) {
  const Scaled top = scaled(value.get_num());
  const Scaled bottom = scaled(value.get_den());
  return {top.mantissa / bottom.mantissa, top.exponent - bottom.exponent};
}
Scaled scaled_weight(const ComplexRational& value) {
  return scaled_weight(value.re);
}

SampleMatrix make_sample_matrix(const AnyBlock& any_block) {
  if (is_general(any_block)) {
    throw UnableError("estimates are for bipartite graphs and for cycle covers; this graph has odd cycles",
                      "'countpm INPUT' counts it exactly where it can");
  }
  if (has_negative(any_block)) {
    throw UnableError("estimates need weights that are real and not negative",
                      "'countpm INPUT --weights' counts with others where it can");
  }
  return std::visit([](const auto& block) { return make(block); }, any_block);
}

std::vector<std::uint64_t> entries_by_column(const SampleMatrix& matrix) {
  std::vector<std::uint64_t> entry(matrix.rows.entries());
  std::vector<std::uint64_t> next(matrix.columns.row_start.begin(), matrix.columns.row_start.end() - 1);
  for (std::uint64_t k = 0; k < entry.size(); ++k) entry[next[matrix.rows.column[k]]++] = k;
  return entry;
}

}  // namespace countpm
