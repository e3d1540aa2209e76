#include "tests/products/generator/judge.hpp"

#include <cmath>
#include <stdexcept>

namespace countpm::products {
namespace {

mpq_class parse_real(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash != std::string::npos) {
    mpq_class value(mpz_class(text.substr(0, slash), 10), mpz_class(text.substr(slash + 1), 10));
    value.canonicalize();
    return value;
  }
  const std::size_t e = text.find('e');
  std::string digits = text.substr(0, e);
  long exponent = e == std::string::npos ? 0 : std::stol(text.substr(e + 1));
  const std::size_t point = digits.find('.');
  if (point != std::string::npos) {
    exponent -= static_cast<long>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  if (!digits.empty() && digits[0] == '+') digits.erase(0, 1);
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(std::labs(exponent)));
  mpq_class value{mpz_class(digits, 10)};
  if (exponent >= 0) return mpq_class(value * power);
  return mpq_class(value / power);
}

mpq_class square(const mpq_class& value) {
  return mpq_class(value * value);
}

std::string shown(const Complex& value) {
  std::string text = text_of(value);
  if (text.size() > 200) text.replace(200, std::string::npos, "...");
  if (value.im == 0) text += " = " + std::to_string(value.re.get_d());
  return text;
}

Fault differs(const Complex& truth, const std::string& said) {
  return "it is " + shown(truth) + ", not " + said;
}

}  // namespace

Complex parse_number(const std::string& text) {
  try {
    if (text.empty() || text[0] != '(') return {parse_real(text), 0};
    const std::size_t comma = text.find(',');
    return {parse_real(text.substr(1, comma - 1)),
            parse_real(text.substr(comma + 1, text.size() - comma - 2))};
  } catch (const std::exception&) {
    throw std::invalid_argument("no number: '" + text + "'");
  }
}

Fault judge_text(const Complex& truth, const std::string& digits, const std::string& error, bool floating) {
  const Complex said = parse_number(digits);
  const mpq_class bound = error.empty() ? mpq_class(0) : parse_number(error).re;
  if (bound != 0 && !floating) return "it is to be exact, and has the error bound " + error;
  const Complex off = truth - said;
  if (square(off.re) + square(off.im) > square(bound))
    return differs(truth, digits + (bound == 0 ? "" : ", which is off by at most " + error));
  // Both are rounded to two digits then, the bound upwards.
  const mpq_class rounded_to(5, 4);
  if (bound != 0 && square(bound) > square(rounded_to) * (square(said.re) + square(said.im)) && !said.zero())
    return "no digit of " + digits + " is certain: the error bound is " + error;
  return {};
}

Fault judge_value(const Complex& truth, const Value& value, bool floating) {
  if (const auto* integer = std::get_if<mpz_class>(&value))
    return truth.im == 0 && truth.re == *integer ? Fault() : differs(truth, integer->get_str());
  if (const auto* fraction = std::get_if<mpq_class>(&value))
    return truth.im == 0 && truth.re == *fraction ? Fault() : differs(truth, fraction->get_str());
  const auto near = [&](const Complex& middle, double radius) -> Fault {
    if (!std::isfinite(radius)) return {};
    const Complex off = truth - middle;
    return square(off.re) + square(off.im) <= square(mpq_class(radius))
               ? Fault()
               : differs(truth,
                         shown(middle) + ", in doubles, which is off by at most " + std::to_string(radius));
  };
  if (const auto* ball = std::get_if<RealBall>(&value)) {
    Fault fault = judge_text(truth, ball->digits, ball->error, floating);
    return !fault.empty() || !std::isfinite(ball->middle) ? fault
                                                          : near({mpq_class(ball->middle), 0}, ball->radius);
  }
  const auto& ball = std::get<ComplexBall>(value);
  Fault fault = judge_text(truth, ball.digits, ball.error, floating);
  if (!fault.empty() || !std::isfinite(ball.middle.real()) || !std::isfinite(ball.middle.imag()))
    return fault;
  return near({mpq_class(ball.middle.real()), mpq_class(ball.middle.imag())}, ball.radius);
}

Fault judge_double(const Complex& truth, double value) {
  const mpq_class off = truth.re - mpq_class(value);
  const mpq_class ulp = truth.re / mpq_class(mpz_class(1) << 52);
  return truth.im == 0 && square(off) <= square(ulp) ? Fault() : differs(truth, std::to_string(value));
}

Fault judge_log(const Complex& truth, double ln, double error) {
  if (truth.zero()) return std::isinf(ln) && ln < 0 ? Fault() : "the sum is 0, and ln not -infinity";
  const double right = natural_log(truth.re);
  return std::fabs(right - ln) <= error + 0x1p-52 * std::fabs(right)
             ? Fault()
             : "ln is " + std::to_string(right) + ", not " + std::to_string(ln) + " +- " +
                   std::to_string(error);
}

Fault judge_polynomial(const Sum& truth, const Polynomial& polynomial) {
  Sum said;
  for (const PolynomialTerm& term : polynomial.terms) {
    Exponents exponents{};
    for (std::size_t l = 0; l < polynomial.variables.size(); ++l)
      exponents[polynomial.variables[l] == 'x' ? 0 : 1] = static_cast<int>(term.exponents[l]);
    if (term.coefficient == 0) return "a term is 0";
    said += Sum(Complex{term.coefficient, 0}, exponents);
  }
  if (said == truth) return {};
  std::string text = "the polynomial has " + std::to_string(truth.terms().size()) + " terms, not these " +
                     std::to_string(said.terms().size()) + ":";
  for (const auto& [exponents, value] : said.terms())
    text +=
        " " + text_of(value) + " x^" + std::to_string(exponents[0]) + " y^" + std::to_string(exponents[1]);
  text += "; but";
  for (const auto& [exponents, value] : truth.terms())
    text +=
        " " + text_of(value) + " x^" + std::to_string(exponents[0]) + " y^" + std::to_string(exponents[1]);
  return text;
}

namespace {

Fault judge_coefficients(const Truth& truth, const CountResult& result) {
  const std::vector<Sum> right = truth.coefficients();
  for (std::size_t k = 0; k < std::max(right.size(), result.coefficients.size()); ++k) {
    const Complex value = k < right.size() ? right[k].at_one() : Complex{};
    const Complex said = k < result.coefficients.size() ? Complex{result.coefficients[k], 0} : Complex{};
    if (!(value == said)) return "coefficient " + std::to_string(k) + ": " + differs(value, text_of(said));
  }
  return {};
}

}  // namespace

Fault judge_count(const Truth& truth, const CountResult& result, const Product& product,
                  const Instance& instance) {
  const Question question = product.question();
  for (const auto& check : result.checks)
    if (check.ran && !check.ok) return "a check failed: " + check.name;
  if (question == Question::ground_min || question == Question::ground_max) {
    if (!result.input.ground_states) return "nothing is said of ground states";
    const std::optional<Least> least = truth.least(question == Question::ground_max);
    if (least.has_value() != result.input.ground_states->weight.has_value())
      return least ? "there are ground states" : "there are no ground states";
    if (least && least->sum != *result.input.ground_states->weight)
      return "weight: " + differs({least->sum, 0}, result.input.ground_states->weight->get_str());
    return judge_value({mpq_class(least ? least->number : mpz_class(0)), 0}, result.value, false);
  }
  if (question == Question::matching_polynomial || question == Question::ring_polynomial) {
    Fault fault = judge_coefficients(truth, result);
    if (!fault.empty()) return fault;
  }
  const Sum right = truth.sum();
  if (result.polynomial) {
    Fault fault = judge_polynomial(right, *result.polynomial);
    if (!fault.empty()) return fault;
  } else if (std::any_of(right.terms().begin(), right.terms().end(),
                         [](const auto& term) { return term.first[0] != 0 || term.first[1] != 0; })) {
    return "it is a polynomial";
  }
  const Complex value = right.at_one();
  Fault fault = judge_value(value, result.value, instance.floating);
  if (!fault.empty()) return fault;
  return judge_text(value, result.count, result.exact ? std::string() : result.error_bound,
                    instance.floating);
}

}  // namespace countpm::products
