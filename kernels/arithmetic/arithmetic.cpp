// The algebra of partial results: one function an operation, residues on one side, balls on the other.
#include "kernels/arithmetic/arithmetic.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "kernels/arithmetic/ball.hpp"
#include "kernels/arithmetic/prime_ring.hpp"
#include "kernels/arithmetic/wrap_ring.hpp"

namespace countpm {

namespace {

uint128 multiply_modulo(uint128 a, uint128 b, const Modulus& modulus) {
  if (modulus.prime != 0) return a * b % modulus.prime;  // both below 2^62
  const uint128 product = a * b;
  return modulus.power_of_two == 64 ? static_cast<std::uint64_t>(product) : product;
}

uint128 add_modulo(uint128 a, uint128 b, const Modulus& modulus) {
  const uint128 sum = a + b;
  if (modulus.prime != 0) return sum >= modulus.prime ? sum - modulus.prime : sum;
  return modulus.power_of_two == 64 ? static_cast<std::uint64_t>(sum) : sum;
}

bool invertible(const mpz_class& denominator, const Modulus& modulus) {
  if (modulus.prime == 0) return mpz_odd_p(denominator.get_mpz_t()) != 0;
  return mpz_divisible_ui_p(denominator.get_mpz_t(), modulus.prime) == 0;
}

uint128 residue_of(const mpq_class& value, const Modulus& modulus) {
  if (!invertible(value.get_den(), modulus)) {
    throw std::invalid_argument("from_factor: the denominator has no inverse modulo " +
                                (modulus.prime != 0 ? std::to_string(modulus.prime) : "a power of two"));
  }
  if (modulus.prime != 0) {
    const PrimeRing ring(modulus.prime);
    return ring.to_residue(ring.from_mpq(value));
  }
  if (modulus.power_of_two == 64) return WrapRing<std::uint64_t>().from_mpq(value);
  return WrapRing<uint128>().from_mpq(value);
}

}  // namespace

std::string Arithmetic::name() const {
  if (kind == Kind::floating) {
    switch (precision) {
      case Precision::plain:
        return "double";
      case Precision::kahan:
        return "double (Kahan)";
      case Precision::double_double:
        return "double-double";
      case Precision::mpfr:
        break;
    }
    return fmt::format("MPFR {} bits", bits);
  }
  std::string powers;
  unsigned primes = 0;
  for (const Modulus& modulus : moduli) {
    if (modulus.prime != 0) {
      ++primes;
    } else {
      powers += fmt::format("{}2^{}", powers.empty() ? "" : ", ", modulus.power_of_two);
    }
  }
  if (primes == 0) return "modulo " + powers;
  const std::string counted = fmt::format("residues modulo {} {}", primes, primes == 1 ? "prime" : "primes");
  return powers.empty() ? counted : counted + " and " + powers;
}

Partial zero(const Arithmetic& arithmetic) {
  if (arithmetic.kind == Arithmetic::Kind::floating) return zero_ball(ball_bits(arithmetic));
  return Residues{std::vector<uint128>(arithmetic.moduli.size(), 0)};
}

Partial from_factor(const mpq_class& factor, const Arithmetic& arithmetic) {
  if (arithmetic.kind == Arithmetic::Kind::floating) return ball_from(factor, ball_bits(arithmetic));
  Residues result;
  result.residue.reserve(arithmetic.moduli.size());
  for (const Modulus& modulus : arithmetic.moduli) result.residue.push_back(residue_of(factor, modulus));
  return result;
}

Partial from_factor(const ComplexRational& factor, const Arithmetic& arithmetic) {
  if (arithmetic.kind == Arithmetic::Kind::residues) {
    if (factor.im != 0) throw std::invalid_argument("from_factor: a complex factor has no residues");
    return from_factor(factor.re, arithmetic);
  }
  return ball_from(factor, ball_bits(arithmetic));
}

void add(Partial& into, const Partial& term, const Arithmetic& arithmetic) {
  if (arithmetic.kind == Arithmetic::Kind::floating) return add(std::get<Ball>(into), std::get<Ball>(term));
  auto& sum = std::get<Residues>(into).residue;
  const auto& other = std::get<Residues>(term).residue;
  for (std::size_t k = 0; k < arithmetic.moduli.size(); ++k)
    sum[k] = add_modulo(sum[k], other[k], arithmetic.moduli[k]);
}

void multiply(Partial& into, const Partial& factor, const Arithmetic& arithmetic) {
  if (arithmetic.kind == Arithmetic::Kind::floating)
    return multiply(std::get<Ball>(into), std::get<Ball>(factor));
  auto& product = std::get<Residues>(into).residue;
  const auto& other = std::get<Residues>(factor).residue;
  for (std::size_t k = 0; k < arithmetic.moduli.size(); ++k)
    product[k] = multiply_modulo(product[k], other[k], arithmetic.moduli[k]);
}

}  // namespace countpm
