#include "graph/letters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

#include "graph/errors.hpp"
#include "graph/text.hpp"
#include "graph/weight_values.hpp"

namespace countpm {
namespace {

constexpr const char* one_term =
    "a weight, a number (a complex one as 1+2i) or a single term such as 3*x*y^-1 (a sum of terms is none)";

bool is_letter(char c) {
  return ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) && c != 'e' && c != 'E' && c != 'i' && c != 'I';
}

bool is_sign(char c) {
  return c == '+' || c == '-';
}

/// Whether the text is to be taken for a term: numbers have no other letters than e and i, but for nan and
/// infinity, which are words.
bool has_letter_of_term(std::string_view text) {
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (!is_letter(text[k])) continue;
    const bool alone_before =
        k == 0 || text[k - 1] == '*' || is_sign(text[k - 1]) || (text[k - 1] >= '0' && text[k - 1] <= '9');
    const bool alone_behind =
        k + 1 == text.size() || text[k + 1] == '*' || text[k + 1] == '^' || is_sign(text[k + 1]);
    if (alone_before && alone_behind) return true;
  }
  return false;
}

/// The exponent that the text begins with, which it then is without; 1 where there is none, and nothing where
/// it is none.
std::optional<std::int32_t> take_exponent(std::string_view& text) {
  if (text.starts_with("^")) {
    text.remove_prefix(1);
  } else if (text.starts_with("**")) {
    text.remove_prefix(2);
  } else {
    return 1;
  }
  if (text.starts_with("+") && text.size() > 1 && !is_sign(text[1])) text.remove_prefix(1);
  std::int32_t exponent = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return exponent;
}

/// False: more letters than there may be, or an exponent that is too large.
bool multiply(LetterPowers& powers, char letter, std::int64_t exponent) {
  std::size_t at = 0;
  while (at < powers.size() && powers[at].letter != 0 && powers[at].letter < letter) ++at;
  if (at < powers.size() && powers[at].letter == letter) {
    exponent += powers[at].exponent;
    std::move(powers.begin() + static_cast<std::ptrdiff_t>(at) + 1, powers.end(),
              powers.begin() + static_cast<std::ptrdiff_t>(at));
    powers.back() = {};
  }
  if (exponent == 0) return true;
  if (exponent > largest_exponent || exponent < -largest_exponent || powers.back().letter != 0) return false;
  std::move_backward(powers.begin() + static_cast<std::ptrdiff_t>(at), powers.end() - 1, powers.end());
  powers[at] = {letter, static_cast<std::int32_t>(exponent)};
  return true;
}

/// Factors parted by *; `text` has no sign.
bool take_factors(std::string_view text, LetterPowers& powers) {
  while (!text.empty()) {
    if (!is_letter(text.front())) return false;
    const char letter = text.front();
    text.remove_prefix(1);
    const std::optional<std::int32_t> exponent = take_exponent(text);
    if (!exponent || *exponent > largest_exponent || *exponent < -largest_exponent ||
        !multiply(powers, letter, *exponent))
      return false;
    if (text.empty()) return true;
    if (text.front() != '*') return false;
    text.remove_prefix(1);
  }
  return false;
}

ComplexRational product(const ComplexRational& a, const ComplexRational& b) {
  return {mpq_class(a.re * b.re - a.im * b.im), mpq_class(a.re * b.im + a.im * b.re)};
}

ComplexRational inverse(const ComplexRational& a) {
  const mpq_class norm = a.re * a.re + a.im * a.im;
  return {mpq_class(a.re / norm), mpq_class(-a.im / norm)};
}

void set_term_value(Weight& weight, ComplexRational value) {
  if (weight.kind == WeightKind::complex) {
    weight.value = std::move(value);
  } else {
    set_value(weight, std::move(value.re));
  }
}

std::string powers_text(const LetterPowers& powers) {
  std::string text;
  for (const LetterPower& one : powers) {
    if (one.letter == 0) break;
    if (!text.empty()) text += '*';
    text += one.letter;
    if (one.exponent != 1) text += fmt::format("^{}", one.exponent);
  }
  return text;
}

std::string term_text(const mpq_class& coefficient, const std::string& powers) {
  if (powers.empty()) return coefficient.get_str();
  if (coefficient == 1) return powers;
  if (coefficient == -1) return "-" + powers;
  return coefficient.get_str() + "*" + powers;
}

}  // namespace

Weight parse_weight_with_letters(std::string_view text, const std::string& name, std::uint64_t line) {
  if (!has_letter_of_term(text) || is_complex_literal(text)) return parse_weight(text, name, line);
  Weight weight;
  std::string_view rest = text;
  if (is_sign(rest.front()) && rest.size() > 1 && is_letter(rest[1])) {
    if (rest.front() == '-') weight.value = std::int64_t{-1};
    rest.remove_prefix(1);
  } else if (!is_letter(rest.front())) {
    const std::size_t times = rest.find('*');
    if (times == std::string_view::npos) throw InputError(name, line, one_term, shown(text));
    weight = parse_weight(rest.substr(0, times), name, line);
    rest.remove_prefix(times + 1);
  }
  if (!take_factors(rest, weight.powers))
    throw InputError(name, line,
                     fmt::format("{}, of at most {} letters (a to z without e and i), each to an exponent "
                                 "between -{} and {}",
                                 one_term, most_letters, largest_exponent, largest_exponent),
                     shown(text));
  if (weight.is_zero()) weight.powers = {};
  return weight;
}

LetterValues::LetterValues(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    const auto refuse = [&] {
      throw UsageError(
          fmt::format("--at {}: expected a letter and its value, such as x=1/2 or x=1/2,y=3", quoted(text)));
    };
    std::string_view rest = text;
    while (true) {
      // At the comma that begins the next one: complex values are spelt (re,im).
      std::size_t end = 0;
      int inside = 0;
      while (end < rest.size() && (rest[end] != ',' || inside != 0)) {
        if (rest[end] == '(') ++inside;
        if (rest[end] == ')') --inside;
        ++end;
      }
      const std::string_view one = rest.substr(0, end);
      if (one.size() < 3 || !is_letter(one[0]) || one[1] != '=') refuse();
      const char letter = one[0];
      if (std::any_of(values_.begin(), values_.end(), [&](const auto& v) { return v.first == letter; }))
        throw UsageError(fmt::format("--at gives the letter {} two values", letter));
      try {
        values_.emplace_back(letter, parse_weight(one.substr(2), "--at", 0));
      } catch (const InputError&) {
        refuse();
      }
      if (end == rest.size()) break;
      rest.remove_prefix(end + 1);
    }
  }
}

Weight LetterValues::put_into(Weight weight, const std::string& name, std::uint64_t line) const {
  if (values_.empty() || !weight.has_letters()) return weight;
  LetterPowers left{};
  ComplexRational value = complex_of(weight);
  std::size_t kept = 0;
  for (const LetterPower& one : weight.powers) {
    if (one.letter == 0) break;
    const auto known =
        std::find_if(values_.begin(), values_.end(), [&](const auto& v) { return v.first == one.letter; });
    if (known == values_.end()) {
      left[kept++] = one;
      continue;
    }
    if (known->second.is_zero() && one.exponent < 0)
      throw InputError(name, line, fmt::format("a value other than 0 for the letter {}", one.letter),
                       fmt::format("{}^{} at {}=0", one.letter, one.exponent, one.letter));
    weight.kind = std::max(weight.kind, known->second.kind);
    value = product(value, letter_power(complex_of(known->second), one.exponent));
  }
  weight.powers = left;
  set_term_value(weight, std::move(value));
  if (weight.is_zero()) weight.powers = {};
  return weight;
}

void LetterValues::require_all_used(const std::string& letters, const std::string& name) const {
  for (const auto& [letter, value] : values_) {
    if (letters.find(letter) != std::string::npos) continue;
    throw UsageError(
        fmt::format("--at {}=...: no weight of {} has that letter ({})", letter, quoted(name, 400),
                    letters.empty() ? "weights of files are read with --weights"
                                    : fmt::format("letters here: {}", fmt::join(letters, ", "))));
  }
}

/// By squaring.
ComplexRational letter_power(ComplexRational number, std::int32_t exponent) {
  if (exponent < 0) number = inverse(number);
  const auto size = static_cast<std::uint32_t>(std::abs(exponent));
  ComplexRational result{1, 0};
  if (number.im == 0) {
    // Powers of what is in lowest terms are.
    mpz_pow_ui(result.re.get_num_mpz_t(), number.re.get_num_mpz_t(), size);
    mpz_pow_ui(result.re.get_den_mpz_t(), number.re.get_den_mpz_t(), size);
    return result;
  }
  for (std::uint32_t left = size; left != 0; left >>= 1) {
    if (left & 1U) result = product(result, number);
    if (left > 1) number = product(number, number);
  }
  return result;
}

void note_letters(const Weight& weight, std::string& seen) {
  for (const LetterPower& one : weight.powers) {
    if (one.letter == 0) break;
    const auto at = std::lower_bound(seen.begin(), seen.end(), one.letter);
    if (at == seen.end() || *at != one.letter) seen.insert(at, one.letter);
  }
}

LetterTable::LetterTable(const LetterWeights& known) : letters_(known.letters) {
  for (std::size_t k = 2; k < known.weight.size(); ++k) {
    Term term{known.weight[k].coefficient, {}};
    for (std::size_t l = 0; l < known.letters.size(); ++l)
      multiply(term.powers, known.letters[l], known.weight[k].exponent[l]);
    number_of(std::move(term));
  }
}

std::int64_t LetterTable::number_of(const Weight& weight, const std::string& name, std::uint64_t line) {
  if (weight.kind > WeightKind::rational)
    throw InputError(name, line,
                     "integers and fractions p/q alone where weights have letters: a polynomial has exact "
                     "coefficients (--at gives letters numbers)",
                     "a decimal or complex number");
  note_letters(weight, letters_);
  if (letters_.size() > most_letters)
    throw InputError(name, line, fmt::format("weights with at most {} letters in all", most_letters),
                     fmt::format("{}", fmt::join(letters_, ", ")));
  return number_of({rational_of(weight), weight.powers});
}

std::int64_t LetterTable::sum(std::int64_t a, std::int64_t b, const std::string& name, std::uint64_t line) {
  Term result = terms_[static_cast<std::size_t>(a)];
  const Term& other = terms_[static_cast<std::size_t>(b)];
  if (result.powers != other.powers)
    throw InputError(name, line, "parallel edges with the same letters, so that their sum is one term",
                     fmt::format("{} and {}", term_text(result.coefficient, powers_text(result.powers)),
                                 term_text(other.coefficient, powers_text(other.powers))));
  result.coefficient += other.coefficient;
  return result.coefficient == 0 ? 0 : number_of(std::move(result));
}

std::int64_t LetterTable::number_of(Term term) {
  std::string text = term_text(term.coefficient, powers_text(term.powers));
  const auto [at, added] = number_.try_emplace(std::move(text), static_cast<std::int64_t>(terms_.size()));
  if (added) terms_.push_back(std::move(term));
  return at->second;
}

std::shared_ptr<const LetterWeights> LetterTable::finished() const {
  auto result = std::make_shared<LetterWeights>();
  result->letters = letters_;
  for (const Term& term : terms_) {
    Monomial& one = result->weight.emplace_back();
    one.coefficient = term.coefficient;
    for (const LetterPower& power : term.powers) {
      if (power.letter != 0) one.exponent[letters_.find(power.letter)] = power.exponent;
    }
  }
  return result;
}

std::string text_of(const Monomial& weight, const std::string& letters) {
  LetterPowers powers{};
  for (std::size_t l = 0; l < letters.size(); ++l) multiply(powers, letters[l], weight.exponent[l]);
  return term_text(weight.coefficient, powers_text(powers));
}

void refuse_letters_with(const char* what, const Graph& graph, const std::string& name) {
  if (graph.letters)
    throw UsageError(fmt::format(
        "{}: with {} weights are numbers, and here they have letters (--at x=1 gives a letter a number)",
        quoted(name), what));
}

void refuse_letters(const Graph& graph, const std::string& name) {
  if (!graph.letters) return;
  const std::string& letters = graph.letters->letters;
  throw UsageError(fmt::format(
      "{}: weights have {} {}, and only plain counts and 'explain' take polynomials; a number in its place "
      "would do (--at {}=1, where that is an option)",
      quoted(name, 400), letters.size() == 1 ? "the letter" : "the letters", fmt::join(letters, ", "),
      letters.front()));
}

}  // namespace countpm
