#pragma once
// Words of bits with a fixed number of ones, by their number in ascending order: the combinatorial number
// system (D. E. Knuth, The Art of Computer Programming 4A, 7.2.1.3). The word whose ones are at p_1 < p_2 <
// ... has the number sum C(p_i, i).
#include <array>
#include <cstddef>
#include <cstdint>

namespace countpm {

/// The longest words: binomials up to C(62, 31) fit in 64 bits.
constexpr std::size_t most_bits = 62;

/// C(n, k), for n up to most_bits; 0 for k > n. O(1).
inline std::uint64_t binomial(std::size_t n, std::size_t k) {
  static const auto table = [] {
    std::array<std::array<std::uint64_t, most_bits + 1>, most_bits + 1> rows{};
    for (std::size_t row = 0; row <= most_bits; ++row) {
      // cppcheck-suppress containerOutOfBounds ; there are most_bits + 1 rows
      rows[row][0] = 1;
      // cppcheck-suppress containerOutOfBounds
      for (std::size_t i = 1; i <= row; ++i) rows[row][i] = rows[row - 1][i - 1] + rows[row - 1][i];
    }
    return rows;
  }();
  return k > n ? 0 : table[n][k];
}

/// The number of a word among those with as many ones. O(bits).
inline std::uint64_t number_of_word(std::uint64_t word) {
  std::uint64_t number = 0;
  std::size_t ones = 0;
  for (std::size_t place = 0; word >> place != 0; ++place) {
    if ((word >> place & 1U) != 0) number += binomial(place, ++ones);
  }
  return number;
}

/// The word with `ones` ones that has that number. O(bits).
inline std::uint64_t word_of_number(std::uint64_t number, std::size_t ones) {
  std::uint64_t word = 0;
  for (std::size_t place = most_bits; ones > 0 && place-- > 0;) {
    if (binomial(place, ones) > number) continue;
    number -= binomial(place, ones--);
    word |= std::uint64_t{1} << place;
  }
  return word;
}

/// The next word with as many ones; `word` has one. R. W. Gosper, HAKMEM item 175. O(1).
inline std::uint64_t next_word(std::uint64_t word) {
  const std::uint64_t lowest = word & (~word + 1);
  const std::uint64_t ripple = word + lowest;
  return ripple | (((word ^ ripple) >> 2U) / lowest);
}

}  // namespace countpm
