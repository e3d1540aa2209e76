#include "src/count/packed_polynomial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <variant>

#include "graph/errors.hpp"
#include "graph/kinds/balanced_digits.hpp"
#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/bound.hpp"
#include "src/count/letter_reversal.hpp"
#include "src/text/format_number.hpp"

namespace countpm {
namespace {

// Of one block's polynomial, and of all weights together: beyond, neither time nor memory would do.
constexpr std::uint64_t most_bits_of_block = std::uint64_t{1} << 26;
constexpr std::uint64_t worth_reversing = 16;  // coefficients
constexpr std::uint64_t most_bits_of_weights = std::uint64_t{1} << 33;

/// The blocks as they will be counted, each entry with its number in the instance, from 1.
std::vector<Block<std::int64_t>> numbered_blocks(const Instance& instance, const Analysis& analysis,
                                                 const Poll& poll) {
  Instance numbered;
  numbered.problem = instance.problem;
  numbered.pattern = instance.pattern;
  std::vector<std::int64_t> number(instance.pattern.entries());
  for (std::size_t k = 0; k < number.size(); ++k) number[k] = static_cast<std::int64_t>(k) + 1;
  numbered.values = std::move(number);
  RuleSet none;
  none.enabled.fill(false);
  std::vector<Block<std::int64_t>> blocks;
  for (ReducedBlock& block : reduce_blocks(numbered, analysis, none, poll).blocks)
    blocks.push_back(std::get<Block<std::int64_t>>(std::move(block.original)));
  return blocks;
}

Index partner_in_matching(const Analysis& analysis, Index row) {
  if (const auto* two_sides = std::get_if<Structure>(&analysis.structure))
    return two_sides->matching.row_mate[row];
  return std::get<GeneralStructure>(analysis.structure).matching.mate[row];
}

using TermExponents = std::array<std::int64_t, most_letters>;
using TermMap = std::map<TermExponents, mpz_class>;

TermMap multiply_terms(const TermMap& a, const TermMap& b) {
  TermMap result;
  StopPoll poll;
  for (const auto& [left, x] : a) {
    poll.steps(b.size());
    for (const auto& [right, y] : b) {
      TermExponents sum{};
      for (std::size_t l = 0; l < sum.size(); ++l) sum[l] = left[l] + right[l];
      mpz_addmul(result[sum].get_mpz_t(), x.get_mpz_t(), y.get_mpz_t());
    }
  }
  return result;
}

/// Whether a symmetry maps the matchings of every digit to those of as many from the last.
bool is_reversed(const Block<std::int64_t>& block, const LetterWeights& letters, const LetterRanges& ranges) {
  const auto sums = letter_reversal(block, letters);
  if (!sums) return false;
  const std::vector<std::int64_t> first = ranges.exponents_of(0);
  const std::vector<std::int64_t> last = ranges.exponents_of(ranges.coefficients().get_ui() - 1);
  if (first.size() != sums->size() || last.size() != sums->size()) return false;
  for (std::size_t l = 0; l < sums->size(); ++l) {
    if (first[l] + last[l] != (*sums)[l]) return false;
  }
  return true;
}

}  // namespace

PackedPolynomial::PackedPolynomial(const Instance& instance, const Analysis& analysis,
                                   std::shared_ptr<const LetterWeights> table, const Poll& poll)
    : letters_(std::move(table)),
      place_(instance.pattern.entries(), 1),
      single_(letters_->letters.size(), 0) {
  const LetterWeights& letters = *letters_;
  if (const auto* places = std::get_if<std::vector<std::int64_t>>(&instance.values))
    std::copy(places->begin(), places->end(), place_.begin());
  const SparsePattern& pattern = instance.pattern;
  std::vector<Index> row_of(pattern.entries());
  for (Index i = 0; i < pattern.rows; ++i) {
    for (std::uint64_t k = pattern.row_start[i]; k < pattern.row_start[i + std::uint64_t{1}]; ++k)
      row_of[k] = i;
  }
  const bool general = instance.problem == Problem::general_perfect_matchings;
  const bool monomers = instance.problem == Problem::matchings;
  std::vector<bool> in_block(pattern.rows, false);
  for (Block<std::int64_t>& block : numbered_blocks(instance, analysis, poll)) {
    std::vector<std::uint64_t> entry;
    Block<mpq_class> coefficients;
    coefficients.general = block.general;
    coefficients.monomers = block.monomers;
    static_cast<SparsePattern&>(coefficients.matrix) = static_cast<const SparsePattern&>(block.matrix);
    for (std::int64_t& value : block.matrix.value) {
      const auto number = static_cast<std::uint64_t>(value) - 1;
      entry.push_back(number);
      in_block[row_of[number]] = true;
      if (general) in_block[pattern.column[number]] = true;
      value = static_cast<std::int64_t>(place_[number]);
      coefficients.matrix.value.push_back(letters.weight[place_[number]].coefficient);
    }
    if (poll) poll();
    LetterRanges ranges(block, letters);
    const bool palindromic = ranges.coefficients() >= worth_reversing &&
                             ranges.coefficients() <= static_cast<std::uint64_t>(most_bits_of_block) &&
                             is_reversed(block, letters, ranges);
    blocks_.push_back({std::move(ranges), std::move(entry), denominator(coefficients), 0, 0, palindromic});
  }
  for (Index i = 0; i < pattern.rows; ++i) {
    if (in_block[i]) continue;
    // By itself it may have a loop; without one there is no matching.
    if (monomers && pattern.row_degree(i) == 0) continue;
    const Index j = monomers ? i : partner_in_matching(analysis, i);
    if (general && j < i) continue;
    const auto row = pattern.column.begin();
    const auto at =
        std::lower_bound(row + static_cast<std::ptrdiff_t>(pattern.row_start[i]),
                         row + static_cast<std::ptrdiff_t>(pattern.row_start[i + std::uint64_t{1}]), j);
    const Monomial& weight = letters.weight[place_[static_cast<std::size_t>(at - row)]];
    for (std::size_t l = 0; l < single_.size(); ++l) single_[l] += weight.exponent[l];
  }
}

Values PackedPolynomial::at_one(bool magnitudes) const {
  std::vector<mpq_class> values;
  values.reserve(place_.size());
  for (const std::size_t place : place_) {
    const mpq_class& coefficient = letters_->weight[place].coefficient;
    values.push_back(magnitudes ? mpq_class(abs(coefficient)) : coefficient);
  }
  return values;
}

bool PackedPolynomial::has_negative() const {
  return std::any_of(place_.begin(), place_.end(),
                     [this](std::size_t place) { return letters_->weight[place].coefficient < 0; });
}

void PackedPolynomial::set_digit(BlockLetters& block, double bits) {
  if (!(bits < static_cast<double>(most_bits_of_block)))
    throw UnableError("the polynomial's coefficients have too many digits", "--at gives letters numbers");
  block.log2_bound = bits;
  const std::uint64_t multiple = block.ranges.digit_bits_multiple();
  // Twice the bound, so that digits may be negative, and one bit more.
  block.digit_bits = (static_cast<std::uint64_t>(std::ceil(bits)) + 2 + multiple - 1) / multiple * multiple;
  refuse_too_many_bits(block);
}

void PackedPolynomial::refuse_too_many_bits(const BlockLetters& block) {
  const mpz_class all = block.ranges.coefficients() * static_cast<std::uint64_t>(block.digit_bits);
  if (all > static_cast<std::uint64_t>(most_bits_of_block))
    throw UnableError(
        fmt::format("the polynomial may have {} coefficients of up to {} bits each, and at most {} bits are "
                    "computed in all",
                    block.ranges.coefficients().get_str(), block.digit_bits, most_bits_of_block),
        "--at gives letters numbers");
}

void PackedPolynomial::set_digits(const std::vector<mpq_class>& bounds) {
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const mpq_class scaled = bounds[b] * blocks_[b].denominator;
    const mpz_class above = scaled.get_num() / scaled.get_den() + 1;
    set_digit(blocks_[b], static_cast<double>(mpz_sizeinbase(above.get_mpz_t(), 2)));
  }
}

void PackedPolynomial::set_digits(const std::vector<double>& log2_bounds) {
  for (std::size_t b = 0; b < blocks_.size(); ++b) set_digit(blocks_[b], log2_bounds[b] + 1);
}

bool PackedPolynomial::set_digit_bits(const std::vector<std::uint64_t>& bits) {
  if (bits.size() != blocks_.size()) return false;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    BlockLetters& block = blocks_[b];
    if (bits[b] < 2 || bits[b] % block.ranges.digit_bits_multiple() != 0) return false;
    block.digit_bits = bits[b];
    block.log2_bound = static_cast<double>(bits[b] - 2);
    refuse_too_many_bits(block);
  }
  return true;
}

Values PackedPolynomial::packed() const {
  std::vector<mpq_class> values = std::get<std::vector<mpq_class>>(at_one(false));
  mpz_class bits;
  StopPoll poll;
  for (const BlockLetters& block : blocks_) {
    for (std::size_t k = 0; k < block.entry.size(); ++k) {
      poll.step();
      const mpz_class shift = block.ranges.shift_of(k, block.digit_bits);
      bits += shift;
      if (bits > static_cast<std::uint64_t>(most_bits_of_weights))
        throw UnableError(
            fmt::format("the exponents are so large that the weights would have more than {} bits in all",
                        most_bits_of_weights),
            "--at gives letters numbers");
      mpq_class& value = values[block.entry[k]];
      mpq_mul_2exp(value.get_mpq_t(), value.get_mpq_t(), shift.get_ui());
    }
  }
  return values;
}

std::optional<PackedForm> PackedPolynomial::form(std::size_t number) const {
  const BlockLetters& block = blocks_[number];
  // Coefficients of so few bits are no matter; a digit has all that are counted.
  const auto log2_size = [](const mpq_class& value) {
    const auto bits = [](const mpz_class& one) { return mpz_sizeinbase(one.get_mpz_t(), 2); };
    return static_cast<std::uint64_t>(std::max(bits(value.get_num()), bits(value.get_den())));
  };
  PackedForm form;
  form.parts = static_cast<std::uint64_t>(block.ranges.parts_a_digit());
  form.base_bits = block.digit_bits / form.parts;
  if (form.base_bits == 0 || block.ranges.coefficients() < 2) return std::nullopt;
  for (const std::uint64_t entry : block.entry) {
    const mpq_class& coefficient = letters_->weight[place_[entry]].coefficient;
    if (coefficient == 0 || 2 * log2_size(coefficient) + 2 > form.base_bits) return std::nullopt;
    form.is_signed = form.is_signed || coefficient < 0;
  }
  form.offset =
      mpz_class(block.ranges.shift_of_sum(block.digit_bits) / static_cast<std::uint64_t>(form.base_bits))
          .get_ui();
  form.log2_bounds.assign(block.ranges.coefficients().get_ui(), block.log2_bound);
  form.palindromic = block.palindromic;
  form.denominator = block.denominator;
  return form;
}

std::optional<Values> PackedPolynomial::tilted(const std::vector<std::optional<PackedForm>>& forms,
                                               unsigned tilt, bool reversed) const {
  constexpr std::int64_t most_bits_of_weight = 4096;
  std::vector<mpq_class> values = std::get<std::vector<mpq_class>>(at_one(true));
  StopPoll poll;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const BlockLetters& block = blocks_[b];
    if (!forms[b]) continue;
    if (!block.ranges.can_tilt(reversed)) return std::nullopt;
    for (std::size_t k = 0; k < block.entry.size(); ++k) {
      poll.step();
      const std::int64_t part = block.ranges.part_of(k, reversed);
      if (part > most_bits_of_weight / tilt) return std::nullopt;
      mpq_class& value = values[block.entry[k]];
      mpq_mul_2exp(value.get_mpq_t(), value.get_mpq_t(), static_cast<std::uint64_t>(part) * tilt);
    }
  }
  return values;
}

std::uint64_t PackedPolynomial::power_at(const PackedForm& form, std::size_t d, bool reversed) {
  return reversed ? form.log2_bounds.size() - 1 - d : form.offset + form.parts * d;
}

std::vector<mpq_class> PackedPolynomial::coefficients(std::size_t number, const mpq_class& count) const {
  const BlockLetters& block = blocks_[number];
  mpq_class scaled = count * block.denominator;
  mpq_div_2exp(scaled.get_mpq_t(), scaled.get_mpq_t(), block.ranges.shift_of_sum(block.digit_bits).get_ui());
  if (scaled.get_den() != 1)
    throw CheckError("the polynomial's coefficients are not what their denominators and exponents allow");
  const std::uint64_t many = block.ranges.coefficients().get_ui();
  const auto digits = balanced_digits(scaled.get_num(), block.digit_bits, many);
  if (!digits)
    throw CheckError("the polynomial has exponents beyond the least and the largest that are possible");
  std::vector<mpq_class> result;
  result.reserve(many);
  for (const mpz_class& digit : *digits) result.emplace_back(digit, block.denominator).canonicalize();
  return result;
}

Polynomial PackedPolynomial::product(const mpq_class& factor,
                                     std::vector<std::vector<mpq_class>> coefficients) const {
  mpz_class denominator = factor.get_den();
  std::vector<TermMap> parts;
  TermExponents first{};
  std::copy(single_.begin(), single_.end(), first.begin());
  parts.push_back({{first, factor.get_num()}});
  for (std::size_t b = 0; b < coefficients.size(); ++b) {
    TermMap& part = parts.emplace_back();
    denominator *= blocks_[b].denominator;
    for (std::size_t k = 0; k < coefficients[b].size(); ++k) {
      if (coefficients[b][k] == 0) continue;
      TermExponents exponents{};
      const std::vector<std::int64_t> own = blocks_[b].ranges.exponents_of(k);
      if (own.size() != letters_->letters.size())
        throw CheckError("the polynomial has a coefficient where exponents are no integers");
      std::copy(own.begin(), own.end(), exponents.begin());
      part.emplace(exponents, mpq_class(coefficients[b][k] * blocks_[b].denominator).get_num());
    }
    coefficients[b].clear();
  }
  while (parts.size() > 1) {
    const std::size_t half = parts.size() / 2;
    for (std::size_t i = 0; i < half; ++i) parts[i] = multiply_terms(parts[2 * i], parts[2 * i + 1]);
    if (parts.size() % 2 == 1) parts[half] = std::move(parts.back());
    parts.resize((parts.size() + 1) / 2);
  }
  Polynomial result;
  result.variables = letters_->letters;
  for (const auto& [exponents, numerator] : parts.front()) {
    if (numerator == 0) continue;
    mpq_class coefficient(numerator, denominator);
    coefficient.canonicalize();
    result.terms.push_back(
        {{exponents.begin(), exponents.begin() + static_cast<std::ptrdiff_t>(letters_->letters.size())},
         std::move(coefficient)});
  }
  return result;
}

std::string PackedPolynomial::describe() const {
  mpz_class points;
  std::uint64_t bits = 0;
  for (const BlockLetters& block : blocks_) {
    points += block.ranges.coefficients();
    bits = std::max(bits, block.digit_bits);
  }
  std::string ranges;
  for (std::size_t l = 0; l < letters_->letters.size(); ++l) {
    std::int64_t least = single_[l];
    std::int64_t most = single_[l];
    std::int64_t step = 0;
    for (const BlockLetters& block : blocks_) {
      const ExponentRange range = block.ranges.range_of(l);
      least += range.first;
      most += range.first + range.step * static_cast<std::int64_t>(range.count - 1);
      if (range.count > 1) step = std::gcd(step, range.step);
    }
    ranges += fmt::format("{}{} ", ranges.empty() ? "" : ", ", letters_->letters[l]);
    ranges += least == most ? fmt::format("to the power {}", least)
                            : fmt::format("from the power {} to {}{}", least, most,
                                          step > 1 ? fmt::format(" in steps of {}", step) : "");
  }
  return fmt::format(
      "a polynomial with {}: {} as the digits of {}", ranges,
      points == 1 ? fmt::format("1 coefficient of up to {} bits is counted", bits)
                  : fmt::format("{} coefficients of up to {} bits are counted", points.get_str(), bits),
      blocks_.size() == 1 ? "one number" : "one number for each block");
}

}  // namespace countpm
