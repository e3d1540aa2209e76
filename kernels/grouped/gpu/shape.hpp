#pragma once
// The shapes that grouped's GPU kernel is compiled in. Plain data, for host and device.
#include <cstdint>

namespace countpm::grouped {

/// Columns that are decided above the last three, and factors of types 00 and 11; 01 and 10 have one each.
/// split: those of type 11 have a part of low rows and two of high ones in place of one.
struct Shape {
  unsigned upper;
  unsigned low_factors;
  unsigned high_factors;
  bool split = false;

  constexpr unsigned columns() const { return upper + 3; }
  constexpr unsigned factors() const { return low_factors + 2 + high_factors; }
  constexpr unsigned parts() const { return 2 * (low_factors + 2) + (split ? 3 : 2) * high_factors; }
  /// Patterns of rows: a bit of a word each. Factor by factor and part by part, low rows first.
  constexpr unsigned patterns() const { return parts() << upper; }
  /// Places of 52 bits that a thread's sum has.
  constexpr unsigned places() const { return low_factors + high_factors + 2; }
  constexpr bool operator==(const Shape&) const = default;
};

/// More upper columns are fewer instructions a subset, and take registers as factors do. The last shape has
/// room for all that the others have.
inline constexpr Shape shapes[] = {{2, 1, 1}, {2, 1, 2}, {2, 2, 2},       {2, 1, 3},
                                   {1, 1, 2}, {1, 1, 3}, {1, 1, 4, true}, {0, 3, 6, true}};
inline constexpr unsigned shape_count = sizeof(shapes) / sizeof(Shape);
inline constexpr unsigned most_columns = 5;

inline constexpr unsigned half_bits =
    31;  // half a factor is below 2^31: low rows (and, split, some high ones), or high ones
inline constexpr unsigned factor_bits = 49;  // the whole is at most 2^49

/// What a row's sum changes by: where a walked column comes in, and for a chosen one of those that are left.
struct RowChange {
  std::int32_t delta;
  std::int32_t step_and_more;  // four times the step, and 2 where a row of the same pattern follows

  static constexpr std::int32_t joined(std::int32_t step, bool more) { return 4 * step + (more ? 2 : 0); }
};

}  // namespace countpm::grouped
