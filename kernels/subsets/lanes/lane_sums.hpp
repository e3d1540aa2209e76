#pragma once
// Inclusion-exclusion over doubles, real or complex, in SIMD lanes, with classes of equal lines on both
// sides.
//
//   sum over t of w(t) prod_i y_i(t)^p_i,   y_i(t) = 2 a_ip - r_i + 2 sum_j t_j a_ij,   r_i = sum_j m_j a_ij,
//
// t_j = 0 .. m_j, w(t) = (-1)^|t| prod_j C(m_j, t_j): subset_plan.hpp's halved form, equal rows taken
// together.
//
// Entries are rounded to whole multiples of one unit a row, so small that no sum of them has more than 53
// bits: then sums are exact, however long the walk is, and factor i is off by at most delta_i for what was
// rounded away (WholeRow::rounding).
//
// Factors are multiplied by twos, z = y y', |z| then off by at most d = r delta' + r' delta + delta delta', r
// and r' how large y and y' can be. Of N such z (or single factors) f(s) = prod (|z| + s d) is convex, so
// that the product errs by at most f'(1), the sum of d_i prod_(k != i) (|z_k| + d_k). By (a + b)^2 <= (1 +
// 1/(16 N)) a^2 + (1 + 16 N) b^2 and Cauchy-Schwarz that is at most sqrt(e^(1/16) D E), D the sum of d_i^2
// and E that of prod_(k != i) Q_k, Q = |z|^2 + 17 N max d^2. And q E + prod Q <= M = prod (Q + q) for every q
// > 0, since all terms of M are positive: with errors of a product's own multiplications, relative to at most
// sqrt(prod Q), it is off by at most sqrt(relative^2 + e^(1/16) D / q) sqrt(M), again by Cauchy-Schwarz. q =
// 1 / (2 N), rows having unit length, costs a factor of sqrt(e) against the best q of a term, and M two
// multiplications and a fused one a z.
//
// Minors and GPUs have every factor for itself: sqrt(e^(1/16) D E + relative^2 M) times at most sqrt(2).
#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/arithmetic/ball.hpp"
#include "kernels/subsets/lanes/factor_matrix.hpp"
#include "kernels/subsets/lanes/lane_products.hpp"
#include "kernels/subsets/subset_plan.hpp"
#include "kernels/support/instruction_sets.hpp"
#include "kernels/support/work_meter.hpp"

namespace countpm {

/// A sum as others go through its states, on GPUs: rows that stand once first.
struct ScaledFactors {
  bool complex = false;
  std::vector<unsigned> power;
  std::vector<double> start;                 // with nothing but the pinned copy in; parts beside each other
  std::vector<std::vector<double>> columns;  // what a copy of each adds
  std::int64_t exponent = 0;                 // the sum is 2^exponent times that of these factors
  double shift = 0;                          // Q = |y|^2 + shift
  double of_factors = 0;
  /// Of a product whose weight is rounded so often, in a sum of so many terms.
  double relative(double rounded, double terms) const;
  /// What underflows may cost terms whose weights add up to this, from above.
  double lost(double weights) const;
};

class LaneSums {
 public:
  /// pinned: the column of which a copy is always in. free: the digits that sum() goes through; of the others
  /// sum() is told. Empty where doubles might leave their range (beyond some eighty rows of equal weights),
  /// and where a row is empty. choice: other than scalar.
  static std::optional<LaneSums> make(const FactorMatrix& matrix, Index pinned, std::vector<Digit> free,
                                      LaneChoice choice = LaneChoice::automatic);

  /// The sum over the free digits, with fixed[k] copies of digits[k].column in; weights are those of the free
  /// digits alone. Less than the sum where the meter's time is up.
  Ball sum(const std::vector<Digit>& digits, const std::vector<Index>& fixed, mpfr_prec_t bits,
           WorkMeter& meter) const;
  /// The same of the products without one factor of row i, for each i; of all digits, and of a matrix that is
  /// said to be complex.
  std::vector<Ball> minors(mpfr_prec_t bits, WorkMeter& meter) const;

  ScaledFactors factors() const;

  /// The number of factors that a term multiplies: one a row, and what the powers take, those of equal ones
  /// together.
  double multiplications() const;
  std::uint64_t bytes_per_thread() const;

 private:
  /// The true sum is 2^exponent times that of doubles, the error of_bound times the bound; a ball's bits.
  struct Scale {
    std::int64_t exponent = 0;
    double of_bound = 0;
    mpfr_prec_t bits = 0;
  };
  class Gathered;

  LaneSums() = default;
  bool scale(const FactorMatrix& matrix, Index pinned);
  bool share_out(std::vector<Digit> free);
  void weigh_lanes();
  void write_steps();
  void set_errors(std::uint64_t factors, double rounded);
  void set_pair_errors();
  void start_lanes(const std::vector<double>& base, std::uint64_t first, double* sums) const;
  mpz_class lane_weight(std::uint64_t state) const;
  double lane_weight_as_double(std::uint64_t state) const;
  template <class Take>
  void for_each_batch(const std::vector<double>& base, WorkMeter& meter, const Take& take) const;
  /// What the lane has found, of terms whose lanes' weights add up to `weights`.
  Ball in_ball(const products::Totals& totals, unsigned lane, const Scale& scale, double weights) const;

  products::Variant variant_{};
  bool complex_ = false;
  std::size_t parts_ = 1;
  std::vector<std::size_t> order_;      // of the rows: by how often they stand
  std::vector<unsigned> power_;         // in that order
  std::vector<std::int64_t> exponent_;  // of each row, in that order: true factor = 2^exponent factor
  std::vector<double> reach_;           // how large factors can be
  std::vector<double> rounding_;        // and how far off
  unsigned single_rows_ = 0;
  std::vector<double> start_;            // the factors with nothing but the pinned copy in
  std::vector<std::vector<double>> in_;  // what a copy of each column changes
  std::vector<std::vector<double>> out_;
  std::vector<Digit> walked_;
  std::vector<Digit> laned_;
  std::vector<std::vector<double>> laned_weights_;  // signed, beside laned_; empty where some are no doubles
  std::uint64_t lane_states_ = 1;
  std::vector<double> zeros_;
  std::vector<products::Step> steps_;
  std::int64_t exponents_ = 0;  // of the whole sum
  double delta_ = 0;            // the largest rounding
  double shift_ = 0;
  double inflation_ = 0;  // q and 17 N max d^2 of the head of this file
  double of_sum_ = 0;     // what sqrt(M) is multiplied by
  double relative_ = 0;   // error of a product of factors that have none
  double of_factors_ = 0;
  double lost_ = 0;  // a lane's underflows, from above
};

}  // namespace countpm
