// Everything here is rounded upwards: magnitudes as UpFloat, logarithms by MPFR towards +infinity, sums of
// logarithms by nextafter.
#include "kernels/arithmetic/bound.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "graph/stop_signal.hpp"
#include "kernels/arithmetic/big_float.hpp"
#include "kernels/arithmetic/hafnian_bound.hpp"
#include "kernels/arithmetic/up_float.hpp"

namespace countpm {

double log2_up(const UpFloat& value) {
  if (value.mantissa == 0) return 0;
  if (value.mantissa == 0.5) return static_cast<double>(value.exponent - 1);
  BigFloat mantissa(value.mantissa, 64);
  mpfr_log2(mantissa.get(), mantissa.get(), MPFR_RNDU);
  return UpFloat::up(mantissa.to_double(MPFR_RNDU) + static_cast<double>(value.exponent));
}

namespace {

/// a + b rounded up: half a unit in the last place is lost at most.
double add_up(double a, double b) {
  return b == 0 ? a : UpFloat::up(a + b);
}

/// d -> log2(d!) / d rounded up, each computed once.
class FactorialRoot {
 public:
  double operator()(std::uint64_t d) {
    if (d <= 1) return 0;
    const auto [at, fresh] = known_.try_emplace(d, 0.0);
    if (fresh) {
      BigFloat value(mpfr_prec_t{96});
      mpfr_set_ui(value.get(), d, MPFR_RNDU);
      mpfr_add_ui(value.get(), value.get(), 1, MPFR_RNDU);
      mpfr_lngamma(value.get(), value.get(), MPFR_RNDU);
      BigFloat log_two(mpfr_prec_t{96});
      mpfr_const_log2(log_two.get(), MPFR_RNDD);
      mpfr_div(value.get(), value.get(), log_two.get(), MPFR_RNDU);
      BigFloat degree(mpfr_prec_t{96});
      mpfr_set_ui(degree.get(), d, MPFR_RNDD);
      mpfr_div(value.get(), value.get(), degree.get(), MPFR_RNDU);
      at->second = value.to_double(MPFR_RNDU);
    }
    return at->second;
  }

 private:
  std::unordered_map<std::uint64_t, double> known_;
};

/// What Bregman-Minc and the product of sums need to know of a row or a column.
struct Line {
  std::uint64_t degree = 0;
  UpFloat largest;
  UpFloat sum;

  void add(const UpFloat& magnitude, std::uint64_t copies) {
    degree += copies;
    if (largest < magnitude) largest = magnitude;
    sum = sum +
          (copies == 1 ? magnitude : magnitude * UpFloat::of(mpz_class(static_cast<unsigned long>(copies))));
  }
};

struct LineBounds {
  double bregman = 0;
  double product = 0;

  void add(const Line& line, std::uint64_t copies, FactorialRoot& root) {
    const auto times = static_cast<double>(copies);
    const double one = add_up(log2_up(line.largest), root(line.degree));
    bregman = add_up(bregman, copies == 1 ? one : UpFloat::up(times * one));
    const double sum = log2_up(line.sum);
    product = add_up(product, copies == 1 ? sum : UpFloat::up(times * sum));
  }
};

mpz_class denominator_of(std::int64_t) {
  return 1;
}
mpz_class denominator_of(const mpq_class& value) {
  return value.get_den();
}
mpz_class denominator_of(const ComplexRational& value) {
  return lcm(value.re.get_den(), value.im.get_den());
}

template <class Matrix>
mpz_class row_denominator(const Matrix& matrix, Index row) {
  mpz_class result = 1;
  for (std::uint64_t k = matrix.row_start[row]; k < matrix.row_start[row + std::uint64_t{1}]; ++k) {
    const mpz_class one = denominator_of(matrix.value[k]);
    if (one != 1) result = lcm(result, one);
  }
  return result;
}

/// Those of all rows that are not 1.
template <class Matrix>
std::vector<mpz_class> row_denominators(const Matrix& matrix) {
  std::vector<mpz_class> result;
  for (Index i = 0; i < matrix.rows; ++i) {
    check_stop();
    mpz_class one = row_denominator(matrix, i);
    if (one != 1) result.push_back(std::move(one));
  }
  return result;
}

UpFloat scaled(std::int64_t value, const mpz_class&) {
  if (value == 1 || value == -1) return {0.5, 1};
  return UpFloat::of(mpz_class(value));
}
UpFloat scaled(const mpq_class& value, const mpz_class& scale) {
  return UpFloat::of(mpq_class(value * scale));
}
UpFloat scaled(const ComplexRational& value, const mpz_class& scale) {
  if (value.im == 0) return scaled(value.re, scale);
  if (value.re == 0) return scaled(value.im, scale);
  // sqrt of the exact sum of squares, rounded up.
  const mpz_class square{mpq_class((value.re * value.re + value.im * value.im) * scale * scale)};
  mpz_class root = sqrt(square);
  if (root * root != square) root += 1;
  return UpFloat::of(root);
}

template <class Value>
double bound_of(const Block<Value>& block) {
  const SparseMatrix<Value>& matrix = block.matrix;
  FactorialRoot root;
  std::vector<Line> columns(matrix.columns);
  LineBounds by_rows;
  for (Index i = 0; i < matrix.rows; ++i) {
    check_stop();
    const mpz_class scale = row_denominator(matrix, i);
    Line row;
    for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::uint64_t{1}]; ++k) {
      const Index j = matrix.column[k];
      const UpFloat magnitude = scaled(matrix.value[k], scale);
      row.add(magnitude, block.multiplicity_of(j));
      columns[j].add(magnitude, 1);
    }
    if (row.degree == 0) return 0;  // the permanent is 0
    by_rows.add(row, 1, root);
  }
  LineBounds by_columns;
  for (Index j = 0; j < matrix.columns; ++j) {
    if (columns[j].degree == 0) return 0;
    by_columns.add(columns[j], block.multiplicity_of(j), root);
  }
  const double least = std::min({by_rows.bregman, by_rows.product, by_columns.bregman, by_columns.product});
  return std::max(least, 0.0);  // an integer other than 0 is at least 1
}

bool negative(std::int64_t value) {
  return value < 0;
}
bool negative(const mpq_class& value) {
  return value < 0;
}
bool negative(const ComplexRational& value) {
  return value.re < 0 || value.im != 0;
}

}  // namespace

double log2_upper_bound(const AnyBlock& any_block) {
  return std::visit(
      [](const auto& block) {
        return block.general ? hafnian_bound(bound_of(block), row_denominators(block.matrix))
                             : bound_of(block);
      },
      any_block);
}

mpz_class denominator(const AnyBlock& any_block) {
  return std::visit(
      [](const auto& block) {
        const std::vector<mpz_class> rows = row_denominators(block.matrix);
        if (block.general) return hafnian_denominator(rows);
        mpz_class result = 1;
        for (const mpz_class& row : rows) {
          check_stop();
          result *= row;
        }
        return result;
      },
      any_block);
}

bool has_negative(const AnyBlock& any_block) {
  return std::visit(
      [](const auto& block) {
        return std::any_of(block.matrix.value.begin(), block.matrix.value.end(),
                           [](const auto& value) { return negative(value); });
      },
      any_block);
}

}  // namespace countpm
