// Everything here is rounded upwards: magnitudes as UpFloat, logarithms by MPFR towards +infinity, sums of
// logarithms by nextafter.
#include "kernels/arithmetic/bound.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

#include "graph/kinds/assignment.hpp"
#include "graph/kinds/cover_bound.hpp"
#include "graph/stop_signal.hpp"
#include "kernels/arithmetic/big_float.hpp"
#include "kernels/arithmetic/hafnian_bound.hpp"
#include "kernels/arithmetic/up_float.hpp"

namespace countpm {

namespace {

/// log2 of a mantissa, rounded up. A thread keeps some: row sums of small matrices are few, and a plan and
/// its checks ask for the same ones.
double log2_of_mantissa(double mantissa) {
  struct Known {
    double mantissa = 0;
    double log2 = 0;
  };
  constexpr unsigned log2_places = 6;
  thread_local std::array<Known, std::size_t{1} << log2_places> known;
  // By the golden ratio (D. E. Knuth, The Art of Computer Programming 3, 6.4).
  const std::uint64_t mixed = std::bit_cast<std::uint64_t>(mantissa) * 0x9e3779b97f4a7c15U;
  Known& at = known[static_cast<std::size_t>(mixed >> (64U - log2_places))];
  if (at.mantissa != mantissa) {
    BigFloat value(mantissa, 64);
    mpfr_log2(value.get(), value.get(), MPFR_RNDU);
    at = {mantissa, value.to_double(MPFR_RNDU)};
  }
  return at.log2;
}

}  // namespace

double log2_up(const UpFloat& value) {
  if (value.mantissa == 0) return 0;
  if (value.mantissa == 0.5) return static_cast<double>(value.exponent - 1);
  return UpFloat::up(log2_of_mantissa(value.mantissa) + static_cast<double>(value.exponent));
}

namespace {

/// a + b rounded up: half a unit in the last place is lost at most.
double add_up(double a, double b) {
  return b == 0 ? a : UpFloat::up(a + b);
}

/// log2(d!) / d rounded up.
double factorial_root(std::uint64_t d) {
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
  return value.to_double(MPFR_RNDU);
}

/// The same, each computed once; those of small degrees once a thread.
class FactorialRoot {
 public:
  double operator()(std::uint64_t d) {
    if (d <= 1) return 0;
    constexpr std::size_t small_degrees = 64;
    thread_local std::array<double, small_degrees> small{};  // 0: not known yet
    double& known = d < small_degrees ? small[d] : known_.try_emplace(d, 0.0).first->second;
    if (known == 0) known = factorial_root(d);
    return known;
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
          (copies == 1 ? magnitude : magnitude * UpFloat::of(mpz_class(static_cast<std::uint64_t>(copies))));
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
/// The value's denominator divides the scale.
UpFloat scaled(const mpq_class& value, const mpz_class& scale) {
  if (value.get_den() == scale) return UpFloat::of(value.get_num());
  mpz_class whole;
  mpz_divexact(whole.get_mpz_t(), scale.get_mpz_t(), value.get_den_mpz_t());
  whole *= value.get_num();
  return UpFloat::of(whole);
}
UpFloat scaled(const ComplexRational& value, const mpz_class& scale) {
  if (value.im == 0) return scaled(value.re, scale);
  if (value.re == 0) return scaled(value.im, scale);
  const UpFloat re = scaled(value.re, scale);
  const UpFloat im = scaled(value.im, scale);
  return UpFloat::root(re * re + im * im);
}

/// Powers of two by which rows and columns are divided before their sizes are bounded, and how many in all.
struct LineScales {
  std::vector<std::int64_t> row;
  std::vector<std::int64_t> column;
  double sum = 0;
};

/// A matrix whose magnitudes lie far apart: with 2^r(i) and 2^c(j) of an assignment problem's potentials no
/// entry is above 2^(r + c), and along one permutation all are near it. The permanent is that of the scaled
/// matrix times all 2^r and 2^c, whatever they are. Empty where no permutation has entries alone.
LineScales scales_of(const SparsePattern& pattern, const std::vector<UpFloat>& magnitude) {
  LineScales scales;
  std::vector<mpz_class> cost;
  cost.reserve(magnitude.size());
  for (const UpFloat& one : magnitude) cost.emplace_back(static_cast<std::int64_t>(-one.exponent));
  const std::optional<LeastAssignment> best = least_assignment(pattern, cost);
  if (!best) return scales;
  mpz_class sum;
  for (const mpz_class& one : best->row) {
    scales.row.push_back(mpz_class(-one).get_si());
    sum -= one;
  }
  for (const mpz_class& one : best->column) {
    scales.column.push_back(mpz_class(-one).get_si());
    sum -= one;
  }
  scales.sum = UpFloat::up(sum.get_d());
  return scales;
}

bool are_far_apart(const std::vector<UpFloat>& magnitude) {
  constexpr std::int64_t far = 64;
  if (magnitude.empty()) return false;
  const auto [least, most] =
      std::minmax_element(magnitude.begin(), magnitude.end(),
                          [](const UpFloat& a, const UpFloat& b) { return a.exponent < b.exponent; });
  return most->exponent - least->exponent > far;
}

template <class Value>
double bound_of(const Block<Value>& block) {
  const SparseMatrix<Value>& matrix = block.matrix;
  std::vector<UpFloat> magnitude;
  magnitude.reserve(matrix.entries());
  for (Index i = 0; i < matrix.rows; ++i) {
    check_stop();
    const mpz_class scale = row_denominator(matrix, i);
    for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::uint64_t{1}]; ++k)
      magnitude.push_back(scaled(matrix.value[k], scale));
  }
  const bool far_apart = are_far_apart(magnitude);
  if (far_apart && !block.multiplicity.empty()) return bound_of(expanded(block));
  const LineScales scales = far_apart ? scales_of(matrix, magnitude) : LineScales();
  FactorialRoot root;
  std::vector<Line> columns(matrix.columns);
  LineBounds by_rows;
  for (Index i = 0; i < matrix.rows; ++i) {
    Line row;
    for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::uint64_t{1}]; ++k) {
      const Index j = matrix.column[k];
      UpFloat size = magnitude[k];
      if (!scales.row.empty()) size.exponent -= scales.row[i] + scales.column[j];
      row.add(size, block.multiplicity_of(j));
      columns[j].add(size, 1);
    }
    if (row.degree == 0) return 0;  // the permanent is 0
    by_rows.add(row, 1, root);
  }
  LineBounds by_columns;
  for (Index j = 0; j < matrix.columns; ++j) {
    if (columns[j].degree == 0) return 0;
    by_columns.add(columns[j], block.multiplicity_of(j), root);
  }
  const double least = add_up(
      std::min({by_rows.bregman, by_rows.product, by_columns.bregman, by_columns.product}), scales.sum);
  return std::max(least, 0.0);  // an integer other than 0 is at least 1
}

/// A loop of a block with monomers counts by its square (hafnian_bound.hpp).
UpFloat squared(const UpFloat& value) {
  return value * value;
}

template <class Value>
double monomer_bound_of(const Block<Value>& block) {
  const SparseMatrix<Value>& matrix = block.matrix;
  double product = 0;
  for (Index v = 0; v < matrix.rows; ++v) {
    check_stop();
    const mpz_class scale = row_denominator(matrix, v);
    UpFloat sum;
    for (std::uint64_t k = matrix.row_start[v]; k < matrix.row_start[v + std::uint64_t{1}]; ++k) {
      const UpFloat one = scaled(matrix.value[k], scale);
      sum = sum + (matrix.column[k] == v ? squared(one) : one * UpFloat::of(scale));
    }
    product = add_up(product, log2_up(sum) / 2);
  }
  return std::max(product, 0.0);
}

/// Of the rows but the last ones, which are tiles.
template <class Matrix>
mpz_class product_of_denominators(const Matrix& matrix, Index tiles) {
  mpz_class result = 1;
  for (Index row = 0; row < matrix.rows - tiles; ++row) {
    check_stop();
    const mpz_class one = row_denominator(matrix, row);
    if (one != 1) result *= one;
  }
  return result;
}

/// log2 of |value| times the factor, rounded up.
template <class Value>
double log2_scaled(const Value& value, const mpz_class& factor) {
  return log2_up(scaled(value, factor));
}

/// Of exact covers (graph/kinds/cover_bound.hpp), times product_of_denominators().
template <class Value>
double cover_bound_of(const Block<Value>& block) {
  const SparseMatrix<Value>& matrix = block.matrix;
  const Index vertices = matrix.rows - block.tiles;
  std::vector<mpz_class> scale;
  for (Index v = 0; v < vertices; ++v) scale.push_back(row_denominator(matrix, v));
  std::vector<CoverPiece> pieces;
  for (Index v = 0; v < vertices; ++v) {
    check_stop();
    for (std::uint64_t k = matrix.row_start[v]; k < matrix.row_start[v + std::uint64_t{1}]; ++k) {
      const Index u = matrix.column[k];
      if (u < v || u >= vertices) continue;
      mpz_class factor = scale[v];
      if (u != v) factor *= scale[u];
      pieces.push_back({v, u == v ? 1U : 2U, log2_scaled(matrix.value[k], factor)});
    }
  }
  for (Index tile = vertices; tile < matrix.rows; ++tile) {
    check_stop();
    const std::uint64_t first = matrix.row_start[tile];
    mpz_class factor = 1;
    for (std::uint64_t k = first; k < matrix.row_start[tile + std::uint64_t{1}]; ++k)
      factor *= scale[matrix.column[k]];
    pieces.push_back(
        {matrix.column[first], matrix.row_degree(tile), log2_scaled(matrix.value[first], factor)});
  }
  return log2_cover_bound(vertices, pieces);
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
        if (block.tiles != 0) return cover_bound_of(block);
        if (block.monomers) return monomer_bound_of(block);
        return block.general ? hafnian_bound(bound_of(block), row_denominators(block.matrix))
                             : bound_of(block);
      },
      any_block);
}

mpz_class denominator(const AnyBlock& any_block) {
  return std::visit(
      [](const auto& block) {
        if (block.general && !block.monomers) return hafnian_denominator(row_denominators(block.matrix));
        return product_of_denominators(block.matrix, block.tiles);
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
