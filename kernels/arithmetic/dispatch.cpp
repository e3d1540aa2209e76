#include "kernels/arithmetic/dispatch.hpp"

#include <fmt/format.h>

#include "graph/stop_signal.hpp"

namespace countpm {

namespace {

/// Whether the modulus inverts this denominator.
bool inverts(const Modulus& modulus, const mpz_class& denominator) {
  if (modulus.prime == 0) return mpz_odd_p(denominator.get_mpz_t()) != 0;
  check_stop();  // thousands of primes, and denominators of as many digits
  return mpz_divisible_ui_p(denominator.get_mpz_t(), modulus.prime) == 0;
}

}  // namespace

std::optional<std::string> obstacle(const AnyBlock& any_block, const Arithmetic& arithmetic) {
  if (arithmetic.kind == Arithmetic::Kind::floating) return std::nullopt;
  if (is_complex(any_block)) return "complex entries have no residues; they need floating-point arithmetic";
  const auto* block = std::get_if<Block<mpq_class>>(&any_block);
  if (block == nullptr) return std::nullopt;
  for (const mpq_class& value : block->matrix.value) {
    if (value.get_den() == 1) continue;
    for (const Modulus& modulus : arithmetic.moduli) {
      if (inverts(modulus, value.get_den())) continue;
      const std::string name =
          modulus.prime != 0 ? fmt::format("{}", modulus.prime) : fmt::format("2^{}", modulus.power_of_two);
      return fmt::format("the denominator of {} has no inverse modulo {}", value.get_str(), name);
    }
  }
  return std::nullopt;
}

}  // namespace countpm
