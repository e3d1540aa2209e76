#include "graph/parse_weight.hpp"

#include <cfloat>
#include <limits>
#include <optional>
#include <utility>

#include "graph/errors.hpp"
#include "graph/number_dialects.hpp"
#include "graph/text.hpp"
#include "graph/weight_values.hpp"

namespace countpm {
namespace {

constexpr const char* any_weight = "a weight (7, -2/3, 0.25, 1e-3, (re,im) or a+bi)";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

struct Place {
  const std::string& name;
  std::uint64_t line;

  [[noreturn]] void fail(std::string expected, std::string found) const {
    throw InputError(name, line, std::move(expected), std::move(found));
  }
};

// The length of a real literal at the start of `text` (with its sign), or 0 where there is none: integer, p/q
// or decimal.
std::size_t literal_length(std::string_view text) {
  std::size_t at = 0;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  const std::size_t digits_start = at;
  while (at < text.size() && is_digit(text[at])) ++at;
  std::size_t digits = at - digits_start;
  if (digits > 0 && at < text.size() && text[at] == '/') {
    const std::size_t denominator = ++at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at > denominator ? at : 0;
  }
  if (at < text.size() && text[at] == '.') {
    const std::size_t fraction = ++at;
    while (at < text.size() && is_digit(text[at])) ++at;
    digits += at - fraction;
  }
  if (digits == 0) return 0;
  if (at < text.size() && std::string_view("eEdD").find(text[at]) != std::string_view::npos) {
    std::size_t exponent = at + 1;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
    const std::size_t first = exponent;
    while (exponent < text.size() && is_digit(text[exponent])) ++exponent;
    return exponent > first ? exponent : 0;
  }
  return at;
}

mpz_class big_integer(std::string_view digits) {
  return mpz_class(std::string(digits), 10);
}

// A run of at most 18 digits, which fits an int64.
std::int64_t short_integer(std::string_view digits) {
  std::int64_t value = 0;
  for (const char c : digits) value = value * 10 + (c - '0');
  return value;
}

// The exponent's value, held within +-10^9: beyond that every nonzero number is out of range anyway.
std::int64_t exponent_value(std::string_view text) {
  const bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  std::int64_t value = 0;
  for (const char c : text) {
    if (value < 1'000'000'000) value = value * 10 + (c - '0');
  }
  return negative ? -value : value;
}

mpz_class power_of_ten(std::uint64_t exponent) {
  mpz_class result;
  mpz_ui_pow_ui(result.get_mpz_t(), 10, exponent);
  return result;
}

// A decimal literal: its digits without the point, times 10^exponent. Range-checked by the place of the
// leading digit before any power of ten is made, so that 1e999999999 costs nothing.
Weight parse_decimal(std::string_view text, const Place& place) {
  const std::string_view whole = text;
  const bool negative = text[0] == '-';
  if (text[0] == '-' || text[0] == '+') text.remove_prefix(1);
  std::int64_t exponent = 0;
  const std::size_t e = text.find_first_of("eEdD");
  if (e != std::string_view::npos) {
    exponent = exponent_value(text.substr(e + 1));
    text = text.substr(0, e);
  }
  std::string digits(text);
  const std::size_t point = digits.find('.');
  if (point != std::string::npos) {
    exponent -= static_cast<std::int64_t>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  const std::size_t leading = digits.find_first_not_of('0');
  Weight weight{WeightKind::real, std::int64_t{0}};
  if (leading == std::string::npos) return weight;
  digits.erase(0, leading);
  while (digits.back() == '0') {
    digits.pop_back();
    ++exponent;
  }
  const std::int64_t top =
      exponent + static_cast<std::int64_t>(digits.size()) - 1;  // 10^top <= |value| < 10^(top+1)
  const char* const range = "a real weight within the range of a double (4.9e-324 to 1.8e308)";
  if (top > DBL_MAX_10_EXP || top < -324) place.fail(range, shown(whole));
  mpq_class value(big_integer(digits));
  if (exponent >= 0) {
    value *= power_of_ten(static_cast<std::uint64_t>(exponent));
  } else {
    value = mpq_class(value.get_num(), power_of_ten(static_cast<std::uint64_t>(-exponent)));
    value.canonicalize();
  }
  if (value > mpq_class(DBL_MAX) || 2 * value <= mpq_class(std::numeric_limits<double>::denorm_min())) {
    place.fail(range, shown(whole));
  }
  if (negative) value = -value;
  set_value(weight, std::move(value));
  return weight;
}

Weight parse_integer(std::string_view text) {
  const bool negative = text[0] == '-';
  if (text[0] == '-' || text[0] == '+') text.remove_prefix(1);
  Weight weight;
  if (text.size() <= 18) {
    const std::int64_t value = short_integer(text);
    weight.value = negative ? -value : value;
    return weight;
  }
  mpq_class value(big_integer(text));
  if (negative) value = -value;
  set_value(weight, std::move(value));
  return weight;
}

Weight parse_rational(std::string_view text, std::size_t slash, const Place& place) {
  const std::string_view numerator = text.substr(text[0] == '+' ? 1 : 0, slash - (text[0] == '+' ? 1 : 0));
  const mpz_class denominator = big_integer(text.substr(slash + 1));
  if (denominator == 0) place.fail("a denominator other than 0", shown(text));
  mpq_class value(big_integer(numerator), denominator);
  value.canonicalize();
  Weight weight{WeightKind::rational, std::int64_t{0}};
  set_value(weight, std::move(value));
  return weight;
}

// A literal that literal_length() accepts as a whole.
Weight parse_literal(std::string_view text, const Place& place) {
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) return parse_rational(text, slash, place);
  if (text.find_first_of(".eEdD") != std::string_view::npos) return parse_decimal(text, place);
  return parse_integer(text);
}

mpq_class real_value(const Weight& weight) {
  if (const auto* integer = std::get_if<std::int64_t>(&weight.value)) return mpq_class(*integer);
  return std::get<mpq_class>(weight.value);
}

Weight complex_weight(const Weight& re, const Weight& im) {
  return Weight{WeightKind::complex, ComplexRational{real_value(re), real_value(im)}};
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// A coefficient of i: "", "+" and "-" stand for 1 and -1.
std::optional<Weight> coefficient(std::string_view text, const Place& place) {
  if (text.empty() || text == "+") return Weight{};
  if (text == "-") return Weight{WeightKind::integer, std::int64_t{-1}};
  if (literal_length(text) != text.size()) return std::nullopt;
  return parse_literal(text, place);
}

bool ends_in_unit(std::string_view text) {
  // j without a number before it is a letter as others.
  if (text.size() < 2 || text.back() != 'j') return text.ends_with('i');
  return is_digit(text[text.size() - 2]) || text[text.size() - 2] == '.';
}

// a+bi, bi, i, a+bj, bj: `text` ends in i or j.
std::optional<Weight> parse_with_i(std::string_view text, const Place& place) {
  text.remove_suffix(1);
  const Weight zero{WeightKind::integer, std::int64_t{0}};
  if (const auto im = coefficient(text, place)) return complex_weight(zero, *im);
  const std::size_t length = literal_length(text);
  if (length == 0 || length >= text.size() || (text[length] != '+' && text[length] != '-'))
    return std::nullopt;
  std::string_view second = text.substr(length);
  if (second.starts_with("+-")) second.remove_prefix(1);  // as NumPy's savetxt wrote it
  const auto im = coefficient(second, place);
  if (!im) return std::nullopt;
  return complex_weight(parse_literal(text.substr(0, length), place), *im);
}

// (re,im)
std::optional<Weight> parse_pair(std::string_view text, const Place& place) {
  text = text.substr(1, text.size() - 2);
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const std::string_view re = trimmed(text.substr(0, comma));
  const std::string_view im = trimmed(text.substr(comma + 1));
  if (re.empty() || im.empty() || literal_length(re) != re.size() || literal_length(im) != im.size())
    return std::nullopt;
  return complex_weight(parse_literal(re, place), parse_literal(im, place));
}

bool names_no_number(std::string_view text) {
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  std::string lower(text.substr(0, 9));
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower.starts_with("nan") || lower == "inf" || lower == "infinity";
}

}  // namespace

bool Weight::is_zero() const {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer == 0;
  if (const auto* rational = std::get_if<mpq_class>(&value)) return *rational == 0;
  const auto& complex = std::get<ComplexRational>(value);
  return complex.re == 0 && complex.im == 0;
}

bool Weight::is_one() const {
  if (has_letters()) return false;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer == 1;
  const auto* complex = std::get_if<ComplexRational>(&value);
  return complex != nullptr && complex->re == 1 && complex->im == 0;
}

Weight parse_weight(std::string_view text, const std::string& name, std::uint64_t line) {
  const Place place{name, line};
  if (!text.empty()) {
    if (literal_length(text) == text.size()) return parse_literal(text, place);
    std::optional<Weight> complex;
    if (ends_in_unit(text)) complex = parse_with_i(text, place);
    if (text.size() >= 2 && text.front() == '(' && text.back() == ')') {
      const std::string_view within = trimmed(text.substr(1, text.size() - 2));
      complex = ends_in_unit(within) ? parse_with_i(within, place) : parse_pair(text, place);
    }
    if (complex) return *std::move(complex);
    if (const auto number = rewritten_number(text)) return parse_weight(*number, name, line);
  }
  if (names_no_number(text)) place.fail("a finite weight", shown(text));
  throw InputError(name, line, any_weight, text.empty() ? "nothing" : shown(text));
}

bool is_complex_literal(std::string_view text) {
  if (text.size() < 2) return false;
  const bool pair = text.front() == '(' && text.back() == ')';
  const std::string_view within = pair ? trimmed(text.substr(1, text.size() - 2)) : text;
  const std::string unused;
  try {
    if (ends_in_unit(within) && parse_with_i(within, Place{unused, 0})) return true;
    if (pair && parse_pair(text, Place{unused, 0})) return true;
  } catch (const InputError&) {
    return true;  // one beyond the range of a double
  }
  // A unit alone may be a letter, or a label.
  if (text.find_first_of("0123456789") == std::string_view::npos) return false;
  const auto number = rewritten_number(text);
  return number && number->back() == 'i';
}

Weight parse_complex_weight(std::string_view re, std::string_view im, const std::string& name,
                            std::uint64_t line) {
  const Place place{name, line};
  for (const std::string_view part : {re, im}) {
    if (!part.empty() && literal_length(part) == part.size()) continue;
    if (names_no_number(part)) place.fail("a finite weight", shown(part));
    place.fail("a real number as part of a complex weight", part.empty() ? "nothing" : shown(part));
  }
  return complex_weight(parse_literal(re, place), parse_literal(im, place));
}

Weight negated(const Weight& weight) {
  Weight result{weight.kind, std::int64_t{0}};
  if (const auto* integer = std::get_if<std::int64_t>(&weight.value)) {
    if (*integer == std::numeric_limits<std::int64_t>::min()) {
      result.value = mpq_class(-mpq_class(*integer));
    } else {
      result.value = -*integer;
    }
  } else if (const auto* rational = std::get_if<mpq_class>(&weight.value)) {
    set_value(result, mpq_class(-*rational));
  } else {
    const auto& complex = std::get<ComplexRational>(weight.value);
    result.value = ComplexRational{mpq_class(-complex.re), mpq_class(-complex.im)};
  }
  return result;
}

Weight conjugated(const Weight& weight) {
  Weight result = weight;
  if (auto* complex = std::get_if<ComplexRational>(&result.value)) complex->im = -complex->im;
  return result;
}

}  // namespace countpm
