#include "kernels/arithmetic/ring_values.hpp"

#include <algorithm>

#include "kernels/arithmetic/up_float.hpp"

namespace countpm {

namespace {

UpFloat magnitude(std::int64_t value) {
  return UpFloat::of(mpz_class(value));
}
UpFloat magnitude(const mpq_class& value) {
  return UpFloat::of(value);
}
UpFloat magnitude(const ComplexRational& value) {
  return UpFloat::of(value.re) + UpFloat::of(value.im);
}  // |re| + |im| >= |z|

/// The least e with value <= 2^e; value > 0.
std::int64_t exponent_of(const UpFloat& value) {
  return value.mantissa == 0.5 ? value.exponent - 1 : value.exponent;
}

constexpr int balancing_sweeps = 8;

/// Half a step towards 1 a sweep, since a vertex's exponent counts at both ends of its edges; then one sweep
/// upwards: dividing a vertex's edges further makes the sums of its neighbours smaller only, so that every
/// sum stays at most 1 once it is.
template <class Value>
std::vector<std::int64_t> vertex_exponents(const SparseMatrix<Value>& matrix) {
  std::vector<std::int64_t> exponents(matrix.rows, 0);
  std::vector<UpFloat> size;
  size.reserve(matrix.value.size());
  for (const Value& value : matrix.value) size.push_back(magnitude(value));
  const auto excess = [&](Index v) {
    UpFloat sum;
    for (std::uint64_t k = matrix.row_start[v]; k < matrix.row_start[v + std::uint64_t{1}]; ++k) {
      UpFloat one = size[k];
      one.exponent -= exponents[v];
      if (matrix.column[k] != v) one.exponent -= exponents[matrix.column[k]];  // a loop counts once
      sum = sum + one;
    }
    return sum.mantissa == 0 ? 0 : exponent_of(sum);
  };
  for (int sweep = 0; sweep < balancing_sweeps; ++sweep) {
    for (Index v = 0; v < matrix.rows; ++v) exponents[v] += excess(v) / 2;
  }
  for (Index v = 0; v < matrix.rows; ++v) exponents[v] += std::max<std::int64_t>(excess(v), 0);
  return exponents;
}

}  // namespace

std::vector<std::int64_t> row_exponents(const AnyBlock& any_block) {
  return std::visit(
      [](const auto& block) {
        if (block.tiles != 0) return std::vector<std::int64_t>(block.matrix.rows, 0);
        if (block.general) return vertex_exponents(block.matrix);
        std::vector<std::int64_t> exponents;
        exponents.reserve(block.matrix.rows);
        for (Index i = 0; i < block.matrix.rows; ++i) {
          UpFloat sum;
          for (std::uint64_t k = block.matrix.row_start[i]; k < block.matrix.row_start[i + std::uint64_t{1}];
               ++k) {
            sum = sum + magnitude(block.matrix.value[k]) *
                            UpFloat::of(mpz_class(block.multiplicity_of(block.matrix.column[k])));
          }
          exponents.push_back(exponent_of(sum));
        }
        return exponents;
      },
      any_block);
}

mpq_class divided_by_power_of_two(const mpq_class& value, std::int64_t exponent) {
  mpq_class result;
  if (exponent >= 0) {
    mpq_div_2exp(result.get_mpq_t(), value.get_mpq_t(), static_cast<mp_bitcnt_t>(exponent));
  } else {
    mpq_mul_2exp(result.get_mpq_t(), value.get_mpq_t(), static_cast<mp_bitcnt_t>(-exponent));
  }
  return result;
}

}  // namespace countpm
