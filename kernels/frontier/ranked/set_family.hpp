#pragma once
// Families of sets of numbered bits, and a set's rank in its family: the sets as words in ascending order.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace countpm {

/// What the sets of a family have in common: how many ones, or whether that number is odd.
enum class SetRule : std::uint8_t { ones, parity };

/// All words of `width` < 64 bits with `number` ones, or with so many modulo 2.
struct SetFamily {
  SetRule rule = SetRule::ones;
  std::uint32_t width = 0;
  std::uint32_t number = 0;
};

/// Pascal's triangle: C(n, k) at [n * rows + k] for n and k below `rows`, and 0 where k > n. At most 65 rows:
/// all of these are below 2^64.
std::vector<std::uint64_t> binomial_table(std::size_t rows);

/// Sizes of families, looked up.
class SetCounts {
 public:
  explicit SetCounts(SetRule rule);

  /// Words of `width` bits; `number`: of ones, or modulo 2. 0 where there are none.
  std::uint64_t operator()(std::uint32_t width, std::int64_t number) const {
    if (rule_ == SetRule::parity) return width == 0 ? 1 - (number & 1) : std::uint64_t{1} << (width - 1);
    return number < 0 || number > width ? 0 : table_[width * row + static_cast<std::uint32_t>(number)];
  }
  /// What is left of the number beside so many ones.
  std::int64_t rest(std::int64_t number, int ones) const {
    return rule_ == SetRule::parity ? (number + ones) & 1 : number - ones;
  }
  SetRule rule() const { return rule_; }

  /// Sets of the family that are below all that begin with `high`, whose lowest bit is bit `low` of a set.
  std::uint64_t rank(std::uint64_t high, std::uint32_t low, std::int64_t number) const {
    std::uint64_t below = 0;
    for (; high != 0;) {
      const auto bit = static_cast<std::uint32_t>(std::bit_width(high) - 1);
      below += (*this)(low + bit, number);
      number = rest(number, 1);
      high ^= std::uint64_t{1} << bit;
    }
    return below;
  }
  /// The bits above the lowest `low` of the set of that rank in the family.
  std::uint64_t high_part(const SetFamily& family, std::uint32_t low, std::uint64_t rank) const;

 private:
  static constexpr std::uint32_t row = 64;
  SetRule rule_;
  std::vector<std::uint64_t> table_;  // ones: binomial_table()
};

/// Made once.
const SetCounts& set_counts(SetRule rule);

/// The least word from `word` on that has at least `least` and at most `most` ones; carries out of 64 bits
/// are the caller's to exclude. Precondition: least <= most, most > 0.
inline std::uint64_t next_with_ones(std::uint64_t word, int least, int most) {
  while (std::popcount(word) > most) word += word & (~word + 1);
  while (std::popcount(word) < least) word |= word + 1;
  return word;
}

}  // namespace countpm
