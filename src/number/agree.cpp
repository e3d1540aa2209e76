#include "src/number/agree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/arithmetic/ball.hpp"
#include "src/number/number.hpp"

namespace countpm {

bool agree(const Partial& a, const Partial& b) {
  if (const auto* residues = std::get_if<Residues>(&a)) return *residues == std::get<Residues>(b);
  return balls_meet(std::get<Ball>(a), std::get<Ball>(b));
}

std::string to_text(const Partial& value, const Arithmetic& arithmetic) {
  if (const auto* ball = std::get_if<Ball>(&value))
    return fmt::format("{} with an error of up to {}", to_string(Number(*ball)), error_string(Number(*ball)));
  std::vector<std::string> texts;
  const Residues& residues = std::get<Residues>(value);
  for (std::size_t k = 0; k < residues.residue.size(); ++k) {
    const Modulus& modulus = arithmetic.moduli[k];
    const auto high = static_cast<std::uint64_t>(residues.residue[k] >> 64);
    const auto low = static_cast<std::uint64_t>(residues.residue[k]);
    texts.push_back(fmt::format(
        "{} modulo {}", high != 0 ? fmt::format("0x{:x}{:016x}", high, low) : fmt::format("0x{:x}", low),
        modulus.prime != 0 ? std::to_string(modulus.prime) : fmt::format("2^{}", modulus.power_of_two)));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace countpm
