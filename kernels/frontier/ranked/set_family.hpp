#pragma once
// Families of sets of numbered bits, and a set's rank in its family: the sets as words in ascending order.
//
// Fields are neighbouring bits that nothing tells apart: of the sets that differ by the order of a field's
// bits alone the family has one, with the ones lowest. So k bits have k + 1 values, not 2^k.
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

namespace countpm {

/// What the sets of a family have in common: how many ones, or whether that number is odd.
enum class SetRule : std::uint8_t { ones, parity };

/// `width` > 1 bits from bit `low` on, of which the lowest `least` to `most` are ones.
struct SetField {
  std::uint32_t low = 0;
  std::uint32_t width = 0;
  std::uint32_t least = 0;
  std::uint32_t most = 0;

  std::uint32_t end() const { return low + width; }
  std::uint64_t mask() const { return ((std::uint64_t{1} << width) - 1) << low; }
  bool operator==(const SetField&) const = default;
};

/// Whether a field has bits on both sides of bit `at`.
bool cuts_a_field(const std::vector<SetField>& fields, std::uint32_t at);
/// Puts the ones of each field lowest; false where a field has too few or too many.
inline bool put_in_order(const std::vector<SetField>& fields, std::uint64_t& set) {
  for (const SetField& field : fields) {
    const std::uint64_t mask = field.mask();
    const auto ones = static_cast<std::uint32_t>(std::popcount(set & mask));
    if (ones < field.least || ones > field.most) return false;
    set = (set & ~mask) | (((std::uint64_t{1} << ones) - 1) << field.low);
  }
  return true;
}

/// All words of `width` < 64 bits with `number` ones, or with so many modulo 2.
struct SetFamily {
  SetRule rule = SetRule::ones;
  std::uint32_t width = 0;
  std::uint32_t number = 0;
  std::vector<SetField> fields = {};  // ascending, apart from each other
};

/// Of how many parts of sets there are with 0, 1, ... ones.
using PartsByOnes = std::array<double, 64>;

/// Sizes of families that differ in their number only, and of their sets' low parts, looked up. Parts begin
/// and end where no field is cut.
class SetCounts {
 public:
  /// Without fields O(1), for all widths; else O(width^2) or O(width) by rule, for this width.
  explicit SetCounts(const SetFamily& family = {});

  /// Words of the lowest `width` bits; `number`: of ones, or modulo 2. 0 where there are none.
  std::uint64_t operator()(std::uint32_t width, std::int64_t number) const {
    if (rule_ == SetRule::parity) number &= 1;
    return number < 0 || number > width ? 0 : tables_->words[place(width, number)];
  }
  /// What is left of the number beside so many ones.
  std::int64_t rest(std::int64_t number, int ones) const {
    return rule_ == SetRule::parity ? (number + ones) & 1 : number - ones;
  }
  SetRule rule() const { return rule_; }

  /// Sets of the family that are below all that begin with `high`, whose lowest bit is bit `low` of a set.
  std::uint64_t rank(std::uint64_t high, std::uint32_t low, std::int64_t number) const {
    std::uint64_t below = 0;
    while (high != 0 && number >= 0) {
      const auto bit = static_cast<std::uint32_t>(std::bit_width(high) - 1);
      const std::uint32_t ones = tables_->ones_from[low + bit];
      below += tables_->below[place(low + bit, number)];
      number = rest(number, static_cast<int>(ones));
      // With the ones below it in its field.
      high &= (std::uint64_t{1} << (bit + 1 - ones)) - 1;
    }
    return below;
  }
  /// The bits above the lowest `low` of the set of that rank in the family.
  std::uint64_t high_part(const SetFamily& family, std::uint32_t low, std::uint64_t rank) const;
  /// How many words from bit `low` on there are with each number of ones that have `value` under `mask`.
  static PartsByOnes high_parts(const SetFamily& family, std::uint32_t low, std::uint64_t mask,
                                std::uint64_t value);

 private:
  struct Tables {
    std::size_t numbers = 0;           // that words of all bits may have
    std::vector<std::uint64_t> words;  // of so many bits and so many ones
    std::vector<std::uint64_t> below;  // of so many ones, in which neither this bit nor one above it is set
    std::vector<std::uint8_t> ones_from;  // of a bit, the ones in its field where it is the highest
  };
  std::size_t place(std::uint32_t bits, std::int64_t number) const {
    return bits * tables_->numbers + static_cast<std::size_t>(number);
  }
  static Tables make_tables(const SetFamily& family);

  SetRule rule_;
  std::shared_ptr<const Tables> tables_;
};

/// Those of families without fields. Made once.
const SetCounts& set_counts(SetRule rule);

/// The least word from `word` on that has at least `least` and at most `most` ones; carries out of 64 bits
/// are the caller's to exclude. Precondition: least <= most, most > 0.
inline std::uint64_t next_with_ones(std::uint64_t word, int least, int most) {
  while (std::popcount(word) > most) word += word & (~word + 1);
  while (std::popcount(word) < least) word |= word + 1;
  return word;
}

/// The least word from `word` on, or one from `end` on, that has so many ones and is in order: `word` begins
/// at bit `low` of the sets of a family with such fields.
std::uint64_t next_in_order(const std::vector<SetField>& fields, std::uint64_t word, std::uint32_t low,
                            int least, int most, std::uint64_t end);

}  // namespace countpm
