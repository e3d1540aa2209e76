#pragma once
// Which columns grouped decides last on a GPU, and which rows are multiplied with which there: the factors of
// grouped/gpu/kernel.hpp.
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/grouped/gpu/shape.hpp"
#include "kernels/subsets/integer_columns.hpp"
#include "kernels/subsets/subset_plan.hpp"

namespace countpm::grouped {

/// Rows in the kernel's order. A column that is missing among those to be decided, because no other has one
/// value a row beside theirs or because there are too few, is one of zeros with a row of its own: 1, and 0
/// where it is chosen, so that only the subsets without it count.
struct DeviceLayout {
  static constexpr std::size_t no_row = ~std::size_t{0};  // the row of a column that is missing

  Shape shape{};
  std::vector<std::size_t> decided;  // numbers in plan.inner of the columns that are decided last
  std::vector<std::size_t> walked;   // and of all others
  std::vector<std::size_t> rows;
  std::vector<std::int32_t> steps;  // beside rows
  std::vector<bool> more;           // whether the next row is of the same pattern
  std::uint64_t filled = 0;         // bit p: pattern number p (Shape::patterns) has rows
  double instructions = 0;          // a subset
  double fp64 = 0;                  // of these by the FP64 unit
};

/// The one of fewest instructions a subset, of all shapes and some hundred choices of columns. Empty where
/// rows, divided by `divisors`, fit no shape: products of a type beyond its factors, or a sum beyond the
/// places. `only`: of this shape, for tests. Deterministic. Precondition: no multiplicities. O(rows log
/// rows), some 10 ms for 40 rows.
std::optional<DeviceLayout> choose_device_layout(const IntegerColumns<std::int64_t>& columns,
                                                 const SubsetPlan& plan,
                                                 const std::vector<std::int64_t>& divisors,
                                                 std::optional<Shape> only = std::nullopt);

/// What the rows' sums change by where column number `inner` of the plan comes in.
std::vector<std::int64_t> divided_delta(const IntegerColumns<std::int64_t>& columns, const SubsetPlan& plan,
                                        const std::vector<std::int64_t>& divisors, std::size_t inner);

}  // namespace countpm::grouped
