#include "kernels/arithmetic/hafnian_bound.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>

#include "kernels/arithmetic/big_float.hpp"
#include "kernels/arithmetic/up_float.hpp"

namespace countpm {
namespace {

constexpr std::array<std::uint64_t, 15> small_primes{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47};

double log2_of(const mpz_class& value, mpfr_rnd_t rounding) {
  BigFloat result(mpfr_prec_t{96});
  mpfr_set_z(result.get(), value.get_mpz_t(), rounding);
  mpfr_log2(result.get(), result.get(), rounding);
  return result.to_double(rounding);
}

}  // namespace

mpz_class hafnian_denominator(const std::vector<mpz_class>& row_denominators) {
  std::map<mpz_class, std::uint64_t> copies;
  for (const mpz_class& one : row_denominators) ++copies[one];
  std::map<mpz_class, std::uint64_t> cofactors;
  std::array<std::uint64_t, small_primes.size()> exponents{};
  for (const auto& [value, times] : copies) {
    mpz_class rest = value;
    for (std::size_t i = 0; i < small_primes.size(); ++i) {
      exponents[i] +=
          times * mpz_remove(rest.get_mpz_t(), rest.get_mpz_t(), mpz_class(small_primes[i]).get_mpz_t());
    }
    if (rest != 1) cofactors[rest] += times;
  }
  mpz_class result = 1;
  mpz_class power;
  for (std::size_t i = 0; i < small_primes.size(); ++i) {
    mpz_ui_pow_ui(power.get_mpz_t(), small_primes[i], (exponents[i] + 1) / 2);
    result *= power;
  }
  for (const auto& [value, times] : cofactors) {
    mpz_pow_ui(power.get_mpz_t(), value.get_mpz_t(), (times + 1) / 2);
    result *= power;
  }
  return result;
}

double hafnian_bound(double log2_permanent_bound, const std::vector<mpz_class>& row_denominators) {
  double bound = log2_permanent_bound / 2;
  if (!row_denominators.empty()) {
    mpz_class product = 1;
    for (const mpz_class& one : row_denominators) product *= one;
    const double above = log2_of(hafnian_denominator(row_denominators), MPFR_RNDU);
    const double below = log2_of(product, MPFR_RNDD) / 2;
    bound = UpFloat::up(bound + UpFloat::up(above - below));
  }
  return std::max(bound, 0.0);  // an integer other than 0 is at least 1
}

}  // namespace countpm
