#include "kernels/subsets/lanes/lane_sums.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <utility>

#include "kernels/arithmetic/float_ring.hpp"
#include "kernels/arithmetic/ring_values.hpp"
#include "kernels/subsets/lanes/gathered_totals.hpp"
#include "kernels/subsets/lanes/gray_digits.hpp"
#include "kernels/support/aligned_memory.hpp"

namespace countpm {
namespace {

constexpr int sum_bits = 53;
constexpr std::uint64_t most_steps = 1 << 12;  // some 100 kilobytes, and a millisecond of work
constexpr double log2_most_product = 300;      // squares of products, and their sums, stay within doubles
constexpr Index most_walked_copies = 100;      // binomials, and products of those of 2^12 states, below 2^200
constexpr double root_of_two = 1.41422;
constexpr double few_roundings = 1 + 0x1p-20;
constexpr double root_of_e = 1.0645;  // the sixteenth, from above
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
  double log2_product = 0;
  std::uint64_t factors = 0;
  for (std::size_t place = 0; place < order_.size(); ++place) {
    const auto row = static_cast<Index>(order_[place]);
    const std::optional<WholeRow> whole = whole_row(matrix, row, sum_bits);
    if (!whole) return false;
    const std::int64_t unit = whole->unit;
    double squares = 0;
    for (Index j = 0; j < columns; ++j) {
      for (std::size_t part = 0; part < parts_; ++part) {
        const double entry = whole->part[2 * std::size_t{j} + part];
        in_[j][place * parts_ + part] = entry;
        squares += entry * entry * matrix.copies[j];
      }
    }
    if (!(squares > 0)) return false;
    const auto shift = static_cast<int>(std::llround(std::log2(squares) / 2));
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
    reach_.push_back(std::ldexp(whole->reach, -shift));
    rounding_.push_back(std::ldexp(whole->rounding, -shift));
    delta_ = std::max(delta_, rounding_.back());
    single_rows_ += matrix.power[row] == 1 ? 1 : 0;
  }
  for (const std::vector<double>& column : in_) {
    out_.push_back(column);
    for (double& entry : out_.back()) entry = -entry;
  }
  exponents_ -= static_cast<std::int64_t>(lines) - 1;
  set_errors(factors, 0);
  return true;
}

/// rounded: how often a term's weight is.
void LaneSums::set_errors(std::uint64_t factors, double rounded) {
  const auto n = static_cast<double>(factors);
  relative_ =
      relative_error(complex_, n, rounded, static_cast<double>(most_steps + 4 * GatheredTotals::most));
  shift_ = 17 * n * delta_ * delta_;
  double squares = 0;
  for (std::size_t k = 0; k < power_.size(); ++k) squares += power_[k] * rounding_[k] * rounding_[k];
  of_factors_ = squares * root_of_e * few_roundings;
  set_pair_errors();
}

/// Of the products of one or two factors that lane_products.hpp bounds together.
void LaneSums::set_pair_errors() {
  double pairs = 0;
  double squares = 0;
  double largest = 0;
  for (std::size_t k = 0; k < power_.size();) {
    const bool two = k + 1 < power_.size() && power_[k + 1] == power_[k];
    const double off =
        two ? reach_[k] * rounding_[k + 1] + reach_[k + 1] * rounding_[k] + rounding_[k] * rounding_[k + 1]
            : rounding_[k];
    pairs += power_[k];
    squares += power_[k] * off * off;
    largest = std::max(largest, off);
    k += two ? 2 : 1;
  }
  const double share = 1 / (2 * std::max(pairs, 1.0));
  inflation_ = share + 17 * pairs * largest * largest * few_roundings;
  of_sum_ = std::sqrt(relative_ * relative_ + squares * root_of_e / share) * few_roundings;
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
  weigh_lanes();
  return true;
}

/// Where every lane's weight is a double.
void LaneSums::weigh_lanes() {
  constexpr double most_weight = 0x1p53;
  double largest = 1;
  for (const Digit& digit : laned_) {
    if (digit.copies > most_walked_copies) return;
    largest *= binomial_of(digit.copies, digit.copies / 2);
  }
  if (!(largest <= most_weight)) return;
  for (const Digit& digit : laned_) {
    std::vector<double> weights;
    for (Index chosen = 0; chosen <= digit.copies; ++chosen)
      weights.push_back(chosen % 2 == 0 ? binomial_of(digit.copies, chosen)
                                        : -binomial_of(digit.copies, chosen));
    laned_weights_.push_back(std::move(weights));
  }
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

/// Precondition: laned_weights_ are there.
double LaneSums::lane_weight_as_double(std::uint64_t state) const {
  double weight = 1;
  for (const std::vector<double>& weights : laned_weights_) {
    weight *= weights[state % weights.size()];
    state /= weights.size();
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
  program.power = power_.data();
  program.inflation = inflation_;
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

Ball LaneSums::in_ball(const products::Totals& totals, unsigned lane, const Scale& scale,
                       double weights) const {
  Ball ball = zero_ball(scale.bits);
  const auto add_part = [&](BigFloat& part, std::size_t which) {
    mpfr_set_d(part.get(), totals.hi[which][lane], MPFR_RNDN);
    mpfr_add_d(part.get(), part.get(), totals.lo[which][lane], MPFR_RNDN);  // within 106 bits or so
  };
  add_part(ball.re, 0);
  if (complex_) add_part(ball.im, 1);
  // What of it is rounded to the ball's bits is less than what the product's own rounding was bounded by.
  const double bound = totals.bound[lane] * scale.of_bound + weights * lost_;
  mpfr_set_d(ball.error.get(), bound * few_roundings, MPFR_RNDU);
  scale_by_power_of_two(ball, scale.exponent);
  return ball;
}

/// A sum of what lanes find, times their weights.
class LaneSums::Gathered {
 public:
  Gathered(const LaneSums& lanes, const Scale& scale)
      : lanes_(lanes), scale_(scale), total_(zero_ball(scale.bits)) {}

  void add(const products::Totals& totals, std::uint64_t first, unsigned used) {
    if (lanes_.laned_weights_.size() < lanes_.laned_.size()) {
      for (unsigned lane = 0; lane < used; ++lane) {
        Ball part = lanes_.in_ball(totals, lane, scale_, 1);
        multiply(part, ball_from(mpq_class(lanes_.lane_weight(first + lane)), scale_.bits));
        countpm::add(total_, part);
      }
      return;
    }
    if (gathered_ == GatheredTotals::most) settle();
    ++gathered_;
    for (unsigned lane = 0; lane < used; ++lane)
      sums_.add(lane, totals, lanes_.lane_weight_as_double(first + lane));
  }
  Ball total() {
    settle();
    return std::move(total_);
  }

 private:
  void settle() {
    for (unsigned lane = 0; lane < products::most_lanes; ++lane) {
      if (sums_.weights(lane) != 0)
        countpm::add(total_, lanes_.in_ball(sums_.sum(), lane, scale_, sums_.weights(lane)));
    }
    sums_ = {};
    gathered_ = 0;
  }

  const LaneSums& lanes_;
  Scale scale_;
  Ball total_;
  GatheredTotals sums_;
  unsigned gathered_ = 0;
};

Ball LaneSums::sum(const std::vector<Digit>& digits, const std::vector<Index>& fixed, mpfr_prec_t bits,
                   WorkMeter& meter) const {
  std::vector<double> base = start_;
  for (std::size_t d = 0; d < digits.size(); ++d) {
    if (fixed[d] == 0) continue;
    for (std::size_t k = 0; k < base.size(); ++k) base[k] += fixed[d] * in_[digits[d].column][k];
  }
  Gathered gathered(*this, {exponents_, delta_ != 0 ? of_sum_ : relative_, bits});
  for_each_batch(base, meter,
                 [&](const products::Program& program, double* sums, std::uint64_t first, unsigned used) {
                   products::Totals totals{};
                   variant_.run(program, sums, totals);
                   gathered.add(totals, first, used);
                 });
  return gathered.total();
}

std::vector<Ball> LaneSums::minors(mpfr_prec_t bits, WorkMeter& meter) const {
  const std::size_t rows = power_.size();
  const AlignedPointer<double> room =
      allocate_aligned<double>((rows + 1) * 8 * products::most_lanes * sizeof(double));
  std::vector<products::Totals> totals(rows);
  std::vector<Gathered> gathered;
  gathered.reserve(rows);
  for (std::size_t place = 0; place < rows; ++place)
    gathered.emplace_back(*this, Scale{exponents_ - exponent_[place], root_of_two, bits});
  for_each_batch(start_, meter,
                 [&](const products::Program& program, double* sums, std::uint64_t first, unsigned used) {
                   variant_.run_minors(program, sums, room.get(), totals.data());
                   for (std::size_t place = 0; place < rows; ++place)
                     gathered[place].add(totals[place], first, used);
                 });
  std::vector<Ball> result(rows, zero_ball(bits));
  for (std::size_t place = 0; place < rows; ++place) result[order_[place]] = gathered[place].total();
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
