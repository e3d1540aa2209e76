#pragma once
// The shapes that merged's GPU kernel is compiled in. Plain data, for host and device.
#include <cstdint>

namespace countpm::merged {

/// Columns that are decided above the last three, and factors of types 00 and 11; 01 and 10 have one each.
struct Shape {
  unsigned upper;
  unsigned low_factors;
  unsigned high_factors;

  constexpr unsigned columns() const { return upper + 3; }
  constexpr unsigned factors() const { return low_factors + 2 + high_factors; }
  /// Patterns of rows: a bit of a word each. Factor by factor, those with a zero in the third column first.
  constexpr unsigned patterns() const { return factors() << (upper + 1); }
  /// Places of 52 bits that a thread's sum has.
  constexpr unsigned places() const { return low_factors + high_factors + 2; }
  constexpr bool operator==(const Shape&) const = default;
};

/// More upper columns are fewer instructions a subset, and take registers as factors do. The last shape has
/// room for all that the others have.
inline constexpr Shape shapes[] = {{2, 1, 1}, {1, 1, 2}, {1, 2, 2}, {1, 1, 3},
                                   {1, 1, 4}, {0, 1, 6}, {0, 3, 6}};
inline constexpr unsigned shape_count = sizeof(shapes) / sizeof(Shape);
inline constexpr unsigned most_columns = 5;

inline constexpr unsigned half_bits = 31;    // the product of half a factor is below 2^31
inline constexpr unsigned factor_bits = 49;  // and that of the whole at most 2^49

/// What a row's sum changes by: where a walked column comes in, and for a chosen one of those that are left.
struct RowChange {
  std::int32_t delta;
  std::int32_t step_and_more;  // four times the step, and 2 where a row of the same pattern follows

  static constexpr std::int32_t joined(std::int32_t step, bool more) { return 4 * step + (more ? 2 : 0); }
};

}  // namespace countpm::merged
