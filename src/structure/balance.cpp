#include "src/structure/balance.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/log2_sum.hpp"

namespace countpm {
namespace {

constexpr int most_sweeps = 64;

mpq_class as_exact(std::int64_t value) {
  return mpq_class{static_cast<std::int64_t>(value)};
}
const mpq_class& as_exact(const mpq_class& value) {
  return value;
}
const ComplexRational& as_exact(const ComplexRational& value) {
  return value;
}

// log2 |value|, near enough: any scaling by powers of two is exact, a good one is all that is needed.
double log2_size(const mpq_class& value) {
  if (value == 0) return -std::numeric_limits<double>::infinity();
  std::int64_t above = 0;
  std::int64_t below = 0;
  const double numerator = mpz_get_d_2exp(&above, value.get_num_mpz_t());
  const double denominator = mpz_get_d_2exp(&below, value.get_den_mpz_t());
  return std::log2(std::abs(numerator) / denominator) + static_cast<double>(above - below);
}
double log2_size(const ComplexRational& value) {
  return std::max(log2_size(value.re), log2_size(value.im));
}

// value * 2^exponent.
mpq_class shifted(const mpq_class& value, std::int64_t exponent) {
  mpq_class result;
  if (exponent >= 0) {
    mpq_mul_2exp(result.get_mpq_t(), value.get_mpq_t(), static_cast<mp_bitcnt_t>(exponent));
  } else {
    mpq_div_2exp(result.get_mpq_t(), value.get_mpq_t(), static_cast<mp_bitcnt_t>(-exponent));
  }
  return result;
}
ComplexRational shifted(const ComplexRational& value, std::int64_t exponent) {
  return {shifted(value.re, exponent), shifted(value.im, exponent)};
}

// The exponents by which rows and columns are divided.
struct Exponents {
  std::vector<std::int64_t> row;
  std::vector<std::int64_t> column;
};

// The same for a general block: a vertex's exponent counts for its row and its column, so that half a step is
// taken at a time.
template <class Value>
Exponents symmetric_exponents(const SparseMatrix<Value>& matrix) {
  std::vector<std::int64_t> exponent(matrix.rows, 0);
  std::vector<double> size;
  size.reserve(matrix.value.size());
  for (const Value& value : matrix.value) size.push_back(log2_size(as_exact(value)));
  bool changed = true;
  StopPoll poll;
  for (int sweep = 0; sweep < most_sweeps && changed; ++sweep) {
    changed = false;
    for (Index v = 0; v < matrix.rows; ++v) {
      poll.steps(matrix.row_degree(v));
      double sum = -std::numeric_limits<double>::infinity();
      for (std::uint64_t k = matrix.row_start[v]; k < matrix.row_start[v + std::uint64_t{1}]; ++k)
        sum = log2_sum(
            sum, size[k] - static_cast<double>(exponent[v] +
                                               (matrix.column[k] == v ? 0 : exponent[matrix.column[k]])));
      if (std::isinf(sum)) continue;
      const std::int64_t step = static_cast<std::int64_t>(sum / 2);
      exponent[v] += step;
      changed = changed || step != 0;
    }
  }
  return {exponent, exponent};
}

template <class Value>
Exponents balanced_exponents(const Block<Value>& block) {
  if (block.general) return symmetric_exponents(block.matrix);
  const SparseMatrix<Value>& matrix = block.matrix;
  Exponents exponents{std::vector<std::int64_t>(matrix.rows, 0),
                      std::vector<std::int64_t>(matrix.columns, 0)};
  std::vector<double> size;
  size.reserve(matrix.value.size());
  for (const Value& value : matrix.value) size.push_back(log2_size(as_exact(value)));
  const double nothing = -std::numeric_limits<double>::infinity();
  bool changed = true;
  StopPoll poll;
  for (int sweep = 0; sweep < most_sweeps && changed; ++sweep) {
    changed = false;
    for (const bool rows : {true, false}) {
      std::vector<double> sum(rows ? matrix.rows : matrix.columns, nothing);
      for (Index i = 0; i < matrix.rows; ++i) {
        poll.steps(matrix.row_degree(i));
        for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::uint64_t{1}]; ++k) {
          const Index j = matrix.column[k];
          double entry = size[k] - static_cast<double>(exponents.row[i] + exponents.column[j]);
          if (rows) entry += std::log2(static_cast<double>(block.multiplicity_of(j)));
          double& into = sum[rows ? i : j];
          into = log2_sum(into, entry);
        }
      }
      std::vector<std::int64_t>& line = rows ? exponents.row : exponents.column;
      for (std::size_t l = 0; l < line.size(); ++l) {
        if (std::isinf(sum[l])) continue;
        const std::int64_t step = std::llround(sum[l]);
        line[l] += step;
        changed = changed || step != 0;
      }
    }
  }
  return exponents;
}

template <class Value>
AnyBlock divided(const Block<Value>& block, const Exponents& exponents) {
  using Exact = std::conditional_t<std::is_same_v<Value, ComplexRational>, ComplexRational, mpq_class>;
  Block<Exact> result;
  static_cast<SparsePattern&>(result.matrix) = static_cast<const SparsePattern&>(block.matrix);
  result.multiplicity = block.multiplicity;
  result.general = block.general;
  result.monomers = block.monomers;
  result.matrix.value.reserve(block.matrix.value.size());
  for (Index i = 0; i < block.matrix.rows; ++i) {
    for (std::uint64_t k = block.matrix.row_start[i]; k < block.matrix.row_start[i + std::uint64_t{1}]; ++k) {
      const bool loop = block.general && block.matrix.column[k] == i;
      const std::int64_t exponent = exponents.row[i] + (loop ? 0 : exponents.column[block.matrix.column[k]]);
      result.matrix.value.push_back(shifted(as_exact(block.matrix.value[k]), -exponent));
    }
  }
  return result;
}

}  // namespace

void balance(ReducedBlock& block) {
  for (AnyBlock& reduced : block.reduced) {
    if (tiles_of(reduced) != 0) continue;  // a tile would be divided by what all its vertices are
    reduced = std::visit(
        [&](const auto& given) {
          const Exponents exponents = balanced_exponents(given);
          std::int64_t total = 0;
          for (const std::int64_t e : exponents.row) total += e;
          for (Index j = 0; j < given.matrix.columns && !given.general; ++j)
            total += exponents.column[j] * given.multiplicity_of(j);
          block.factor =
              std::visit([&](const auto& factor) -> Factor { return shifted(factor, total); }, block.factor);
          return divided(given, exponents);
        },
        reduced);
  }
}

}  // namespace countpm
