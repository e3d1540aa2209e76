#include "src/number/factor_word.hpp"

#include <gmpxx.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>

#include "kernels/arithmetic/arithmetic.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t trial_limit = 211;

/// Proved below 2^64: GMP's first test is Baillie's, Pomerance's, Selfridge's and Wagstaff's.
bool is_prime(std::uint64_t number) {
  constexpr int rounds = 25;
  return mpz_probab_prime_p(mpz_class(static_cast<std::uint64_t>(number)).get_mpz_t(), rounds) != 0;
}

std::uint64_t product_modulo(std::uint64_t a, std::uint64_t b, std::uint64_t modulus) {
  return static_cast<std::uint64_t>(static_cast<uint128>(a) * b % modulus);
}

/// A divisor other than 1 and the number, of a composite one.
std::uint64_t divisor_of(std::uint64_t number) {
  for (std::uint64_t shift = 1;; ++shift) {
    const auto next = [&](std::uint64_t x) {
      return static_cast<std::uint64_t>((static_cast<uint128>(x) * x + shift) % number);
    };
    std::uint64_t x = 2;
    std::uint64_t y = 2;
    std::uint64_t divisor = 1;
    for (std::uint64_t length = 1; divisor == 1; length *= 2) {
      x = y;
      for (std::uint64_t step = 0; step < length && divisor == 1;) {
        constexpr std::uint64_t together = 64;
        const std::uint64_t before = y;
        const std::uint64_t end = std::min(length, step + together);
        std::uint64_t product = 1;
        for (std::uint64_t k = step; k < end; ++k) {
          y = next(y);
          product = product_modulo(product, x > y ? x - y : y - x, number);
        }
        divisor = std::gcd(product, number);
        if (divisor == number) {  // several at once, or the cycle is closed
          y = before;
          divisor = 1;
          for (std::uint64_t k = step; k < end && divisor == 1; ++k) {
            y = next(y);
            divisor = std::gcd(x > y ? x - y : y - x, number);
          }
        }
        step = end;
      }
    }
    if (divisor != number) return divisor;
  }
}

void add_primes(std::uint64_t number, std::vector<std::uint64_t>& primes) {
  std::vector<std::uint64_t> left{number};
  while (!left.empty()) {
    const std::uint64_t one = left.back();
    left.pop_back();
    if (one == 1) continue;
    if (is_prime(one)) {
      primes.push_back(one);
      continue;
    }
    const std::uint64_t divisor = divisor_of(one);
    left.push_back(divisor);
    left.push_back(one / divisor);
  }
}

}  // namespace

std::vector<PrimePower> factor_word(std::uint64_t number) {
  std::vector<std::uint64_t> primes;
  for (std::uint64_t divisor = 2; divisor <= trial_limit; ++divisor) {
    for (; number % divisor == 0; number /= divisor) primes.push_back(divisor);
  }
  add_primes(number, primes);
  std::sort(primes.begin(), primes.end());
  std::vector<PrimePower> powers;
  for (const std::uint64_t prime : primes) {
    if (!powers.empty() && powers.back().prime == prime) {
      ++powers.back().exponent;
    } else {
      powers.push_back({prime, 1});
    }
  }
  return powers;
}

}  // namespace countpm
