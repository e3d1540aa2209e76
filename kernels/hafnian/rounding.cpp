#include "kernels/hafnian/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/arithmetic/float_ring.hpp"

namespace countpm::pair_sets {

double roundings_of(const PairShape& shape) {
  // Of the coefficient of x^d: of matrix polynomials, of the product over the pairs taken.
  std::vector<double> matrix(shape.pairs + 1, 0);
  std::vector<double> product(shape.pairs + 1, 0);
  matrix[0] = 1;  // converted
  double most = 0;
  for (unsigned level = 0; level < shape.pairs; ++level) {
    const unsigned known = shape.reach(level) + 1;  // coefficients so far
    const auto joined = [&](const std::vector<double>& a, const std::vector<double>& b, unsigned degree) {
      double worst = 0;
      for (unsigned d = 0; d <= degree; ++d) {
        if (d < known && degree - d < known) worst = std::max(worst, a[d] + b[degree - d] + 1);
      }
      return worst;
    };
    std::vector<double> closing = matrix;
    if (shape.monomers != 0) {
      for (unsigned d = 0; d < known; ++d)
        closing[d] = std::max(matrix[d], joined(matrix, matrix, d)) + d + 1;
    }
    if (level + 1 == shape.pairs) {
      most = joined(product, closing, level) + shape.pairs + 2;  // and a weight
      break;
    }
    std::vector<double> next_matrix = matrix;
    std::vector<double> next_product = product;
    for (unsigned d = 1; d <= shape.reach(level + 1); ++d) {
      next_matrix[d] = std::max(matrix[d], joined(matrix, matrix, d - 1)) + 2 * d + 1;
      next_product[d] = std::max(product[d], joined(product, closing, d - 1)) + d + 1;
    }
    matrix = std::move(next_matrix);
    product = std::move(next_product);
  }
  return most;
}

namespace {

// e of complex doubles. Each part sees two roundings a product, of sums of at most |a| |b| each; sqrt(2)
// joins the parts.
double complex_rounding() {
  return 3 * unit_roundoff;
}

// e of pairs of doubles, whose sums of products lose more the longer they are. One after another, `high` is
// rounded by u of a partial sum, which `low` gets, with what the products lost: u and two times u for the low
// parts. So `low` is never more than (N + 5) u of the magnitudes, and its own additions, two a product, err
// by u of that; a product's parts by 13 u^2. In all N (N + 6) + 17 times u^2 over N products. N = 2 d in the
// coefficient of x^d of a matrix polynomial, where roundings_of() counts 2 d + 1: (4 d^2 + 12 d + 17) / (2 d
// + 1) <= 2 d + 9. In the others there are half as many of both, or fewer: (d^2 + 6 d + 17) / (d + 1) <= d +
// 11.
double real_pair_rounding(const PairShape& shape) {
  return (2.0 * shape.pairs + 14) * unit_roundoff * unit_roundoff;
}

// N is 4 d for each part, and sqrt(2) joins them: sqrt(2) (16 d^2 + 24 d + 17) / (2 d + 1) <= 12 d + 16.
double complex_pair_rounding(const PairShape& shape) {
  return (12.0 * shape.pairs + 18) * unit_roundoff * unit_roundoff;
}

}  // namespace

Errors lane_errors(lanes::Kind kind, const PairShape& shape, double sets) {
  switch (kind) {
    case lanes::Kind::real:
    case lanes::Kind::complex: {
      // `low` is at most `sets` u of the magnitudes, and errs by u of that each time.
      const double share = (sets + 2) * unit_roundoff;
      return {kind == lanes::Kind::real ? unit_roundoff : complex_rounding(), 2 * share * share};
    }
    case lanes::Kind::real_pair:
      return {real_pair_rounding(shape), 8 * sets * unit_roundoff * unit_roundoff};
    default:
      return {complex_pair_rounding(shape), 12 * sets * unit_roundoff * unit_roundoff};
  }
}

// Products lose below 2^-850 (their low parts may from there on), and so may entries, in at most 2^40 places
// of a unit: what they would be multiplied by stays below 2^200, since a vertex's magnitudes add up to at
// most 1, so that all ways from one that visit a given number of pairs do, and a product over the pairs is
// one of at most 4^pairs choices. None do where the smallest of all products is above that.
double lost_below(double smallest, const PairShape& shape) {
  constexpr double bits = 850;
  // pairs edges and as many loops, at the most
  return -std::log2(smallest) * 2 * shape.pairs < bits ? 0 : 0x1p-700;
}

void add_error(Ball& ball, const PairShape& shape, const Errors& errors, double magnitudes, double lost) {
  const double growth = std::expm1(roundings_of(shape) * std::log1p(errors.rounding));
  const double bound = ((growth + errors.summing * (1 + growth)) * magnitudes + lost) * (1 + 0x1p-20);
  const BigFloat error(bound);
  mpfr_add(ball.error.get(), ball.error.get(), error.get(), MPFR_RNDU);
}

}  // namespace countpm::pair_sets
