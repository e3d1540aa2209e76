#include "kernels/arithmetic/dispatch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "graph/stop_signal.hpp"
#include "kernels/arithmetic/prime_divisors.hpp"

namespace countpm {

namespace {

/// Whether the modulus inverts this denominator.
bool inverts(const Modulus& modulus, const mpz_class& denominator) {
  if (modulus.prime == 0) return mpz_odd_p(denominator.get_mpz_t()) != 0;
  check_stop();  // thousands of primes, and denominators of as many digits
  return mpz_divisible_ui_p(denominator.get_mpz_t(), modulus.prime) == 0;
}

std::vector<mpz_class> denominators_of(const Block<mpq_class>& block) {
  std::vector<mpz_class> found;
  for (const mpq_class& value : block.matrix.value) {
    if (value.get_den() != 1) found.emplace_back(value.get_den());
  }
  return found;
}

/// Whether every modulus inverts every denominator: asked of their product, which is quick where there are
/// thousands of primes.
bool all_inverted(const Block<mpq_class>& block, const std::vector<Modulus>& moduli) {
  std::vector<mpz_class> factors = denominators_of(block);
  if (factors.empty()) return true;
  for (; factors.size() > 1; factors.resize((factors.size() + 1) / 2)) {
    for (std::size_t k = 0; 2 * k + 1 < factors.size(); ++k) factors[k] = factors[2 * k] * factors[2 * k + 1];
    if (factors.size() % 2 != 0) factors[factors.size() / 2] = std::move(factors.back());
  }
  std::vector<std::uint64_t> primes;
  for (const Modulus& modulus : moduli) {
    if (modulus.prime != 0) {
      primes.push_back(modulus.prime);
    } else if (!inverts(modulus, factors.front())) {
      return false;
    }
  }
  const std::vector<bool> divide = which_divide(primes, factors.front());
  return std::find(divide.begin(), divide.end(), true) == divide.end();
}

}  // namespace

std::optional<Refusal> obstacle(const AnyBlock& any_block, const Arithmetic& arithmetic) {
  if (arithmetic.kind == Arithmetic::Kind::floating) return std::nullopt;
  if (is_complex(any_block))
    return Refusal{RefusalKind::arithmetic,
                   "complex entries have no residues; they need floating-point arithmetic"};
  const auto* block = std::get_if<Block<mpq_class>>(&any_block);
  if (block == nullptr) return std::nullopt;
  if (all_inverted(*block, arithmetic.moduli)) return std::nullopt;
  for (const mpq_class& value : block->matrix.value) {
    if (value.get_den() == 1) continue;
    for (const Modulus& modulus : arithmetic.moduli) {
      if (inverts(modulus, value.get_den())) continue;
      const std::string name =
          modulus.prime != 0 ? fmt::format("{}", modulus.prime) : fmt::format("2^{}", modulus.power_of_two);
      return Refusal{RefusalKind::arithmetic,
                     fmt::format("the denominator of {} has no inverse modulo {}", value.get_str(), name)};
    }
  }
  return std::nullopt;
}

}  // namespace countpm
