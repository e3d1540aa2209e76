#include "src/number/choose_arithmetic.hpp"

#include <fmt/format.h>

#include <cmath>

#include "kernels/arithmetic/bound.hpp"
#include "kernels/method.hpp"
#include "src/number/point_residues.hpp"
#include "src/structure/blocks.hpp"

namespace countpm {
namespace {

Arithmetic residues(std::vector<Modulus> moduli) {
  Arithmetic arithmetic;
  arithmetic.moduli = std::move(moduli);
  return arithmetic;
}

// |count| <= 2^log2_bound, so there are at most 2^(floor(log2_bound) + 1) values from 0 up, and twice as
// many with negative ones.
double bits_of(double log2_bound, bool is_signed) {
  return std::floor(log2_bound) + 1 + (is_signed ? 1 : 0);
}

/// choose_primes(). The methods of a plan ask for the same list one after the other, and to find thousands of
/// primes beside a denominator of thousands of words takes a second: the last is kept, a list for each
/// thread.
std::vector<Modulus> primes_beside(const mpz_class& denominator, unsigned size, unsigned count) {
  struct List {
    mpz_class denominator = 1;
    unsigned size = 0;
    std::vector<Modulus> primes;
  };
  thread_local List last;
  if (last.size != size || last.denominator != denominator || last.primes.size() < count)
    last = {denominator, size, choose_primes(count, {denominator}, size)};
  return {last.primes.begin(), last.primes.begin() + count};
}

// Every prime of the list exceeds 2^(size - 0.01), even the hundred thousandth of 29 bits (there are 184
// thousand), and every other one 2^(size - 1): so many of them are enough.
Arithmetic primes_for(double bits, unsigned size, const mpz_class& denominator, unsigned skip_primes) {
  constexpr double near_the_top = 100000;
  double many = std::ceil(bits / (size == 61 ? 60 : size - 0.01));
  if (many + skip_primes > near_the_top) many = std::ceil(bits / (size - 1));
  std::vector<Modulus> moduli = primes_beside(denominator, size, skip_primes + static_cast<unsigned>(many));
  moduli.erase(moduli.begin(), moduli.begin() + skip_primes);
  return residues(std::move(moduli));
}

// One prime alone may as well be a large one, but where only small ones run in vectors; of those a bit short
// of a word -1 is a square, as of the method's own (choose_primes()).
unsigned prime_bits(const MethodTraits& traits, double bits) {
  constexpr unsigned half_a_word = 32;
  constexpr unsigned word = 61;
  if (bits > 59 || traits.prime_bits <= half_a_word || traits.prime_bits >= word) return traits.prime_bits;
  return word - 1;
}

}  // namespace

std::string ArithmeticChoice::name() const {
  if (given) {
    std::string names;
    for (const Modulus& modulus : arithmetic.moduli)
      names += fmt::format(
          "{}{}", names.empty() ? "modulo " : ", ",
          modulus.prime != 0 ? std::to_string(modulus.prime) : fmt::format("2^{}", modulus.power_of_two));
    return names;
  }
  return points ? points->name() : arithmetic.name();
}

Arithmetic floating_arithmetic(const CountOptions& options) {
  Arithmetic arithmetic;
  arithmetic.kind = Arithmetic::Kind::floating;
  switch (options.arithmetic.choice) {
    case FloatChoice::plain:
      arithmetic.precision = Precision::plain;
      break;
    case FloatChoice::kahan:
      arithmetic.precision = Precision::kahan;
      break;
    case FloatChoice::double_double:
      arithmetic.precision = Precision::double_double;
      break;
    case FloatChoice::mpfr:
      arithmetic.precision = Precision::mpfr;
      arithmetic.bits = options.arithmetic.bits;
      break;
  }
  return arithmetic;
}

BlockBound bound_of(const AnyBlock& block) {
  return {log2_upper_bound(block), denominator(block), has_negative(block)};
}

bool counts_decimals_exactly(const AnyBlock& block, const BlockBound& bound, const Method& method,
                             const CountOptions& options) {
  constexpr double few_bits = 120;  // two primes
  // Balanced rows add up to 1, and the permanent may be n!/n^n, about e^-n: doubles end at e^-708.
  constexpr std::uint64_t rows_in_range = 512;
  const MethodTraits traits = method.traits();
  if (traits.exact_decimals || rows_of(block) > rows_in_range) return true;
  const bool of_tiny = is_general(block) ? traits.for_tiny_graphs : traits.for_tiny_matrices;
  return of_tiny && options.method == "auto" && rows_of(block) <= tiny_rows &&
         bits_of(bound.log2_bound, bound.is_signed) <= few_bits;
}

ArithmeticChoice choose_arithmetic(const AnyBlock& block, const BlockBound& bound, const Method& method,
                                   WeightKind weight_kind, const CountOptions& options,
                                   unsigned skip_primes) {
  ArithmeticChoice choice;
  const bool decimals =
      weight_kind == WeightKind::real && counts_decimals_exactly(block, bound, method, options);
  if (weight_kind >= WeightKind::real && !decimals) {
    choice.arithmetic = floating_arithmetic(options);
    return choice;
  }
  choice.denominator = bound.denominator;
  choice.is_signed = bound.is_signed;

  const MethodTraits traits = method.traits();
  const double bits = bits_of(bound.log2_bound, choice.is_signed);
  if (choice.denominator == 1 && bits <= 128 && skip_primes == 0 && traits.prefers_wrap_around) {
    Arithmetic wrap = residues({Modulus{0, bits <= 64 ? 64U : 128U}});
    if (!method.obstacle(block, wrap)) {
      choice.arithmetic = std::move(wrap);
      return choice;
    }
  }
  // More bits: 2^128 is still the cheapest 128 of them where all rings run side by side.
  if (choice.denominator == 1 && bits > 128 && skip_primes == 0 && traits.wraps_beside_primes) {
    const auto primes = static_cast<unsigned>(std::ceil((bits - 128) / 60));
    std::vector<Modulus> moduli = choose_primes(skip_primes + primes);
    moduli.erase(moduli.begin(), moduli.begin() + skip_primes);
    moduli.insert(moduli.begin(), Modulus{0, 128});
    choice.arithmetic = residues(std::move(moduli));
    return choice;
  }
  choice.arithmetic = primes_for(bits, prime_bits(traits, bits), choice.denominator, skip_primes);
  return choice;
}

ArithmeticChoice with_prime_bits(const ArithmeticChoice& choice, double log2_bound, unsigned size,
                                 unsigned skip_primes) {
  ArithmeticChoice result = choice;
  result.arithmetic =
      primes_for(bits_of(log2_bound, choice.is_signed), size, choice.denominator, skip_primes);
  return result;
}

}  // namespace countpm
