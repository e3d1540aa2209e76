#include "src/number/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "kernels/arithmetic/ball.hpp"
#include "src/number/decimal_text.hpp"
#include "src/number/point_residues.hpp"

namespace countpm {
namespace {

constexpr double log10_of_2 = 0.30102999566398120;
constexpr int digits_of_errors = 2;

double log2_of(const mpz_class& integer) {
  if (integer == 0) return -std::numeric_limits<double>::infinity();
  std::int64_t exponent = 0;
  const double mantissa = std::abs(mpz_get_d_2exp(&exponent, integer.get_mpz_t()));
  return std::log2(mantissa) + static_cast<double>(exponent);
}

double log2_of(const BigFloat& value) {
  if (value.is_zero()) return -std::numeric_limits<double>::infinity();
  std::int64_t exponent = 0;
  const double mantissa = std::abs(mpfr_get_d_2exp(&exponent, value.get(), MPFR_RNDA));
  return std::log2(mantissa) + static_cast<double>(exponent);
}

double log2_of(const Ball& ball) {
  BigFloat modulus(ball.re.bits());
  mpfr_hypot(modulus.get(), ball.re.get(), ball.im.get(), MPFR_RNDU);
  return log2_of(modulus);
}

double log2_of(const Number& number) {
  if (const auto* exact = std::get_if<mpq_class>(&number)) {
    return log2_of(mpz_class(exact->get_num())) - (*exact == 0 ? 0 : log2_of(mpz_class(exact->get_den())));
  }
  return log2_of(std::get<Ball>(number));
}

/// The place of a number's first digit: 2 of 345, -1 of 0.5.
std::int64_t first_place(const BigFloat& value) {
  const std::string text = value.to_string(2, MPFR_RNDZ);
  return std::stoll(text.substr(text.find('e') + 1));
}

// Significant decimal digits of `part` as far as those go that its error is shown with.
int digits_of(const BigFloat& part, const BigFloat& error) {
  const int most = std::max(1, static_cast<int>(static_cast<double>(part.bits()) * log10_of_2));
  if (error.is_zero() || part.is_zero() || mpfr_number_p(part.get()) == 0) return most;
  if (mpfr_number_p(error.get()) == 0) return 1;
  const std::int64_t digits = first_place(part) - first_place(error) + digits_of_errors;
  return static_cast<int>(std::clamp<std::int64_t>(digits, 1, most));
}

/// Without zeros at the end: how far digits are certain is what the error says.
std::string text_of(const BigFloat& part, const BigFloat& error) {
  return without_end_zeros(part.to_string(digits_of(part, error)));
}

// What printing rounds away of a part, from above. Parsed with bits enough for the text to be exact but for
// the last of them, and the difference rounded away from zero.
BigFloat rounding_of(const BigFloat& part, const BigFloat& error) {
  BigFloat difference(part.bits() + 64);
  mpfr_set_str(difference.get(), text_of(part, error).c_str(), 10, MPFR_RNDN);
  BigFloat parsing(part.bits());
  mpfr_mul_2si(parsing.get(), difference.get(), -static_cast<std::int64_t>(part.bits() + 63), MPFR_RNDA);
  mpfr_abs(parsing.get(), parsing.get(), MPFR_RNDU);
  mpfr_sub(difference.get(), difference.get(), part.get(), MPFR_RNDA);
  mpfr_abs(difference.get(), difference.get(), MPFR_RNDU);
  mpfr_add(difference.get(), difference.get(), parsing.get(), MPFR_RNDU);
  return difference;
}

std::uint64_t remainder(const mpz_class& value, std::uint64_t prime) {
  return mpz_fdiv_ui(value.get_mpz_t(), prime);
}

}  // namespace

Number to_number(const Partial& partial, const ArithmeticChoice& choice) {
  if (const auto* ball = std::get_if<Ball>(&partial)) return *ball;
  Residues residues = std::get<Residues>(partial);
  if (choice.points) {
    mpq_class packed(choice.points->join(residues), choice.denominator);
    packed.canonicalize();
    return packed;
  }
  if (choice.denominator != 1) {
    for (std::size_t k = 0; k < residues.residue.size(); ++k) {
      const std::uint64_t prime = choice.arithmetic.moduli[k].prime;
      residues.residue[k] = residues.residue[k] * remainder(choice.denominator, prime) % prime;
    }
  }
  mpq_class result(join_residues(residues, choice.arithmetic.moduli, choice.is_signed), choice.denominator);
  result.canonicalize();
  return result;
}

NumberArithmetic number_arithmetic(WeightKind weight_kind, const CountOptions& options) {
  if (weight_kind < WeightKind::real) return {};
  return {weight_kind == WeightKind::complex, floating_arithmetic(options)};
}

Number to_number(const Factor& factor, const NumberArithmetic& arithmetic) {
  if (!arithmetic.complex) return std::get<mpq_class>(factor);
  return std::get<Ball>(
      std::visit([&](const auto& exact) { return from_factor(exact, arithmetic.arithmetic); }, factor));
}

namespace {

Ball to_ball(const Number& number, const NumberArithmetic& arithmetic) {
  if (const auto* ball = std::get_if<Ball>(&number)) return *ball;
  return std::get<Ball>(from_factor(std::get<mpq_class>(number), arithmetic.arithmetic));
}

}  // namespace

Ball ball_around(const Number& number) {
  constexpr mpfr_prec_t bits = 1024;
  const auto* exact = std::get_if<mpq_class>(&number);
  return exact != nullptr ? ball_from(*exact, bits) : std::get<Ball>(number);
}

Number product(const Factor& factor, const std::vector<Number>& counts, const NumberArithmetic& arithmetic) {
  Number total = to_number(factor, arithmetic);
  std::vector<mpq_class> exact;
  for (const Number& count : counts) {
    if (const auto* number = std::get_if<mpq_class>(&count)) exact.push_back(*number);
  }
  if (!exact.empty()) multiply(total, product(std::move(exact)), arithmetic);
  for (const Number& count : counts) {
    if (std::holds_alternative<Ball>(count)) multiply(total, count, arithmetic);
  }
  return total;
}

void multiply(Number& into, const Number& factor, const NumberArithmetic& arithmetic) {
  if (auto* exact = std::get_if<mpq_class>(&into);
      exact != nullptr && std::holds_alternative<mpq_class>(factor)) {
    *exact *= std::get<mpq_class>(factor);
    return;
  }
  Partial product = to_ball(into, arithmetic);
  multiply(product, Partial(to_ball(factor, arithmetic)), arithmetic.arithmetic);
  into = std::get<Ball>(std::move(product));
}

std::string to_string(const Number& number) {
  if (const auto* exact = std::get_if<mpq_class>(&number)) return exact->get_str();
  const auto& ball = std::get<Ball>(number);
  std::string re = text_of(ball.re, ball.error);
  if (ball.im.is_zero()) return re;
  return fmt::format("({},{})", re, text_of(ball.im, ball.error));
}

std::string error_string(const Number& number) {
  const auto* ball = std::get_if<Ball>(&number);
  if (ball == nullptr) return "";
  // The bound is on the number as it is printed: the ball's error and what the digits round away.
  BigFloat total = rounding_of(ball->re, ball->error);
  if (!ball->im.is_zero()) {
    const BigFloat im = rounding_of(ball->im, ball->error);
    mpfr_hypot(total.get(), total.get(), im.get(), MPFR_RNDU);
  }
  mpfr_add(total.get(), total.get(), ball->error.get(), MPFR_RNDU);
  return total.to_string(digits_of_errors, MPFR_RNDU);
}

namespace {

/// How far a double is from the number in the middle of a ball, with the ball's error: rounded up, and never
/// below the error of its digits.
double radius_of(const Ball& ball, const std::string& error) {
  const auto off = [](const BigFloat& part) {
    BigFloat difference(part.bits() + 64);
    mpfr_sub_d(difference.get(), part.get(), part.to_double(), MPFR_RNDA);
    return difference;
  };
  BigFloat total = off(ball.re);
  const BigFloat im = off(ball.im);
  mpfr_hypot(total.get(), total.get(), im.get(), MPFR_RNDU);
  mpfr_add(total.get(), total.get(), ball.error.get(), MPFR_RNDU);
  if (mpfr_number_p(total.get()) == 0) return std::numeric_limits<double>::infinity();
  BigFloat of_digits;
  mpfr_set_str(of_digits.get(), error.c_str(), 10, MPFR_RNDU);
  mpfr_max(total.get(), total.get(), of_digits.get(), MPFR_RNDU);
  return total.to_double(MPFR_RNDU);
}

}  // namespace

double nearest_double(const mpz_class& numerator, const mpz_class& denominator) {
  BigFloat quotient;
  BigFloat divisor;
  mpfr_set_z(quotient.get(), numerator.get_mpz_t(), MPFR_RNDN);
  mpfr_set_z(divisor.get(), denominator.get_mpz_t(), MPFR_RNDN);
  mpfr_div(quotient.get(), quotient.get(), divisor.get(), MPFR_RNDN);
  return quotient.to_double();
}

NumberText shown_number(const Number& number, WeightKind weight_kind, unsigned precision_bits) {
  const auto* exact = std::get_if<mpq_class>(&number);
  if (exact == nullptr) return {to_string(number), error_string(number), false};
  if (weight_kind != WeightKind::real) return {to_string(number), "", true};
  DecimalText text = decimal_text(*exact, decimal_digits(precision_bits));
  const bool all = text.error.empty();
  return {std::move(text.digits), std::move(text.error), all};
}

namespace {

/// An exact decimal as a ball around the nearest double.
RealBall ball_of_decimal(const mpq_class& exact, unsigned precision_bits) {
  DecimalText text = decimal_text(exact, decimal_digits(precision_bits));
  if (text.error.empty()) text.error = "0";
  const double middle = nearest_double(exact.get_num(), exact.get_den());
  double radius = std::numeric_limits<double>::infinity();
  if (std::isfinite(middle)) {
    BigFloat off;
    mpfr_set_q(off.get(), mpq_class(abs(exact - mpq_class(middle))).get_mpq_t(), MPFR_RNDU);
    BigFloat of_digits;
    mpfr_set_str(of_digits.get(), text.error.c_str(), 10, MPFR_RNDU);
    mpfr_max(off.get(), off.get(), of_digits.get(), MPFR_RNDU);
    radius = off.to_double(MPFR_RNDU);
  }
  return RealBall{middle, radius, std::move(text.digits), std::move(text.error)};
}

}  // namespace

Value to_value(const Number& number, WeightKind weight_kind, unsigned precision_bits) {
  if (const auto* exact = std::get_if<mpq_class>(&number)) {
    if (weight_kind == WeightKind::real) return ball_of_decimal(*exact, precision_bits);
    if (exact->get_den() == 1) return mpz_class(exact->get_num());
    return *exact;
  }
  const auto& ball = std::get<Ball>(number);
  std::string error = error_string(number);
  const double radius = radius_of(ball, error);
  if (weight_kind == WeightKind::complex) {
    const std::complex<double> middle(ball.re.to_double(), ball.im.to_double());
    return ComplexBall{middle, radius, to_string(number), std::move(error)};
  }
  return RealBall{ball.re.to_double(), radius, to_string(number), std::move(error)};
}

double log10_of(const Number& number) {
  return log2_of(number) * log10_of_2;
}

double log2_above(const Number& number) {
  double result = log2_of(number);
  if (const auto* ball = std::get_if<Ball>(&number)) {
    if (!ball->error.is_zero()) {
      BigFloat far(ball->re.bits());
      mpfr_hypot(far.get(), ball->re.get(), ball->im.get(), MPFR_RNDU);
      mpfr_add(far.get(), far.get(), ball->error.get(), MPFR_RNDU);
      result = log2_of(far);
    }
  }
  return result + std::abs(result) * 4 * std::numeric_limits<double>::epsilon();
}

bool is_certain(const Number& number) {
  const auto* ball = std::get_if<Ball>(&number);
  if (ball == nullptr || ball->error.is_zero()) return true;
  BigFloat modulus(ball->re.bits());
  mpfr_hypot(modulus.get(), ball->re.get(), ball->im.get(), MPFR_RNDD);
  return mpfr_greater_p(modulus.get(), ball->error.get()) != 0;
}

}  // namespace countpm
