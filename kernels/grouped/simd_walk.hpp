#pragma once
// The SIMD inner walk of grouped: picks the widest variant that the processor has, lays out its tables and
// adds up its totals.
#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/grouped/layout.hpp"
#include "kernels/method.hpp"
#include "kernels/support/aligned_memory.hpp"
#include "kernels/support/instruction_sets.hpp"

namespace countpm {

/// The inner columns of a walk. Columns 0 .. 2 are the last: row i has step[i] or nothing in them, by the
/// bits of its pattern. The others are dense differences: delta[(c - 3) * rows + i].
struct GroupedColumns {
  std::vector<GroupedRow> rows;
  std::vector<std::int64_t> step;
  std::vector<std::int64_t> delta;

  std::size_t others() const { return rows.empty() ? 0 : delta.size() / rows.size(); }
};

/// sum over subsets S of the inner columns of (-1)^|S| prod_i (start_i + sum_{j in S} delta_ij), exact.
class GroupedWalk {
 public:
  /// Empty where no variant allowed by `choice` fits: no AVX2, too few inner columns for the lanes, or rows
  /// too large for the layout.
  static std::optional<GroupedWalk> make(const GroupedColumns& columns, LaneChoice choice);

  /// Adds the sum to `total`. Looks at `stop` every 32 nodes of 8 x lanes subsets.
  void add_to(mpz_class& total, const std::vector<std::int64_t>& start, const StopSignal& stop) const;
  const char* variant_name() const { return variant_.name; }
  const GroupedLayout& layout() const { return layout_; }
  std::uint64_t bytes_per_thread() const;

 private:
  void lay_out(const GroupedColumns& columns);

  grouped_lanes::Variant variant_{};
  GroupedLayout layout_;
  unsigned lane_columns_ = 0;  // the last ones of the inner columns
  unsigned walked_columns_ = 0;
  std::vector<std::int64_t> lane_delta_;  // [lane column][row of the layout]
  AlignedPointer<std::int16_t> tables_;
  std::vector<const void*> plus_;
  std::vector<const void*> minus_;
  const void* step_ = nullptr;
};

}  // namespace countpm
