#include "kernels/arithmetic/prime_divisors.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "graph/stop_signal.hpp"

namespace countpm {
namespace {

/// Of primes first .. last - 1. Precondition: rest is the value modulo their product, or the value itself.
void mark_divisors(const std::vector<std::uint64_t>& primes, std::size_t first, std::size_t last,
                   const mpz_class& rest, std::vector<bool>& divides) {
  if (last == first) return;
  if (last - first == 1) {
    divides[first] = mpz_divisible_ui_p(rest.get_mpz_t(), primes[first]) != 0;
    return;
  }
  if (rest == 0) {
    for (std::size_t k = first; k < last; ++k) divides[k] = true;
    return;
  }
  const std::size_t middle = first + (last - first) / 2;
  const std::array<std::pair<std::size_t, std::size_t>, 2> halves{{{first, middle}, {middle, last}}};
  for (const auto& [from, to] : halves) {
    if (mpz_size(rest.get_mpz_t()) <= 2 * (to - from)) {
      mark_divisors(primes, from, to, rest, divides);
      continue;
    }
    mpz_class product = 1;
    for (std::size_t k = from; k < to; ++k) product *= static_cast<std::uint64_t>(primes[k]);
    mark_divisors(primes, from, to, mpz_class(rest % product), divides);
  }
}

// So many primes are multiplied together at most: their product, made factor by factor, costs little then.
constexpr std::size_t most_divided_at_once = 256;

}  // namespace

std::vector<bool> which_divide(const std::vector<std::uint64_t>& primes, const mpz_class& value) {
  std::vector<bool> divides(primes.size(), false);
  for (std::size_t first = 0; first < primes.size(); first += most_divided_at_once) {
    if (first != 0) check_stop();
    mark_divisors(primes, first, std::min(first + most_divided_at_once, primes.size()), value, divides);
  }
  return divides;
}

}  // namespace countpm
