#include "src/number/linear_recurrence.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "graph/stop_signal.hpp"
#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/arithmetic/prime_ring.hpp"

namespace countpm {
namespace {

using TermResidue = PrimeRing::Element;

/// The terms modulo the ring's prime; nothing where it divides a denominator.
std::optional<std::vector<TermResidue>> terms_modulo(const std::vector<mpq_class>& terms,
                                                     const PrimeRing& ring) {
  std::vector<TermResidue> result;
  result.reserve(terms.size());
  for (const mpq_class& term : terms) {
    if (mpz_divisible_ui_p(term.get_den_mpz_t(), ring.prime()) != 0) return std::nullopt;
    result.push_back(ring.from_mpq(term));
  }
  return result;
}

struct Register {
  std::vector<TermResidue> connection;  // 1 at the beginning
  std::size_t length = 0;
};

Register shortest_register(const std::vector<TermResidue>& terms, const PrimeRing& ring) {
  Register now{{ring.one()}, 0};
  std::vector<TermResidue> before{ring.one()};  // the connection before `length` last grew
  TermResidue discrepancy_before = ring.one();
  std::size_t since = 1;
  for (std::size_t k = 0; k < terms.size(); ++k, ++since) {
    check_stop();
    TermResidue discrepancy = terms[k];
    for (std::size_t i = 1; i < now.connection.size() && i <= k; ++i)
      ring.add_to(discrepancy, ring.mul(now.connection[i], terms[k - i]));
    if (ring.is_zero(discrepancy)) continue;
    const TermResidue factor = ring.mul(discrepancy, ring.inverse(discrepancy_before));
    std::vector<TermResidue> next = now.connection;
    if (next.size() < before.size() + since) next.resize(before.size() + since, ring.zero());
    for (std::size_t i = 0; i < before.size(); ++i) ring.sub_to(next[i + since], ring.mul(factor, before[i]));
    if (2 * now.length <= k) {
      before = std::move(now.connection);
      discrepancy_before = discrepancy;
      now.length = k + 1 - now.length;
      since = 0;
    }
    now.connection = std::move(next);
  }
  while (now.connection.size() > 1 && ring.is_zero(now.connection.back())) now.connection.pop_back();
  return now;
}

/// The fraction with numerator and denominator below sqrt(modulus / 2) that is the residue; nothing where
/// there is none.
std::optional<mpq_class> fraction_of(const mpz_class& residue, const mpz_class& modulus) {
  const mpz_class bound = sqrt(mpz_class(modulus / 2));
  mpz_class r0 = modulus;
  mpz_class r1 = residue;
  mpz_class t0 = 0;
  mpz_class t1 = 1;
  while (r1 > bound) {
    const mpz_class quotient = r0 / r1;
    r0 -= quotient * r1;
    std::swap(r0, r1);
    t0 -= quotient * t1;
    std::swap(t0, t1);
  }
  if (t1 == 0 || abs(t1) > bound || gcd(r1, t1) != 1) return std::nullopt;
  return t1 < 0 ? mpq_class(-r1, -t1) : mpq_class(r1, t1);
}

std::optional<std::vector<mpq_class>> fractions_of(const std::vector<mpz_class>& residues,
                                                   const mpz_class& modulus) {
  std::vector<mpq_class> result;
  for (const mpz_class& residue : residues) {
    std::optional<mpq_class> one = fraction_of(residue, modulus);
    if (!one) return std::nullopt;
    result.push_back(*std::move(one));
  }
  return result;
}

void drop_zeros(std::vector<mpq_class>& polynomial) {
  while (!polynomial.empty() && polynomial.back() == 0) polynomial.pop_back();
}

/// sum_i denominator[i] terms[k - i].
mpq_class product_term(const std::vector<mpq_class>& denominator, const std::vector<mpq_class>& terms,
                       std::size_t k) {
  mpq_class sum = 0;
  for (std::size_t i = 0; i < denominator.size() && i <= k; ++i)
    if (denominator[i] != 0) sum += denominator[i] * terms[k - i];
  return sum;
}

std::vector<mpq_class> numerator_of(const std::vector<mpq_class>& denominator,
                                    const std::vector<mpq_class>& terms, std::size_t order) {
  std::vector<mpq_class> numerator;
  for (std::size_t k = 0; k < order; ++k) numerator.push_back(product_term(denominator, terms, k));
  drop_zeros(numerator);
  return numerator;
}

bool holds_for(const std::vector<mpq_class>& denominator, const std::vector<mpq_class>& terms,
               std::size_t order) {
  for (std::size_t k = order; k < terms.size(); ++k) {
    check_stop();
    if (product_term(denominator, terms, k) != 0) return false;
  }
  return true;
}

mpq_class value_at(const std::vector<mpz_class>& polynomial, const mpq_class& x) {
  mpq_class value = 0;
  for (std::size_t k = polynomial.size(); k-- > 0;) value = value * x + polynomial[k];
  return value;
}

/// The changes of sign among the coefficients of p(x + shift): at least as many roots are above the shift,
/// and if it is 0 none is. The shift is a / 2^b; all is multiplied by a power of two.
std::size_t changes_above(std::vector<mpz_class> polynomial, const mpq_class& shift) {
  const std::size_t degree = polynomial.size() - 1;
  const mpz_class& a = shift.get_num();
  const mpz_class& power = shift.get_den();
  // p(y / power) power^degree, then y + a.
  mpz_class scale = 1;
  for (std::size_t k = polynomial.size(); k-- > 0;) {
    polynomial[k] *= scale;
    scale *= power;
  }
  for (std::size_t k = 0; k < degree; ++k)
    for (std::size_t i = degree; i-- > k;) polynomial[i] += a * polynomial[i + 1];
  std::size_t changes = 0;
  int last = 0;
  for (const mpz_class& one : polynomial) {
    const int sign = sgn(one);
    if (sign == 0) continue;
    if (last != 0 && sign != last) ++changes;
    last = sign;
  }
  return changes;
}

std::vector<mpz_class> in_integers(const std::vector<mpq_class>& coefficients) {
  mpz_class common = 1;
  for (const mpq_class& one : coefficients) common = lcm(common, one.get_den());
  std::vector<mpz_class> result;
  result.reserve(coefficients.size());
  for (const mpq_class& one : coefficients) result.emplace_back(one.get_num() * (common / one.get_den()));
  return result;
}

}  // namespace

std::size_t order_modulo_a_prime(const std::vector<mpq_class>& terms) {
  std::vector<mpz_class> denominators;
  denominators.reserve(terms.size());
  for (const mpq_class& term : terms) denominators.push_back(term.get_den());
  const PrimeRing ring(choose_primes(1, denominators).front().prime);
  return shortest_register(*terms_modulo(terms, ring), ring).length;
}

std::optional<LinearRecurrence> linear_recurrence(const std::vector<mpq_class>& terms, std::size_t checked) {
  constexpr unsigned most_primes = 4096;
  LinearRecurrence found;
  std::vector<mpz_class> residues;
  mpz_class modulus = 1;
  std::vector<mpz_class> denominators;
  denominators.reserve(terms.size());
  for (const mpq_class& term : terms) denominators.push_back(term.get_den());
  std::vector<Modulus> primes;
  for (unsigned used = 0; used < most_primes; ++used) {
    if (used >= primes.size()) primes = choose_primes(std::max(2 * used, 2U), denominators);
    // cppcheck-suppress containerOutOfBounds ; choose_primes gives more than `used`
    const PrimeRing ring(primes[used].prime);
    const Register one = shortest_register(*terms_modulo(terms, ring), ring);
    if (2 * one.length + checked > terms.size()) return std::nullopt;
    // The true one modulo a prime is no shorter than the shortest, and a prime may be an unlucky one.
    if (modulus != 1 && one.length < found.order) continue;
    if (modulus == 1 || one.length > found.order || one.connection.size() > residues.size()) {
      found.order = one.length;
      residues.assign(one.connection.size(), 0);
      modulus = 1;
    }
    const mpz_class prime = static_cast<std::uint64_t>(ring.prime());
    mpz_class inverse;
    mpz_invert(inverse.get_mpz_t(), modulus.get_mpz_t(), prime.get_mpz_t());
    for (std::size_t i = 0; i < residues.size(); ++i) {
      const TermResidue own = i < one.connection.size() ? one.connection[i] : ring.zero();
      mpz_class step = static_cast<std::uint64_t>(static_cast<std::uint64_t>(ring.to_residue(own)));
      step = (step - residues[i]) * inverse;
      mpz_fdiv_r(step.get_mpz_t(), step.get_mpz_t(), prime.get_mpz_t());
      residues[i] += modulus * step;
    }
    modulus *= prime;
    std::optional<std::vector<mpq_class>> fractions = fractions_of(residues, modulus);
    if (fractions && holds_for(*fractions, terms, found.order)) {
      found.denominator = *std::move(fractions);
      found.numerator = numerator_of(found.denominator, terms, found.order);
      return found;
    }
  }
  return std::nullopt;
}

std::optional<RootInterval> largest_positive_root(const std::vector<mpq_class>& given, unsigned bits) {
  std::vector<mpq_class> coefficients = given;
  drop_zeros(coefficients);
  if (coefficients.size() < 2) return std::nullopt;
  const std::vector<mpz_class> polynomial = in_integers(coefficients);
  mpq_class upper = 1;
  while (changes_above(polynomial, upper) != 0) upper *= 2;
  mpq_class lower = 0;
  if (changes_above(polynomial, lower) == 0) return std::nullopt;
  // Halves, as fractions of powers of two.
  while (upper - lower > upper / (mpz_class(1) << bits)) {
    check_stop();
    mpq_class middle = (lower + upper) / 2;
    if (middle <= 0) return std::nullopt;
    (changes_above(polynomial, middle) == 0 ? upper : lower) = middle;
  }
  const int at_upper = sgn(value_at(polynomial, upper));
  const int at_lower = sgn(value_at(polynomial, lower));
  if (at_upper != 0 && at_upper * at_lower >= 0) return std::nullopt;
  return RootInterval{lower, upper};
}

std::string polynomial_text(const std::vector<mpq_class>& coefficients, const std::string& variable) {
  std::string text;
  for (std::size_t k = 0; k < coefficients.size(); ++k) {
    const mpq_class& one = coefficients[k];
    if (one == 0) continue;
    const mpq_class size = abs(one);
    text += text.empty() ? (one < 0 ? "-" : "") : one < 0 ? " - " : " + ";
    if (k == 0 || size != 1) text += size.get_str();
    if (k > 0) text += (size != 1 ? " " : "") + variable;
    if (k > 1) text += "^" + std::to_string(k);
  }
  return text.empty() ? "0" : text;
}

}  // namespace countpm
