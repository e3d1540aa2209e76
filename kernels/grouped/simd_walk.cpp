#include "kernels/grouped/simd_walk.hpp"

#include <algorithm>
#include <bit>

#include "kernels/arithmetic/to_mpz.hpp"

namespace countpm {
namespace {

/// 1 for a lane whose columns are even in number, -1 for odd.
std::int16_t lane_sign(unsigned lane) {
  return std::popcount(lane) % 2 != 0 ? std::int16_t{-1} : std::int16_t{1};
}

}  // namespace

std::optional<GroupedWalk> GroupedWalk::make(const GroupedColumns& columns, LaneChoice choice) {
  const std::optional<InstructionSet> set = instruction_set_for(choice);
  if (!set || *set == InstructionSet::baseline) return std::nullopt;
  GroupedWalk walk;
#ifdef __x86_64__
  walk.variant_ =
      *set == InstructionSet::avx512 ? grouped_lanes::avx512::variant() : grouped_lanes::avx2::variant();
#endif
  walk.lane_columns_ = static_cast<unsigned>(std::countr_zero(walk.variant_.lanes));
  if (columns.others() <= walk.lane_columns_ || columns.others() - walk.lane_columns_ > 62)
    return std::nullopt;
  walk.walked_columns_ = static_cast<unsigned>(columns.others()) - walk.lane_columns_;
  std::optional<GroupedLayout> layout = lay_out_rows(columns.rows);
  if (!layout) return std::nullopt;
  walk.layout_ = std::move(*layout);
  walk.lay_out(columns);
  return walk;
}

void GroupedWalk::lay_out(const GroupedColumns& columns) {
  const std::size_t rows = layout_.rows.size();
  const std::size_t lanes = variant_.lanes;
  tables_ = allocate_aligned<std::int16_t>((2 * walked_columns_ + 2) * rows * lanes * sizeof(std::int16_t));
  std::int16_t* at = tables_.get();
  // A table of what value(row) says; the sign row turns at every node: back to a lane's own sign at even
  // ones.
  const auto table = [&](bool odd, const auto& value) {
    const std::int16_t* const begin = at;
    for (const std::size_t row : layout_.rows) {
      for (unsigned lane = 0; lane < lanes; ++lane) {
        *at++ = row == GroupedLayout::sign_row ? static_cast<std::int16_t>((odd ? -2 : 2) * lane_sign(lane))
                                               : static_cast<std::int16_t>(value(row));
      }
    }
    return begin;
  };
  plus_.push_back(table(false, [](std::size_t) { return 0; }));
  minus_.push_back(plus_.back());
  for (unsigned c = 0; c < walked_columns_; ++c) {
    const std::int64_t* delta = columns.delta.data() + c * columns.rows.size();
    plus_.push_back(table(c == 0, [&](std::size_t row) { return delta[row]; }));
    minus_.push_back(table(c == 0, [&](std::size_t row) { return -delta[row]; }));
  }
  step_ = at;
  for (const std::size_t row : layout_.rows) {
    at = std::fill_n(
        at, lanes,
        row == GroupedLayout::sign_row ? std::int16_t{0} : static_cast<std::int16_t>(columns.step[row]));
  }
  for (unsigned c = 0; c < lane_columns_; ++c) {
    for (const std::size_t row : layout_.rows) {
      lane_delta_.push_back(row == GroupedLayout::sign_row
                                ? 0
                                : columns.delta[(walked_columns_ + c) * columns.rows.size() + row]);
    }
  }
}

std::uint64_t GroupedWalk::bytes_per_thread() const {
  const std::uint64_t rows = layout_.rows.size();
  return rows * grouped_lanes::vector_bytes + 16384;
}

void GroupedWalk::add_to(mpz_class& total, const std::vector<std::int64_t>& start,
                         const StopSignal& stop) const {
  const std::size_t rows = layout_.rows.size();
  const AlignedPointer<std::int16_t> sums =
      allocate_aligned<std::int16_t>(rows * variant_.lanes * sizeof(std::int16_t));
  std::int16_t* at = sums.get();
  for (std::size_t r = 0; r < rows; ++r) {
    for (unsigned lane = 0; lane < variant_.lanes; ++lane) {
      if (layout_.rows[r] == GroupedLayout::sign_row) {
        *at++ = static_cast<std::int16_t>(-lane_sign(lane));
        continue;
      }
      std::int64_t sum = start[layout_.rows[r]];
      for (unsigned c = 0; c < lane_columns_; ++c) {
        if ((lane >> c & 1) != 0) sum += lane_delta_[c * rows + r];
      }
      *at++ = static_cast<std::int16_t>(sum);
    }
  }
  grouped_lanes::Walk walk{};
  walk.low_factors = layout_.low_factors;
  walk.high_factors = layout_.high_factors;
  std::copy(layout_.factors.begin(), layout_.factors.end(), walk.factor);
  walk.plus = plus_.data();
  walk.minus = minus_.data();
  walk.step = step_;
  const std::uint64_t nodes = std::uint64_t{1} << walked_columns_;
  int128 digits[grouped_lanes::max_digits] = {};
  grouped_lanes::Totals totals;
  for (std::uint64_t first = 0; first < nodes; first += grouped_lanes::chunk_nodes) {
    stop.check();
    variant_.chunk(walk, sums.get(), first,
                   static_cast<unsigned>(std::min<std::uint64_t>(grouped_lanes::chunk_nodes, nodes - first)),
                   totals);
    for (unsigned j = 0; j < grouped_lanes::max_digits; ++j) digits[j] += totals.digit[j];
  }
  mpz_class sum = 0;
  for (unsigned j = grouped_lanes::max_digits; j-- > 0;) {
    sum <<= 52;
    sum += to_mpz(digits[j]);
  }
  total += sum;
}

}  // namespace countpm
