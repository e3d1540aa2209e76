#include "src/words/recurrence_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "src/text/format_number.hpp"

namespace countpm::words {
namespace {

/// "a(n) = a(n-1) + 5 a(n-2) - a(n-8)"
std::string recurrence_text(const FamilyRecurrence& result) {
  std::string text;
  const std::vector<mpq_class> coefficients = result.coefficients();
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    const mpq_class& one = coefficients[i];
    if (one == 0) continue;
    const mpq_class size = abs(one);
    text += text.empty() ? (one < 0 ? "-" : "") : one < 0 ? " - " : " + ";
    if (size != 1) text += size.get_str() + " ";
    text += fmt::format("a(n-{})", (i + 1) * result.step);
  }
  return "a(n) = " + (text.empty() ? "0" : text);
}

/// In x^n: b's numerator and denominator with x^step for x, and x^first before them.
std::string generating_text(const FamilyRecurrence& result) {
  const auto spread = [&](const std::vector<mpq_class>& polynomial, std::uint64_t shift) {
    std::vector<mpq_class> wide(polynomial.empty() ? 0 : shift + (polynomial.size() - 1) * result.step + 1);
    for (std::size_t k = 0; k < polynomial.size(); ++k) wide[shift + k * result.step] = polynomial[k];
    return polynomial_text(wide, "x");
  };
  const std::string above = spread(result.recurrence.numerator, result.first);
  const std::string below = spread(result.recurrence.denominator, 0);
  return below == "1" ? above : fmt::format("({})/({})", above, below);
}

std::string values_text(const FamilyRecurrence& result) {
  std::string text;
  for (std::size_t k = 0; k < result.values.size(); ++k)
    text += fmt::format("{}a({}) = {}", k == 0 ? "" : ", ", result.first + k * result.step,
                        result.values[k].get_str());
  return text;
}

/// By falling degree.
std::string characteristic_text(const FamilyRecurrence& result) {
  const std::vector<mpq_class> polynomial = result.characteristic();
  std::string text;
  for (std::size_t k = polynomial.size(); k-- > 0;) {
    if (polynomial[k] == 0) continue;
    std::vector<mpq_class> term(k + 1);
    term[k] = abs(polynomial[k]);
    text += text.empty() ? (polynomial[k] < 0 ? "-" : "") : polynomial[k] < 0 ? " - " : " + ";
    text += polynomial_text(term, "t");
  }
  return text;
}

std::string growth_text(const FamilyRecurrence& result) {
  if (!result.growth) return "not told: terms of both signs, or no root above 0";
  const std::string steps = result.step == 1 ? "a(n+1) / a(n)" : fmt::format("a(n+{}) / a(n)", result.step);
  return fmt::format("{} tends to the largest root of {}, from {} to {}", steps, characteristic_text(result),
                     decimal_text(result.growth->lower, false), decimal_text(result.growth->upper, true));
}

std::string certainty_text(const FamilyRecurrence& result) {
  const std::string found = fmt::format("found from {} and checked on {} further ones, n = {} to {}",
                                        counted(result.terms - result.checked, "term"), result.checked,
                                        result.counted_from, result.counted_to);
  if (result.proved)
    return fmt::format("{}; proved: the transfer matrix has {} states, and {} terms decide", found,
                       *result.order_bound, *result.order_bound + result.recurrence.order);
  if (result.order_bound)
    return fmt::format("{}; not proved: the transfer matrix has {} states, and {} terms would decide", found,
                       *result.order_bound, *result.order_bound + result.recurrence.order);
  return found + "; not proved";
}

}  // namespace

std::string decimal_text(const mpq_class& number, bool upwards) {
  constexpr unsigned digits = 15;
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, digits);
  const mpz_class scaled_numerator = number.get_num() * power;
  mpz_class scaled;
  if (upwards) {
    mpz_cdiv_q(scaled.get_mpz_t(), scaled_numerator.get_mpz_t(), number.get_den_mpz_t());
  } else {
    mpz_fdiv_q(scaled.get_mpz_t(), scaled_numerator.get_mpz_t(), number.get_den_mpz_t());
  }
  std::string text = mpz_class(abs(scaled)).get_str();
  if (text.size() <= digits) text.insert(0, digits + 1 - text.size(), '0');
  text.insert(text.size() - digits, ".");
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return (scaled < 0 ? "-" : "") + text;
}

std::vector<Fact> recurrence_facts(const FamilyRecurrence& result) {
  const std::string among = result.step == 1 ? ""
                                             : fmt::format(", among n = {} + {} k; all other terms are 0",
                                                           result.first, result.step);
  std::vector<Fact> facts{{"order", fmt::format("{}{}", result.recurrence.order, among)}};
  if (result.recurrence.order == 0) {
    facts.push_back({"recurrence", "every term is 0"});
  } else {
    facts.push_back({"recurrence", fmt::format("{} from n = {} on", recurrence_text(result),
                                               result.first + result.step * result.recurrence.order)});
    facts.push_back({"terms", values_text(result)});
    facts.push_back({"function", generating_text(result)});
    facts.push_back({"growth", growth_text(result)});
  }
  facts.push_back({"certainty", certainty_text(result)});
  return facts;
}

}  // namespace countpm::words
