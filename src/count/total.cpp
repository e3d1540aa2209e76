#include "src/count/total.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <variant>

#include "kernels/arithmetic/bound.hpp"
#include "src/checks/count_checks.hpp"

namespace countpm {
namespace {

/// The coefficients, checked, out of the number that holds them; returns their sum.
Number report_polynomial(const mpq_class& packed, const Letter& letter, Checks& checks, CountResult& result) {
  result.coefficients = coefficients(packed, letter);
  verify_coefficients(result.coefficients, letter, checks);
  return sum_of(result.coefficients);
}

/// The number of ground states in the sum that holds it (Graph::digit).
Number report_digit(const mpq_class& sum, const SumBits& digit, Checks& checks) {
  const std::string name = "odd sets";
  mpz_class number = sum.get_num();
  const std::string expected = fmt::format("a positive multiple of 2^{}", digit.lowest);
  if (sum.get_den() != 1 || number <= 0 || mpz_scan1(number.get_mpz_t(), 0) < digit.lowest)
    Checks::failed(name, expected, to_string(Number(sum)));
  mpz_fdiv_q_2exp(number.get_mpz_t(), number.get_mpz_t(), digit.lowest);
  mpz_fdiv_r_2exp(number.get_mpz_t(), number.get_mpz_t(), digit.width);
  if (number == 0) Checks::failed(name, "at least one ground state", "0");
  checks.passed(name, "the weights add up to " + expected);
  return mpq_class(number);
}

/// Gives the blocks' reports the polynomials' values at 1, as the total has it.
void report_blocks_at_one(const std::vector<PlannedBlock>& planned, const Letter& letter,
                          CountResult& result) {
  // With monomers a block is left whole: it has one report, in the same order.
  std::size_t at = 0;
  for (const PlannedBlock& block : planned) {
    for (std::size_t r = 0; r < block.plans.size(); ++r, ++at) {
      Letter own;
      own.bits = letter.bits;
      own.rings = letter.rings;
      own.smallest_ring = letter.smallest_ring;
      own.vertices = static_cast<Index>(rows_of(block.block.original));
      own.scale = denominator(block.block.original);
      std::string& text = result.blocks.at(at).count;
      text = sum_of(coefficients(mpq_class(text), own)).get_str();
    }
  }
}

}  // namespace

Number total_of(const PlannedCount& plan, const std::vector<Number>& counts,
                const NumberArithmetic& arithmetic, Checks& checks, CountResult& result) {
  // Polynomials are multiplied as such.
  Number total = plan.letters ? plan.letters->report(plan.factor, counts, checks, result)
                              : product(plan.factor, counts, arithmetic);
  const bool residues = std::any_of(plan.blocks.begin(), plan.blocks.end(),
                                    [](const PlannedBlock& block) { return block.modulus != 0; });
  if (residues) return total;
  if (result.matched && result.matched->free > 0)
    verify_orders(total, plan.weight_kind, "orders of the free vertices", checks);
  if (result.input.degrees) verify_orders(total, plan.weight_kind, "orders of the added vertices", checks);
  if (plan.letter) return report_polynomial(std::get<mpq_class>(total), *plan.letter, checks, result);
  if (plan.digit) return report_digit(std::get<mpq_class>(total), *plan.digit, checks);
  return total;
}

void report_packed_blocks(const PlannedCount& plan, CountResult& result) {
  if (plan.letter) report_blocks_at_one(plan.blocks, *plan.letter, result);
  if (plan.unit) {
    for (BlockReport& block : result.blocks) block.count.clear();
  }
}

}  // namespace countpm
