#include "tests/products/generator/literals.hpp"

#include <algorithm>

namespace countpm::products {
namespace {

mpz_class whole(Random& random, unsigned bits) {
  mpz_class value = 0;
  for (unsigned done = 0; done < bits; done += 32)
    value = (value << 32) + mpz_class(static_cast<unsigned long>(random.next() >> 32));
  value >>= (bits + 31) / 32 * 32 - bits;
  return value + 1;
}

/// A real number's text and value.
struct Spelt {
  std::string text;
  mpq_class value;
};

Spelt integer(Random& random, unsigned bits) {
  const mpz_class value = whole(random, bits);
  return {value.get_str(), mpq_class(value)};
}

Spelt fraction(Random& random, unsigned bits) {
  const mpz_class p = whole(random, bits);
  const mpz_class q = whole(random, bits);
  mpq_class value(p, q);
  value.canonicalize();
  return {p.get_str() + "/" + q.get_str(), value};
}

Spelt decimal(Random& random, unsigned bits) {
  const mpz_class digits = whole(random, bits + 4);
  std::string text = digits.get_str();
  const auto places = static_cast<std::size_t>(random.between(1, static_cast<int>(text.size()) + 2));
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, places);
  mpq_class value(digits, power);
  value.canonicalize();
  if (random.once_in(4)) return {text + "e-" + std::to_string(places), value};
  if (text.size() <= places) text.insert(0, places + 1 - text.size(), '0');
  text.insert(text.size() - places, ".");
  return {text, value};
}

/// A decimal with few digits that a double has.
Spelt dyadic(Random& random) {
  const int eighths = random.between(1, 80);
  mpq_class value(eighths, 8);
  value.canonicalize();
  mpq_class thousandths = value * 1000;
  std::string text = thousandths.get_num().get_str();
  if (text.size() < 4) text.insert(0, 4 - text.size(), '0');
  text.insert(text.size() - 3, ".");
  return {text, value};
}

Spelt negated(Spelt number) {
  number.text = number.text[0] == '-' ? number.text.substr(1) : "-" + number.text;
  number.value = -number.value;
  return number;
}

enum class Ring { integer, fraction, decimal };

Spelt real(Ring ring, const Alphabet& alphabet, Random& random, bool signs) {
  Spelt number;
  switch (ring) {
    case Ring::integer:
      number = integer(random, alphabet.bits);
      break;
    case Ring::fraction:
      number = random.once_in(4) ? integer(random, alphabet.bits) : fraction(random, alphabet.bits);
      break;
    case Ring::decimal:
      number = alphabet.dyadic     ? dyadic(random)
               : random.once_in(4) ? integer(random, alphabet.bits)
                                   : decimal(random, alphabet.bits);
      break;
  }
  return signs && random.once_in(2) ? negated(number) : number;
}

Literal of_real(const Spelt& number) {
  Literal literal;
  literal.text = literal.re = number.text;
  literal.value = number.value;
  literal.floating = number.text.find_first_of(".e") != std::string::npos;
  return literal;
}

std::string complex_text(const std::string& re, const std::string& im, bool pair) {
  if (pair || im.find('/') != std::string::npos || im.find('e') != std::string::npos)
    return "(" + re + "," + im + ")";
  return re + (im[0] == '-' ? "" : "+") + im + "i";
}

Literal complex(Ring ring, const Alphabet& alphabet, Random& random) {
  const Spelt re = random.once_in(5) ? Spelt{"0", 0} : real(ring, alphabet, random, true);
  const Spelt im = real(ring, alphabet, random, true);
  Literal literal;
  literal.re = re.text;
  literal.im = im.text;
  literal.text = complex_text(re.text, im.text, random.once_in(2));
  literal.value = Complex{re.value, im.value};
  literal.floating = true;
  return literal;
}

Sum power(const Sum& base, int exponent) {
  Sum value = 1;
  for (int k = 0; k < std::abs(exponent); ++k) value = value * base;
  if (exponent >= 0) return value;
  return Complex{1, 0} / value.at_one();
}

/// A coefficient times powers of letters; those that `put` says something of have a value.
Literal term(const Alphabet& alphabet, Random& random, bool fractions, int letters, bool x_has_value) {
  Literal literal;
  const bool bare = random.once_in(3);
  const Spelt coefficient =
      bare ? Spelt{"1", 1} : real(fractions ? Ring::fraction : Ring::integer, alphabet, random, fractions);
  literal.value = coefficient.value;
  std::string text = bare ? "" : coefficient.text;
  for (int l = 0; l < letters; ++l) {
    int exponent = random.between(fractions ? -2 : 0, 2);
    if (random.once_in(4)) exponent = 0;
    if (exponent == 0) continue;
    if (!text.empty()) text += '*';
    text += l == 0 ? 'x' : 'y';
    if (exponent != 1 || random.once_in(4)) text += "^" + std::to_string(exponent);
    if (l == 0 && x_has_value) {
      literal.value = literal.value * power(Sum(alphabet.x), exponent);
    } else {
      Exponents exponents{};
      exponents[static_cast<std::size_t>(l)] = exponent;
      literal.value = literal.value * Sum(Complex{1, 0}, exponents);
    }
  }
  literal.text = text.empty() ? "1" : text;
  return literal;
}

Ring ring_of(Weights kind) {
  switch (kind) {
    case Weights::fraction:
    case Weights::negative_fraction:
    case Weights::complex_fraction:
    case Weights::inverse_letter:
    case Weights::at_fraction:
      return Ring::fraction;
    case Weights::decimal:
    case Weights::negative_decimal:
    case Weights::exact_decimal:
    case Weights::complex_decimal:
    case Weights::exact_complex:
    case Weights::at_decimal:
      return Ring::decimal;
    default:
      return Ring::integer;
  }
}

}  // namespace

Literal draw_weight(const Alphabet& alphabet, Random& random) {
  const Ring ring = ring_of(alphabet.kind);
  switch (alphabet.kind) {
    case Weights::none: {
      Literal one;
      one.text = one.re = "1";
      return one;
    }
    case Weights::unused:
    case Weights::integer:
    case Weights::fraction:
    case Weights::decimal:
      return of_real(real(ring, alphabet, random, false));
    case Weights::negative:
    case Weights::negative_fraction:
    case Weights::negative_decimal:
    case Weights::exact_decimal:
      return of_real(real(ring, alphabet, random, true));
    case Weights::zero:
      return of_real(random.once_in(5) ? Spelt{"0", 0} : real(ring, alphabet, random, random.once_in(3)));
    case Weights::complex_integer:
    case Weights::complex_fraction:
    case Weights::complex_decimal:
    case Weights::exact_complex:
      return random.once_in(4) ? of_real(real(ring, alphabet, random, true))
                               : complex(ring, alphabet, random);
    case Weights::letter:
      return term(alphabet, random, false, 1, false);
    case Weights::inverse_letter:
      return term(alphabet, random, true, 1, false);
    case Weights::two_letters:
      return term(alphabet, random, random.once_in(2), 2, false);
    case Weights::at_integer:
    case Weights::at_fraction:
    case Weights::at_decimal:
    case Weights::at_complex:
      return term(alphabet, random, random.once_in(2), 1, true);
    case Weights::at_one_of_two:
      return term(alphabet, random, random.once_in(2), 2, true);
    case Weights::ended:
      break;
  }
  return {};
}

Literal draw_number(const Alphabet& alphabet, Random& random) {
  const Ring ring = ring_of(alphabet.kind);
  switch (alphabet.kind) {
    case Weights::none:
    case Weights::unused:
      return of_real(real(random.once_in(2) ? Ring::integer : Ring::fraction, alphabet, random, false));
    case Weights::negative:
    case Weights::negative_fraction:
    case Weights::negative_decimal:
    case Weights::exact_decimal:
      return of_real(real(ring, alphabet, random, true));
    case Weights::complex_integer:
    case Weights::complex_fraction:
    case Weights::complex_decimal:
    case Weights::exact_complex:
      return complex(ring, alphabet, random);
    case Weights::inverse_letter:
      return of_real(real(ring, alphabet, random, true));
    default:
      return of_real(real(ring, alphabet, random, false));
  }
}

Literal draw_positive(const Alphabet& alphabet, Random& random) {
  Alphabet positive = alphabet;
  if (ring_of(alphabet.kind) == Ring::fraction) return of_real(real(Ring::fraction, alphabet, random, false));
  if (ring_of(alphabet.kind) == Ring::decimal) return of_real(real(Ring::decimal, alphabet, random, false));
  return of_real(real(Ring::integer, positive, random, false));
}

Literal draw_value(Weights kind, Random& random) {
  Alphabet small;
  small.bits = 3;
  switch (kind) {
    case Weights::at_fraction:
      return of_real(real(Ring::fraction, small, random, true));
    case Weights::at_decimal:
      return of_real(decimal(random, 3));
    case Weights::at_complex: {
      Literal literal = complex(Ring::integer, small, random);
      literal.text = complex_text(literal.re, literal.im, false);
      return literal;
    }
    default:
      return of_real(real(Ring::integer, small, random, true));
  }
}

Literal negated(const Literal& literal) {
  const auto minus = [](const std::string& text) { return text[0] == '-' ? text.substr(1) : "-" + text; };
  Literal result = literal;
  result.value = literal.value * Sum(-1);
  if (literal.re.empty()) {
    result.text =
        minus(literal.text[0] == 'x' || literal.text[0] == 'y' ? "1*" + literal.text : literal.text);
  } else if (literal.im.empty()) {
    result.text = result.re = minus(literal.text);
  } else {
    result.re = literal.re == "0" ? literal.re : minus(literal.re);
    result.im = minus(literal.im);
    result.text = complex_text(result.re, result.im, true);
  }
  return result;
}

}  // namespace countpm::products
