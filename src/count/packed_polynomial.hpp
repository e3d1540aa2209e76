#pragma once
// A polynomial as one number: the instance's weights with powers of two in the place of letters, and back.
#include <gmpxx.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graph/instance.hpp"
#include "graph/letters.hpp"
#include "src/api/polynomial.hpp"
#include "src/count/letter_ranges.hpp"
#include "src/number/point_residues.hpp"
#include "src/structure/analysis.hpp"
#include "src/structure/blocks.hpp"

namespace countpm {

class PackedPolynomial {
 public:
  /// Of an instance without a violator whose values are places in the table, and of what analyse() said.
  /// O(entries) and the time of two assignment problems for each letter and block.
  PackedPolynomial(const Instance& instance, const Analysis& analysis,
                   std::shared_ptr<const LetterWeights> letters, const Poll& poll);

  /// The instance's values at 1, or their magnitudes.
  Values at_one(bool magnitudes) const;
  bool has_negative() const;

  /// Of each block: digits that hold coefficients up to this bound, times what makes them integers.
  void set_digits(const std::vector<mpq_class>& bounds);
  /// The same of a bound's logarithm to the base 2, rounded upwards, which has the denominators in it.
  void set_digits(const std::vector<double>& log2_bounds);
  /// Digits of so many bits, as somebody else has chosen them. False where there are none such.
  [[nodiscard]] bool set_digit_bits(const std::vector<std::uint64_t>& bits);
  std::uint64_t digit_bits(std::size_t block) const { return blocks_[block].digit_bits; }
  /// The instance's values, with powers of 2 for letters. Throws UnableError where they or the polynomial
  /// would be too large.
  Values packed() const;

  /// What is known of a block's packed number, with the bounds given last for every coefficient. Empty where
  /// its weights are no powers of one letter by their sizes.
  std::optional<PackedForm> form(std::size_t block) const;
  /// Magnitudes with 2^tilt for the letter of the blocks that have forms, and 1 elsewhere; reversed: 2^-tilt,
  /// and every entry times the power of 2 that makes it whole. Empty where that would be too large.
  std::optional<Values> tilted(const std::vector<std::optional<PackedForm>>& forms, unsigned tilt,
                               bool reversed) const;
  /// Of a sum with such values, the power of 2^tilt that coefficient d comes with.
  static std::uint64_t power_at(const PackedForm& form, std::size_t d, bool reversed);

  /// The coefficients of a block that counted so, packed, beside its digits. Throws CheckError where the
  /// number is none of the kind.
  std::vector<mpq_class> coefficients(std::size_t block, const mpq_class& count) const;
  /// The product of all blocks' coefficients and of the factor, with the letters of single entries.
  Polynomial product(const mpq_class& factor, std::vector<std::vector<mpq_class>> coefficients) const;

  std::size_t blocks() const { return blocks_.size(); }
  /// "exponents of x from 0 to 64 in steps of 2: 33 coefficients of up to 24 bits": for reports.
  std::string describe() const;

 private:
  struct BlockLetters {
    LetterRanges ranges;
    std::vector<std::uint64_t> entry;  // of the instance, beside the block's
    mpz_class denominator = 1;
    std::uint64_t digit_bits = 0;
    double log2_bound = 0;  // of coefficients times the denominator
    bool palindromic = false;
  };
  static void set_digit(BlockLetters& block, double bits);
  static void refuse_too_many_bits(const BlockLetters& block);

  std::shared_ptr<const LetterWeights> letters_;
  std::vector<std::size_t> place_;  // beside the instance's entries
  std::vector<BlockLetters> blocks_;
  std::vector<std::int64_t> single_;  // exponents of the single entries, which are in every matching
};

}  // namespace countpm
