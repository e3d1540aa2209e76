#pragma once
// The SIMD inner walk of ryser: picks the widest variant that the processor has, lays out its tables and adds
// up its totals.
#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/method.hpp"
#include "kernels/ryser/simd.hpp"
#include "kernels/support/aligned_memory.hpp"
#include "kernels/support/instruction_sets.hpp"

namespace countpm {

/// The inner columns as dense differences: delta[c * rows + i] is what row i's sum changes by when inner
/// column c comes in. No row sum ever leaves [-bound[i], bound[i]].
struct InnerColumns {
  std::size_t rows = 0;
  std::vector<std::int64_t> delta;
  std::vector<std::int64_t> bound;

  std::size_t columns() const { return rows == 0 ? 0 : delta.size() / rows; }
};

/// sum over subsets S of the inner columns of (-1)^|S| prod_i (start_i + sum_{j in S} delta_ij), exact.
class LaneWalk {
 public:
  /// Empty where no variant allowed by `choice` fits: too few inner columns for the lanes, or products of
  /// more than max_groups groups of 51 bits.
  static std::optional<LaneWalk> make(const InnerColumns& inner, LaneChoice choice);

  /// Adds the sum to `total`. Looks at `stop` every 2^8 steps.
  void add_to(mpz_class& total, const std::vector<std::int64_t>& start, const StopSignal& stop) const;
  const char* variant_name() const { return variant_.name; }
  lanes::Width width() const { return walk_.width; }
  unsigned groups() const { return walk_.groups; }
  std::uint64_t bytes_per_thread() const;

 private:
  bool group_rows(const InnerColumns& inner, lanes::Width width);
  template <class Number>
  void lay_out(const InnerColumns& inner);
  template <class Number>
  void start_lanes(Number* sums, const std::vector<std::int64_t>& start) const;

  lanes::Variant variant_{};
  lanes::Walk walk_{};
  unsigned lane_count_ = 0;
  unsigned lane_columns_ = 0;  // the last ones of the inner columns
  unsigned walked_columns_ = 0;
  std::vector<std::size_t> row_order_;    // of the tables
  std::vector<std::int64_t> lane_delta_;  // [lane column][row of the tables]
  AlignedPointer<void> tables_;
  std::vector<const void*> plus_;
  std::vector<const void*> minus_;
};

}  // namespace countpm
