#include "kernels/planar/log/log_torus.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "kernels/arithmetic/counter_random.hpp"
#include "kernels/arithmetic/log2_sum.hpp"
#include "kernels/planar/condensation/condensation.hpp"
#include "kernels/planar/elimination/determinant.hpp"
#include "kernels/planar/elimination/dissection.hpp"
#include "kernels/planar/log/gram_elimination.hpp"
#include "kernels/planar/log/sign_elimination.hpp"
#include "kernels/support/for_parts.hpp"

namespace countpm::planar {
namespace {

/// Modulo how many primes a determinant that is taken for 0 is 0.
constexpr std::size_t proofs = 2;

/// What is known of one of the four.
struct Known {
  bool zero = false;
  int sign = 0;                  // of the determinant; 0: not proven
  BigFloat size;                 // of its absolute value
  double log2_error = infinity;  // of the size, relative to it
  double log2_trace = infinity;  // how much of the unit of rounding that is
  mpfr_prec_t bits = 0;          // of the last elimination; 0: none
  bool exhausted = false;        // there are no more digits to take
  std::optional<std::array<std::uint64_t, proofs>> residue;
};

/// The sum of the four balls: its middle, and how far the sum may be from it.
struct Sum {
  BigFloat middle;
  BigFloat radius;
};

/// log2(2^a + 2^b), rounded up by far more than log2_sum() may be off.
double log2_of_sum(double a, double b) {
  constexpr double roundings = 1e-12;
  const double sum = log2_sum(a, b);
  return std::isinf(sum) ? sum : sum + roundings * (1 + std::abs(sum));
}

/// Primes between 2^60 and 2^61 that divide no denominator.
std::vector<std::uint64_t> random_primes(const SignedMatrix& matrix) {
  constexpr std::uint64_t seed = 20;
  constexpr std::uint64_t first = std::uint64_t{1} << 60;
  CounterRandom random(seed, matrix.graph.vertices, matrix.graph.edges.size());
  std::vector<std::uint64_t> primes;
  while (primes.size() < proofs) {
    mpz_class prime(static_cast<std::uint64_t>(first + random.below(first)));
    mpz_nextprime(prime.get_mpz_t(), prime.get_mpz_t());
    const std::uint64_t word = mpz_get_ui(prime.get_mpz_t());
    const bool serves = std::none_of(matrix.values.begin(), matrix.values.end(), [&](const mpq_class& value) {
      return mpz_divisible_p(value.get_den_mpz_t(), prime.get_mpz_t()) != 0;
    });
    if (serves && (primes.empty() || primes.front() != word)) primes.push_back(word);
  }
  return primes;
}

class SumOfFour {
 public:
  SumOfFour(const Terms& terms, const LogDeterminantLimits& limits, const StopSignal& stop)
      : terms_(terms),
        graph_(terms[0].matrix.graph),
        limits_(limits),
        stop_(stop),
        adjacent_(adjacency(graph_)),
        scales_(gram_scales(terms[0].matrix, adjacent_)),
        tree_(front_tree(graph_, dissection_order(graph_))),
        known_(terms.size()) {
    tolerance_ = log_tolerance(graph_);
    const std::vector<mpq_class>& values = terms[0].matrix.values;
    const bool of_both_signs =
        std::any_of(values.begin(), values.end(), [](const mpq_class& value) { return value < 0; });
    most_bits_ = of_both_signs ? most_bits_of_signed : most_bits;
  }

  LogTorus run() {
    LogTorus result;
    result.log.error = infinity;
    if (scales_.empty_row) return result;
    for (std::size_t k = 0; k < terms_.size(); ++k) refine(k, 0);
    for (;;) {
      const Sum sum = add_up();
      result.log = log_of(sum);
      // What the logarithm's own rounding adds, no digits of the four take away.
      if (result.log.error <= tolerance_ + rounding_of(result.log.ln)) break;
      if (std::isinf(result.log.error) && is_zero()) break;
      const std::size_t widest = widest_of();
      if (widest == terms_.size()) break;
      refine(widest, digits_lost(sum, known_[widest]));
    }
    for (std::size_t k = 0; k < terms_.size(); ++k)
      result.sign[k] = known_[k].zero ? 0 : known_[k].sign * terms_[k].sign;
    return result;
  }

 private:
  /// The next elimination of one of the four. `lost`: the bits that its error has to be smaller by than the
  /// sum's; infinite: they are not known.
  void refine(std::size_t k, double lost) {
    Known& known = known_[k];
    if (known.bits == 0) {
      PlainField field;
      known.bits = 53;
      eliminate(k, field, in_doubles);
      if (std::isinf(known.log2_error) && is_singular(k)) known.zero = true;
    } else if (known.bits == 53) {
      PairField field;
      known.bits = 106;
      eliminate(k, field, in_more_digits);
    } else {
      const double wanted = 6 + known.log2_trace - std::log2(tolerance_) + lost;
      known.bits = next_bits(known.bits, std::isfinite(wanted) ? wanted : 0);
      if (known.bits > most_bits_) {
        known.exhausted = true;
        return;
      }
      MpfrField field(known.bits);
      eliminate(k, field, in_more_digits);
    }
  }

  template <class Field>
  void eliminate(std::size_t k, Field& field, const TraceVectors& vectors) {
    const SignedMatrix& matrix = terms_[k].matrix;
    Known& known = known_[k];
    constexpr mpfr_prec_t spare = 64;
    BigFloat size(known.bits + spare);
    const GramElimination gram =
        eliminate_gram(matrix, adjacent_, scales_, field, vectors, limits_, stop_, &size);
    if (!gram.certain()) return;
    known.log2_trace = gram.log2_trace;

    // |det K| is the root of det(K K^T), |Pf K| the fourth. With y = b / (1 - b), the latter is within 1 / (1
    // + y) and 1 + y times what was computed, the root within 1 - y / 2 and 1 + y / 2, the fourth y / 4.
    mpfr_mul_2si(size.get(), size.get(), 2 * static_cast<std::int64_t>(scales_.total), MPFR_RNDN);
    mpfr_sqrt(size.get(), size.get(), MPFR_RNDN);
    if (!graph_.bipartite) mpfr_sqrt(size.get(), size.get(), MPFR_RNDN);
    const double of_elimination =
        gram.log2_bound - std::log2(1 - std::exp2(gram.log2_bound)) - (graph_.bipartite ? 1 : 2);
    const double of_product = std::log2(2 * gram.rows + 4) - static_cast<double>(known.bits + spare - 1);
    const double log2_error = log2_of_sum(of_elimination, of_product);
    if (log2_error < known.log2_error) {
      known.size = std::move(size);
      known.log2_error = log2_error;
    }
    if (known.sign != 0) return;
    SignElimination<Field> elimination(matrix, tree_, scales_, field, limits_, stop_);
    const int sign = elimination.run();
    if (sign != 0 && elimination.is_proven(gram.weight, gram.log2_trace)) known.sign = sign;
  }

  /// What one of the four may be off by.
  BigFloat radius_of(const Known& known) const {
    BigFloat radius(0.0, 64);
    if (known.zero) return radius;
    if (std::isinf(known.log2_error)) {
      mpfr_set_inf(radius.get(), 1);
      return radius;
    }
    // Split, so that no exponent is too small.
    const double whole = std::floor(known.log2_error);
    constexpr double roundings = 1 + 0x1p-40;
    mpfr_set_d(radius.get(), std::exp2(known.log2_error - whole) * roundings, MPFR_RNDU);
    mpfr_mul_2si(radius.get(), radius.get(), static_cast<std::int64_t>(whole), MPFR_RNDU);
    if (known.sign == 0) mpfr_add_ui(radius.get(), radius.get(), 1, MPFR_RNDU);
    mpfr_mul(radius.get(), radius.get(), known.size.get(), MPFR_RNDU);
    return radius;
  }

  Sum add_up() const {
    mpfr_prec_t bits = 128;
    for (const Known& known : known_) bits = std::max(bits, known.size.bits() + 64);
    Sum sum{BigFloat(0.0, bits), BigFloat(0.0, 64)};
    BigFloat rounding(0.0, 64);
    for (std::size_t k = 0; k < terms_.size(); ++k) {
      const Known& known = known_[k];
      mpfr_add(sum.radius.get(), sum.radius.get(), radius_of(known).get(), MPFR_RNDU);
      if (known.zero || known.sign == 0) continue;
      const bool positive = known.sign * terms_[k].sign > 0;
      (positive ? mpfr_add : mpfr_sub)(sum.middle.get(), sum.middle.get(), known.size.get(), MPFR_RNDN);
      mpfr_abs(rounding.get(), sum.middle.get(), MPFR_RNDU);
      mpfr_mul_2si(rounding.get(), rounding.get(), -static_cast<std::int64_t>(bits), MPFR_RNDU);
      mpfr_add(sum.radius.get(), sum.radius.get(), rounding.get(), MPFR_RNDU);
    }
    return sum;
  }

  static LogDeterminant log_of(const Sum& sum) {
    if (mpfr_cmpabs(sum.middle.get(), sum.radius.get()) <= 0) return {0, infinity};
    BigFloat relative(0.0, 64);
    mpfr_div(relative.get(), sum.radius.get(), sum.middle.get(), MPFR_RNDA);
    const double bound = std::abs(relative.to_double(MPFR_RNDA));
    if (!(bound < 1)) return {0, infinity};
    BigFloat ln(0.0, 128);
    mpfr_abs(ln.get(), sum.middle.get(), MPFR_RNDN);
    mpfr_div_2ui(ln.get(), ln.get(), 1, MPFR_RNDN);
    mpfr_log(ln.get(), ln.get(), MPFR_RNDN);
    const double value = ln.to_double();
    constexpr double roundings = 1 + 0x1p-50;
    return {value, -std::log1p(-bound) * roundings + rounding_of(value)};
  }

  static double rounding_of(double ln) { return std::numeric_limits<double>::epsilon() * (std::abs(ln) + 1); }

  /// Which of the four may be off by most and can be made better: of several that nothing is known of, the
  /// one with the fewest digits. terms_.size(): more digits are of no use.
  std::size_t widest_of() const {
    std::size_t widest = terms_.size();
    BigFloat most(0.0, 64);
    for (std::size_t k = 0; k < terms_.size(); ++k) {
      const BigFloat radius = radius_of(known_[k]);
      const int order = mpfr_cmp(radius.get(), most.get());
      const bool fewer_digits = widest < terms_.size() && known_[k].bits < known_[widest].bits;
      if (order < 0 || (order == 0 && !fewer_digits)) continue;
      widest = k;
      most = radius;
    }
    return widest < terms_.size() && known_[widest].exhausted ? terms_.size() : widest;
  }

  /// The bits by which one of the four is larger than the sum; infinite where the sum may be 0.
  static double digits_lost(const Sum& sum, const Known& known) {
    if (std::isinf(known.log2_error) || mpfr_cmpabs(sum.middle.get(), sum.radius.get()) <= 0) return infinity;
    const auto apart = mpfr_get_exp(known.size.get()) - mpfr_get_exp(sum.middle.get());
    return std::max(0.0, static_cast<double>(apart) + 3);
  }

  const std::array<std::uint64_t, proofs>& residue(std::size_t k) {
    Known& known = known_[k];
    if (known.residue) return *known.residue;
    if (primes_.empty()) primes_ = random_primes(terms_[0].matrix);
    limits_.refuse_beyond(sizeof(std::uint64_t) *
                          static_cast<double>(tree_.total.front_words + tree_.total.stack_words));
    known.residue.emplace();
    for (std::size_t p = 0; p < proofs; ++p)
      (*known.residue)[p] = determinant(terms_[k].matrix, tree_, portable_lanes(), {primes_[p]}, stop_)[0];
    return *known.residue;
  }

  bool is_singular(std::size_t k) {
    const auto& residues = residue(k);
    return std::all_of(residues.begin(), residues.end(), [](std::uint64_t one) { return one == 0; });
  }

  /// Of the sum, modulo the primes.
  bool is_zero() {
    for (std::size_t p = 0; p < proofs; ++p) {
      std::uint64_t sum = 0;
      for (std::size_t k = 0; k < terms_.size(); ++k) {
        const std::uint64_t one = residue(k)[p];
        sum = (sum + (terms_[k].sign > 0 || one == 0 ? one : primes_[p] - one)) % primes_[p];
      }
      if (sum != 0) return false;
    }
    return true;
  }

  const Terms& terms_;
  const BlockGraph& graph_;
  const LogDeterminantLimits& limits_;
  const StopSignal& stop_;
  Adjacency adjacent_;
  GramScales scales_;  // the same of all four, which differ in signs
  FrontTree tree_;
  std::vector<Known> known_;
  std::vector<std::uint64_t> primes_;
  double tolerance_ = 0;
  mpfr_prec_t most_bits_ = most_bits;
};

/// ln of half the sum's magnitude, each with its sign; -infinity where the sum is 0.
double ln_of_half_sum(const std::vector<double>& ln, const std::array<int, 4>& sign) {
  double most = -infinity;
  for (std::size_t k = 0; k < ln.size(); ++k) {
    if (sign[k] != 0) most = std::max(most, ln[k]);
  }
  double sum = 0;
  for (std::size_t k = 0; k < ln.size(); ++k) {
    if (sign[k] != 0) sum += sign[k] * std::exp(ln[k] - most);
  }
  return sum == 0 ? -infinity : most + std::log(std::abs(sum) / 2);
}

LogDeterminant log_torus_by_condensation(const Terms& terms, const LogDeterminantLimits& limits,
                                         const StopSignal& stop, const GpuInfo* gpu) {
  std::vector<double> own(terms.size(), 0);
  LogTorus certain;
  for_parts(2, std::min(limits.threads, 2), stop, [&](std::size_t part) {
    if (part == 0) {
      for (std::size_t k = 0; k < terms.size(); ++k)
        own[k] = ln_by_condensation(terms[k].matrix, limits, stop, gpu);
    } else {
      certain = log_torus(terms, limits, stop);
    }
  });
  return nearer(ln_of_half_sum(own, certain.sign), certain.log);
}

}  // namespace

LogTorus log_torus(const Terms& terms, const LogDeterminantLimits& limits, const StopSignal& stop) {
  return SumOfFour(terms, limits, stop).run();
}

LogDeterminant log_of_terms(const Terms& terms, bool dense, const LogDeterminantLimits& limits,
                            const StopSignal& stop, const GpuInfo* gpu) {
  if (terms.size() == 1) {
    const SignedMatrix& matrix = terms[0].matrix;
    return dense ? log_condensation(matrix, limits, stop, gpu) : log_determinant(matrix, limits, stop);
  }
  return dense ? log_torus_by_condensation(terms, limits, stop, gpu) : log_torus(terms, limits, stop).log;
}

}  // namespace countpm::planar
