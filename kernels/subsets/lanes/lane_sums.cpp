#include "kernels/subsets/lanes/lane_sums.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <utility>

#include "kernels/arithmetic/float_ring.hpp"
#include "kernels/arithmetic/ring_values.hpp"
#include "kernels/subsets/lanes/gray_digits.hpp"
#include "kernels/support/aligned_memory.hpp"

namespace countpm {
namespace {

constexpr int sum_bits = 52;                   // a row's magnitudes add up to at most 2^sum_bits units
constexpr std::uint64_t most_steps = 1 << 12;  // some 100 kilobytes, and a millisecond of work
constexpr double log2_most_product = 300;      // squares of products, and their sums, stay within doubles
constexpr Index most_walked_copies = 100;      // binomials, and products of those of 2^12 states, below 2^200
constexpr double root_of_two = 1.41422;
constexpr double few_roundings = 1 + 0x1p-20;
// Every underflow costs a term at most 2^-1074 times later factors, of squares 2^600, whose root is taken.
constexpr double lost_of_term = 0x1p-200;

products::Variant products_variant([[maybe_unused]] LaneChoice choice) {
#ifdef __x86_64__
  const InstructionSet set = instruction_set_for(choice).value_or(InstructionSet::baseline);
  if (set == InstructionSet::avx512) return products::avx512::variant();
  if (set == InstructionSet::avx2) return products::avx2::variant();
#endif
  return products::baseline::variant();
}

/// The least e with value <= 2^e; value > 0.
std::int64_t log2_ceiling(const mpq_class& value) {
  auto e = static_cast<std::int64_t>(mpz_sizeinbase(value.get_num_mpz_t(), 2)) -
           static_cast<std::int64_t>(mpz_sizeinbase(value.get_den_mpz_t(), 2));
  // 2^(e - 1) < value < 2^(e + 1)
  return divided_by_power_of_two(value, e) <= 1 ? e : e + 1;
}

double nearest_whole(const mpq_class& value, bool& exact) {
  if (value.get_den() == 1) return value.get_num().get_d();
  exact = false;
  mpz_class whole;
  const mpz_class twice = 2 * value.get_num() + value.get_den();
  mpz_fdiv_q(whole.get_mpz_t(), twice.get_mpz_t(), mpz_class(2 * value.get_den()).get_mpz_t());
  return whole.get_d();
}

/// numerator 2^exponent, where that is all that a fraction is: what a double is, and some more.
struct BinaryFraction {
  std::int64_t numerator;
  std::int64_t exponent;
};
std::optional<BinaryFraction> binary_fraction(const mpq_class& value) {
  constexpr std::int64_t most_bits = 800;  // within the range of doubles
  constexpr std::int64_t most_numerator = std::int64_t{1} << 62;
  const mpz_class& denominator = value.get_den();
  const auto bits = static_cast<std::int64_t>(mpz_sizeinbase(denominator.get_mpz_t(), 2)) - 1;
  if (bits > most_bits || static_cast<std::int64_t>(mpz_scan1(denominator.get_mpz_t(), 0)) != bits ||
      mpz_fits_slong_p(value.get_num_mpz_t()) == 0)
    return std::nullopt;
  const std::int64_t numerator = value.get_num().get_si();
  if (numerator > most_numerator || numerator < -most_numerator) return std::nullopt;
  return BinaryFraction{numerator, -bits};
}

/// nearest_whole(value / 2^unit). Precondition: that is below 2^53.
double nearest_whole(const BinaryFraction& value, std::int64_t unit, bool& exact) {
  const std::int64_t down = unit - value.exponent;
  if (down <= 0) return std::ldexp(static_cast<double>(value.numerator), static_cast<int>(-down));
  constexpr std::int64_t all_bits = 63;
  if (down >= all_bits) {
    exact = exact && value.numerator == 0;
    return 0;
  }
  const std::int64_t one = std::int64_t{1} << down;
  exact = exact && (value.numerator & (one - 1)) == 0;
  return static_cast<double>((value.numerator + one / 2) >> down);
}

/// A row's weights, of each column re and im, in whole multiples of one unit.
struct WholeRow {
  std::vector<double> part;
  std::int64_t unit = 0;  // log2
  bool exact = true;      // nothing was rounded
};

/// Where all are binary fractions, and the row is not empty.
std::optional<WholeRow> whole_row_of_binary_fractions(const FactorMatrix& matrix, Index row) {
  std::vector<BinaryFraction> parts;
  std::array<double, 2> magnitude{};
  for (Index j = 0; j < matrix.columns(); ++j) {
    for (const mpq_class* const value : {&matrix.at(row, j).re, &matrix.at(row, j).im}) {
      const std::optional<BinaryFraction> part = binary_fraction(*value);
      if (!part) return std::nullopt;
      magnitude[parts.size() % 2] +=
          std::ldexp(std::abs(static_cast<double>(part->numerator)), static_cast<int>(part->exponent)) *
          matrix.copies[j];
      parts.push_back(*part);
    }
  }
  // from above, whatever the sums have lost
  const double largest = std::max(magnitude[0], magnitude[1]) * few_roundings;
  if (largest == 0) return std::nullopt;
  WholeRow result;
  result.unit = std::ilogb(largest) + 1 - sum_bits;
  for (const BinaryFraction& part : parts)
    result.part.push_back(nearest_whole(part, result.unit, result.exact));
  return result;
}

/// Empty for an empty row.
std::optional<WholeRow> whole_row(const FactorMatrix& matrix, Index row) {
  if (std::optional<WholeRow> binary = whole_row_of_binary_fractions(matrix, row)) return binary;
  std::array<mpq_class, 2> magnitude;
  for (Index j = 0; j < matrix.columns(); ++j) {
    magnitude[0] += abs(matrix.at(row, j).re) * matrix.copies[j];
    magnitude[1] += abs(matrix.at(row, j).im) * matrix.copies[j];
  }
  const mpq_class& largest = std::max(magnitude[0], magnitude[1]);
  if (largest == 0) return std::nullopt;
  WholeRow result;
  result.unit = log2_ceiling(largest) - sum_bits;
  for (Index j = 0; j < matrix.columns(); ++j) {
    for (const mpq_class* const value : {&matrix.at(row, j).re, &matrix.at(row, j).im})
      result.part.push_back(nearest_whole(divided_by_power_of_two(*value, result.unit), result.exact));
  }
  return result;
}

double binomial_of(Index copies, Index chosen) {
  mpz_class binomial;
  mpz_bin_uiui(binomial.get_mpz_t(), copies, chosen);
  return binomial.get_d();
}

/// Of a product of n factors that have no error, in a sum of so many terms.
double relative_error(bool complex, double n, double rounded, double terms) {
  const double multiplication = complex ? 3 * unit_roundoff : unit_roundoff;
  const double chain = terms * unit_roundoff;  // of the corrections
  return std::expm1((n + 4) * std::log1p(multiplication)) + 2 * rounded * unit_roundoff + 2 * chain * chain;
}
double number_of(const std::vector<unsigned>& power) {
  return static_cast<double>(std::accumulate(power.begin(), power.end(), std::uint64_t{0}));
}
double lost_of(double weights, double factors) {
  return weights * few_roundings * (factors + 1) * lost_of_term;
}

double states_of(const std::vector<Digit>& digits) {
  double states = 1;
  for (const Digit& digit : digits) states *= static_cast<double>(digit.copies) + 1;
  return states;
}

}  // namespace

std::optional<LaneSums> LaneSums::make(const FactorMatrix& matrix, Index pinned, std::vector<Digit> free,
                                       LaneChoice choice) {
  LaneSums sums;
  sums.variant_ = products_variant(choice);
  sums.complex_ = matrix.complex;
  sums.parts_ = matrix.complex ? 2 : 1;
  if (!sums.scale(matrix, pinned) || !sums.share_out(std::move(free))) return std::nullopt;
  sums.write_steps();
  return sums;
}

/// The rows in units of their own, the columns' differences, and how far factors are from the true ones.
bool LaneSums::scale(const FactorMatrix& matrix, Index pinned) {
  order_.resize(matrix.rows());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::size_t a, std::size_t b) { return matrix.power[a] < matrix.power[b]; });
  const Index columns = matrix.columns();
  in_.assign(columns, std::vector<double>(order_.size() * parts_));
  start_.assign(order_.size() * parts_, 0);
  zeros_.assign(order_.size() * parts_, 0);
  std::uint64_t lines = 0;
  for (const Index copies : matrix.copies) lines += copies;
  bool exact = true;
  double least_unit = 0;  // log2 of the largest rounding, in units of factors
  double log2_product = 0;
  std::uint64_t factors = 0;
  for (std::size_t place = 0; place < order_.size(); ++place) {
    const auto row = static_cast<Index>(order_[place]);
    const std::optional<WholeRow> whole = whole_row(matrix, row);
    if (!whole) return false;
    const std::int64_t unit = whole->unit;
    exact = exact && whole->exact;
    double squares = 0;
    for (Index j = 0; j < columns; ++j) {
      for (std::size_t part = 0; part < parts_; ++part) {
        const double entry = whole->part[2 * std::size_t{j} + part];
        in_[j][place * parts_ + part] = entry;
        squares += entry * entry * matrix.copies[j];
      }
    }
    if (!(squares > 0)) return false;
    const auto shift = static_cast<int>(std::lround(std::log2(squares) / 2));
    for (Index j = 0; j < columns; ++j) {
      for (std::size_t part = 0; part < parts_; ++part) {
        double& entry = in_[j][place * parts_ + part];
        entry = std::ldexp(entry, -shift);
        start_[place * parts_ + part] -= entry * matrix.copies[j];
        if (j == pinned) start_[place * parts_ + part] += 2 * entry;
        entry *= 2;
      }
    }
    power_.push_back(matrix.power[row]);
    exponent_.push_back(unit + shift);
    exponents_ += (unit + shift) * matrix.power[row];
    factors += matrix.power[row];
    log2_product += static_cast<double>(matrix.power[row]) * std::max(sum_bits + 0.6 - shift, 0.0);
    if (log2_product > log2_most_product) return false;
    least_unit = std::max(least_unit, std::ldexp(1.0, -shift));
    single_rows_ += matrix.power[row] == 1 ? 1 : 0;
  }
  for (const std::vector<double>& column : in_) {
    out_.push_back(column);
    for (double& entry : out_.back()) entry = -entry;
  }
  exponents_ -= static_cast<std::int64_t>(lines) - 1;
  constexpr double half_square_root = 0.70711;
  delta_ = exact ? 0 : least_unit * half_square_root * static_cast<double>(lines) * few_roundings;
  set_errors(factors, 0);
  return true;
}

/// rounded: how often a term's weight is.
void LaneSums::set_errors(std::uint64_t factors, double rounded) {
  const auto n = static_cast<double>(factors);
  relative_ = relative_error(complex_, n, rounded, static_cast<double>(most_steps));
  shift_ = 17 * n * delta_ * delta_;
  of_factors_ = delta_ * delta_ * n * 1.0645 * few_roundings;
}

/// Which digits are walked and which make lanes.
bool LaneSums::share_out(std::vector<Digit> free) {
  std::sort(free.begin(), free.end(), [](const Digit& a, const Digit& b) { return a.copies > b.copies; });
  walked_ = std::move(free);
  const auto large = std::find_if(walked_.begin(), walked_.end(),
                                  [](const Digit& digit) { return digit.copies <= most_walked_copies; });
  std::rotate(walked_.begin(), large, walked_.end());  // those go first
  const auto enough = [&] {
    constexpr std::uint64_t many = 7 * std::uint64_t{products::most_lanes};  // hardly a batch is part empty
    return states_of(walked_) <= static_cast<double>(most_steps) &&
           walked_.back().copies <= most_walked_copies &&
           (lane_states_ % products::most_lanes == 0 || lane_states_ >= many);
  };
  while (!walked_.empty() && !enough()) {
    constexpr std::uint64_t most_states = std::uint64_t{1} << 40;
    const std::uint64_t states = std::uint64_t{walked_.back().copies} + 1;
    if (lane_states_ > most_states / states) return false;
    lane_states_ *= states;
    laned_.push_back(walked_.back());
    walked_.pop_back();
  }
  return true;
}

void LaneSums::write_steps() {
  std::vector<std::vector<double>> binomial;
  double rounded = 1;
  for (const Digit& digit : walked_) {
    binomial.emplace_back();
    for (Index chosen = 0; chosen <= digit.copies; ++chosen)
      binomial.back().push_back(binomial_of(digit.copies, chosen));
    rounded += digit.copies == 1 ? 0 : 2;
  }
  GrayDigits gray(walked_);
  const double* change = zeros_.data();
  double sign = 1;
  double weights = 0;
  for (;;) {
    double weight = sign;
    for (std::size_t k = 0; k < walked_.size(); ++k) weight *= binomial[k][gray.chosen(k)];
    steps_.push_back({change, weight});
    weights += std::abs(weight);
    sign = -sign;
    const std::optional<GrayDigits::Change> next = gray.next();
    if (!next) break;
    const Index column = walked_[next->digit].column;
    change = next->out ? out_[column].data() : in_[column].data();
  }
  std::uint64_t factors = 0;
  for (const unsigned power : power_) factors += power;
  set_errors(factors, rounded);
  lost_ = lost_of(weights, static_cast<double>(factors));
}

mpz_class LaneSums::lane_weight(std::uint64_t state) const {
  mpz_class weight = 1;
  mpz_class binomial;
  for (const Digit& digit : laned_) {
    const std::uint64_t choices = std::uint64_t{digit.copies} + 1;
    const std::uint64_t chosen = state % choices;
    state /= choices;
    if (chosen % 2 != 0) weight = -weight;
    if (chosen == 0 || chosen == digit.copies) continue;
    mpz_bin_uiui(binomial.get_mpz_t(), digit.copies, chosen);
    weight *= binomial;
  }
  return weight;
}

void LaneSums::start_lanes(const std::vector<double>& base, std::uint64_t first, double* sums) const {
  const unsigned lanes = variant_.lanes;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    for (std::size_t k = 0; k < base.size(); ++k) sums[k * lanes + lane] = base[k];
    // Lanes beyond the last state repeat it, and are not looked at.
    std::uint64_t state = std::min(first + lane, lane_states_ - 1);
    for (const Digit& digit : laned_) {
      const std::uint64_t choices = std::uint64_t{digit.copies} + 1;
      const auto chosen = static_cast<double>(state % choices);
      state /= choices;
      if (chosen == 0) continue;
      for (std::size_t k = 0; k < base.size(); ++k) sums[k * lanes + lane] += chosen * in_[digit.column][k];
    }
  }
}

/// take(the program, the sums that lanes start with, the first state, how many).
template <class Take>
void LaneSums::for_each_batch(const std::vector<double>& base, WorkMeter& meter, const Take& take) const {
  const unsigned lanes = variant_.lanes;
  const AlignedPointer<double> sums = allocate_aligned<double>(base.size() * lanes * sizeof(double));
  products::Program program{};
  program.complex = complex_;
  program.bounded = delta_ != 0;
  program.rows = static_cast<unsigned>(power_.size());
  program.single_rows = single_rows_;
  program.power = power_.data();
  program.shift = shift_;
  program.of_product = relative_ * relative_;
  program.of_factors = of_factors_;
  program.step = steps_.data();
  program.steps = steps_.size();
  for (std::uint64_t first = 0; first < lane_states_; first += lanes) {
    start_lanes(base, first, sums.get());
    const auto used = static_cast<unsigned>(std::min<std::uint64_t>(lanes, lane_states_ - first));
    take(program, sums.get(), first, used);
    if (meter.spend(used * steps_.size()) && !meter.look()) return;
  }
}

Ball LaneSums::in_ball(const products::Totals& totals, unsigned lane, double bound, std::int64_t exponent,
                       mpfr_prec_t bits) const {
  Ball ball = zero_ball(bits);
  const auto add_part = [&](BigFloat& part, std::size_t which) {
    mpfr_set_d(part.get(), totals.hi[which][lane], MPFR_RNDN);
    mpfr_add_d(part.get(), part.get(), totals.lo[which][lane], MPFR_RNDN);  // within 106 bits or so
  };
  add_part(ball.re, 0);
  if (complex_) add_part(ball.im, 1);
  // What of it is rounded to the ball's bits is less than what the product's own rounding was bounded by.
  mpfr_set_d(ball.error.get(), bound * few_roundings + lost_, MPFR_RNDU);
  scale_by_power_of_two(ball, exponent);
  return ball;
}

Ball LaneSums::sum(const std::vector<Digit>& digits, const std::vector<Index>& fixed, mpfr_prec_t bits,
                   WorkMeter& meter) const {
  std::vector<double> base = start_;
  for (std::size_t d = 0; d < digits.size(); ++d) {
    if (fixed[d] == 0) continue;
    for (std::size_t k = 0; k < base.size(); ++k) base[k] += fixed[d] * in_[digits[d].column][k];
  }
  Ball total = zero_ball(bits);
  for_each_batch(base, meter,
                 [&](const products::Program& program, double* sums, std::uint64_t first, unsigned used) {
                   products::Totals totals{};
                   variant_.run(program, sums, totals);
                   for (unsigned lane = 0; lane < used; ++lane) {
                     const double bound = totals.bound[lane] * (program.bounded ? root_of_two : relative_);
                     Ball part = in_ball(totals, lane, bound, exponents_, bits);
                     multiply(part, ball_from(mpq_class(lane_weight(first + lane)), bits));
                     add(total, part);
                   }
                 });
  return total;
}

std::vector<Ball> LaneSums::minors(mpfr_prec_t bits, WorkMeter& meter) const {
  const std::size_t rows = power_.size();
  const AlignedPointer<double> room =
      allocate_aligned<double>((rows + 1) * 8 * products::most_lanes * sizeof(double));
  std::vector<products::Totals> totals(rows);
  std::vector<Ball> result(rows, zero_ball(bits));
  for_each_batch(start_, meter,
                 [&](const products::Program& program, double* sums, std::uint64_t first, unsigned used) {
                   variant_.run_minors(program, sums, room.get(), totals.data());
                   for (std::size_t place = 0; place < rows; ++place) {
                     for (unsigned lane = 0; lane < used; ++lane) {
                       const double bound = totals[place].bound[lane] * root_of_two;
                       Ball part = in_ball(totals[place], lane, bound, exponents_ - exponent_[place], bits);
                       multiply(part, ball_from(mpq_class(lane_weight(first + lane)), bits));
                       add(result[order_[place]], part);
                     }
                   }
                 });
  return result;
}

ScaledFactors LaneSums::factors() const {
  return {complex_, power_, start_, in_, exponents_, shift_, of_factors_};
}

double ScaledFactors::relative(double rounded, double terms) const {
  return relative_error(complex, number_of(power), rounded, terms);
}

double ScaledFactors::lost(double weights) const {
  return lost_of(weights, number_of(power));
}

double LaneSums::multiplications() const {
  auto sum = static_cast<double>(power_.size());
  for (std::size_t k = single_rows_; k < power_.size(); ++k) {
    if (k == 0 || power_[k] != power_[k - 1]) sum += static_cast<double>(2 * std::bit_width(power_[k]) - 1);
  }
  return sum;
}

std::uint64_t LaneSums::bytes_per_thread() const {
  return (power_.size() + 1) * 16 * products::most_lanes * sizeof(double);
}

}  // namespace countpm
