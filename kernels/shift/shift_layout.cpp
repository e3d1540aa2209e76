#include "kernels/shift/shift_layout.hpp"

#include <gmpxx.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "kernels/shift/column_classes.hpp"

namespace countpm {
namespace {

constexpr unsigned lanes = 32;
constexpr std::int64_t largest_int8 = 127;
constexpr std::int64_t largest_int16 = 32767;
// Tables of rows whose tail sums spread wider would be large and seldom asked.
constexpr std::int64_t widest_reach = 64;
constexpr unsigned most_bits = 64;    // of a word of a set
constexpr unsigned narrow_tail = 10;  // the longest for words of 32 bits

/// A row as the layout sees it.
struct Row {
  std::size_t index = 0;
  std::size_t closed = 0;  // 1 + the last level before the tail that touches it
  bool in_tail = false;
  std::array<std::int64_t, lanes> lane_sum{};  // of the tail columns that number the lane
  std::array<std::int64_t, most_bits> bit_sum{};
  std::int64_t floor = 0;
  std::uint32_t reach = 0;  // 0: masks nothing
};

/// The part of the row's tables for its sums floor - k: bit b of lane l is whether the tail subset leaves it
/// nonzero.
std::uint64_t mask_word(const Row& row, std::uint32_t k, unsigned lane) {
  if (k >= row.reach) return ~std::uint64_t{0};
  std::uint64_t word = 0;
  for (unsigned bit = 0; bit < most_bits; ++bit) {
    const bool zero = row.lane_sum[lane] + row.bit_sum[bit] == row.floor + static_cast<std::int64_t>(k);
    word |= (zero ? std::uint64_t{0} : std::uint64_t{1}) << bit;
  }
  return word;
}

class Maker {
 public:
  Maker(const IntegerColumns<std::int64_t>& columns, const ShiftPlan<std::int64_t>& plan, unsigned most_tail)
      : columns_(columns), plan_(plan), levels_(plan.order.size()) {
    while (tail_ < most_tail && tail_ < levels_ &&
           columns.multiplicity[plan.order[levels_ - 1 - tail_]] == 1) {
      ++tail_;
    }
    head_ = levels_ - tail_;
    // the tail columns nearest the head number the lane
    const bool wide = tail_ > narrow_tail;
    bits_ = std::min(tail_, wide ? 6U : 5U);
    layout_.shape.set_bits = wide ? 64 : 32;
  }
  /// Whether tables had to be smaller than they could be, or do not fit at all.
  bool cut_short() const { return cut_short_; }

  DeviceLayout make(std::size_t shared_bytes, unsigned warps) {
    const std::vector<std::int64_t> largest = largest_sums(columns_, plan_.shift);
    const std::int64_t widest = largest.empty() ? 0 : *std::max_element(largest.begin(), largest.end());
    layout_.lane_bytes = widest > largest_int8 ? 2 : 1;
    read_rows();
    const std::size_t pairs = (rows_.size() + 1) / 2;
    const std::size_t lanes_a_factor = layout_.lane_bytes == 1 ? 4 : 2;
    DeviceShape& shape = layout_.shape;
    shape.head = static_cast<std::uint32_t>(head_);
    shape.factors =
        static_cast<std::uint32_t>(std::max<std::size_t>((pairs + lanes_a_factor - 1) / lanes_a_factor, 1));
    shape.stride = 2 * shape.factors + 1;
    const std::size_t rest = block_shared_bytes(shape, warps);
    choose_tables(shared_bytes - std::min(rest, shared_bytes));
    place_rows();
    place_tail();
    place_levels();
    close_root();
    return std::move(layout_);
  }

 private:
  void read_rows() {
    rows_.resize(columns_.rows);
    for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i].index = i;
    for (std::size_t k = 0; k < levels_; ++k) {
      const Index column = plan_.order[k];
      for (std::uint64_t e = columns_.start[column]; e < columns_.start[column + std::uint64_t{1}]; ++e) {
        Row& row = rows_[columns_.row[e]];
        if (k < head_) {
          row.closed = k + 1;
          continue;
        }
        row.in_tail = true;
        // tail column levels_ - 1 is bit 0
        const std::size_t place = levels_ - 1 - k;
        for (unsigned bit = 0; bit < most_bits; ++bit) {
          if (place < bits_ && (bit >> place & 1) != 0) row.bit_sum[bit] += columns_.value[e];
        }
        for (unsigned lane = 0; lane < lanes; ++lane) {
          if (place >= bits_ && (lane >> (place - bits_) & 1) != 0) row.lane_sum[lane] += columns_.value[e];
        }
      }
    }
    for (Row& row : rows_) {
      if (!row.in_tail) continue;
      const auto bit = std::minmax_element(row.bit_sum.begin(), row.bit_sum.end());
      const auto lane = std::minmax_element(row.lane_sum.begin(), row.lane_sum.end());
      row.floor = *bit.first + *lane.first;
      const std::int64_t reach = *bit.second + *lane.second - row.floor + 1;
      if (reach <= widest_reach) row.reach = static_cast<std::uint32_t>(reach);
    }
    // Rows that close together share a lane; what closes last, and so is looked at most often, comes first.
    std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
      if (a.in_tail != b.in_tail) return a.in_tail;
      return a.closed > b.closed;
    });
  }

  std::uint32_t entries(std::size_t pair) const {
    const std::uint32_t a = rows_[2 * pair].reach + 1;
    return 2 * pair + 1 < rows_.size() ? a * (rows_[2 * pair + 1].reach + 1) : a;
  }

  /// The widest rows go without masks until the others' tables fit.
  void choose_tables(std::size_t mask_bytes) {
    const std::size_t pairs = (rows_.size() + 1) / 2;
    for (;;) {
      std::size_t total = 0;
      std::size_t largest = 0;
      for (std::size_t p = 0; p < pairs; ++p) {
        total += entries(p);
        if (entries(p) > entries(largest)) largest = p;
      }
      if (pairs == 0 || total * mask_bytes_each() <= mask_bytes) return;
      Row* widest = &rows_[2 * largest];
      if (2 * largest + 1 < rows_.size() && rows_[2 * largest + 1].reach > widest->reach)
        widest = &rows_[2 * largest + 1];
      cut_short_ = true;
      if (widest->reach == 0) return;
      widest->reach = 0;
    }
  }

  void place_rows() {
    layout_.rows.resize(lanes);
    std::uint32_t at = 0;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      DeviceLaneRows& to = layout_.rows[lane];
      const std::size_t a = std::size_t{2} * lane;
      const unsigned subsets = 1U << bits_;  // of a lane
      const std::uint64_t all = subsets == most_bits ? ~std::uint64_t{0} : (std::uint64_t{1} << subsets) - 1;
      to.set = lane < (1U << (tail_ - bits_)) ? all : 0;
      if (a >= rows_.size()) continue;
      const Row nobody;
      const Row& row_a = rows_[a];
      const Row& row_b = a + 1 < rows_.size() ? rows_[a + 1] : nobody;
      to.sum_a = static_cast<std::int32_t>(plan_.shift[row_a.index]);
      if (a + 1 < rows_.size()) to.sum_b = static_cast<std::int32_t>(plan_.shift[row_b.index]);
      // the sum that the tail must not make is minus the row's
      to.floor_a = static_cast<std::int32_t>(-row_a.floor);
      to.floor_b = static_cast<std::int32_t>(-row_b.floor);
      to.reach_a = row_a.reach;
      to.reach_b = row_b.reach;
      to.base = at * mask_bytes_each();
      to.stride = (row_b.reach + 1) * mask_bytes_each();
      for (std::uint32_t i = 0; i <= row_a.reach; ++i) {
        for (std::uint32_t j = 0; j <= row_b.reach; ++j) {
          for (unsigned l = 0; l < lanes; ++l) {
            const std::uint64_t word = mask_word(row_a, i, l) & mask_word(row_b, j, l);
            layout_.masks.push_back(static_cast<std::uint32_t>(word));
            if (layout_.shape.set_bits == 64) layout_.masks.push_back(static_cast<std::uint32_t>(word >> 32));
          }
          ++at;
        }
      }
    }
    layout_.shape.mask_words = static_cast<std::uint32_t>(layout_.masks.size());
  }

  void place_tail() {
    const std::size_t stride = layout_.shape.stride;
    layout_.tail_lane.assign(lanes * stride, 0);
    layout_.tail_bit.assign(layout_.shape.set_bits * stride, 0);
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      // A word is the sum of its rows' numbers times 2^(8 or 16 k), modulo 2^32: no carry is lost.
      const unsigned bits = 8 * layout_.lane_bytes;
      const std::size_t word = r * bits / 32;
      const unsigned up = static_cast<unsigned>(r * bits % 32);
      for (unsigned l = 0; l < lanes; ++l)
        layout_.tail_lane[l * stride + word] += static_cast<std::uint32_t>(rows_[r].lane_sum[l]) << up;
      for (unsigned bit = 0; bit < layout_.shape.set_bits; ++bit)
        layout_.tail_bit[bit * stride + word] += static_cast<std::uint32_t>(rows_[r].bit_sum[bit]) << up;
    }
  }

  void place_levels() {
    DeviceShape& shape = layout_.shape;
    std::vector<std::size_t> place(rows_.size());
    for (std::size_t r = 0; r < rows_.size(); ++r) place[rows_[r].index] = r;
    layout_.lane_level.resize(std::max<std::size_t>(head_, 1) * lanes);
    for (std::size_t k = 0; k < head_; ++k) {
      DeviceLaneLevel* const level = &layout_.lane_level[k * lanes];
      const Index column = plan_.order[k];
      for (std::uint64_t e = columns_.start[column]; e < columns_.start[column + std::uint64_t{1}]; ++e) {
        const std::size_t r = place[columns_.row[e]];
        level[r / 2].column |= static_cast<std::uint32_t>(static_cast<std::uint16_t>(columns_.value[e]))
                               << (r % 2 * 16);
      }
      DeviceLevel& all = shape.levels[k];
      all.copies = static_cast<std::uint8_t>(columns_.multiplicity[column]);
      shape.ways[k] = static_cast<std::uint16_t>(layout_.ways.size());
      if (all.copies > 1) {
        shape.classes = 1;
        for (unsigned t = 0; t <= all.copies; ++t) {
          mpz_class binomial;
          mpz_bin_uiui(binomial.get_mpz_t(), all.copies, t);
          layout_.ways.push_back(t % 2 == 0 ? binomial.get_si() : -binomial.get_si());
        }
      }
      bool any = false;
      for (std::size_t r = 0; r < rows_.size(); ++r) {
        const Row& row = rows_[r];
        std::uint32_t& flags = level[r / 2].flags;
        if (!row.in_tail) {
          if (row.closed != k + 1) continue;
          flags |= std::uint32_t{1} << (r % 2);
          all.tests = 1;
          continue;
        }
        if (row.closed > k + 1) flags |= std::uint32_t{1} << (31 - r % 2);
        if (row.closed != k + 1 || row.reach == 0) continue;
        const auto pair = static_cast<std::uint8_t>(r / 2);
        if (!any) all.first_pair = pair;
        all.last_pair = static_cast<std::uint8_t>(pair + 1);
        any = true;
      }
    }
  }

  /// What the rows without columns before the tail leave of the root.
  void close_root() {
    for (const Row& row : rows_) {
      if (row.closed != 0) continue;
      const std::int64_t sum = plan_.shift[row.index];
      if (!row.in_tail) {
        layout_.alive = layout_.alive && sum != 0;
        continue;
      }
      for (unsigned lane = 0; lane < lanes; ++lane) {
        for (unsigned bit = 0; bit < most_bits; ++bit) {
          if (sum + row.lane_sum[lane] + row.bit_sum[bit] == 0)
            layout_.rows[lane].set &= ~(std::uint64_t{1} << bit);
        }
      }
    }
    std::uint64_t left = 0;
    for (const DeviceLaneRows& lane : layout_.rows) left |= lane.set;
    layout_.alive = layout_.alive && left != 0;
  }

  std::uint32_t mask_bytes_each() const { return lanes * layout_.shape.set_bits / 8; }

  const IntegerColumns<std::int64_t>& columns_;
  const ShiftPlan<std::int64_t>& plan_;
  std::size_t levels_;
  bool cut_short_ = false;
  std::size_t head_ = 0;
  unsigned tail_ = 0;
  unsigned bits_ = 0;  // of the tail columns number the bit
  std::vector<Row> rows_;
  DeviceLayout layout_;
};

}  // namespace

std::string device_obstacle(const IntegerColumns<std::int64_t>& columns,
                            const ShiftPlan<std::int64_t>& plan) {
  if (columns.rows > most_device_rows) return "a warp holds 64 rows";
  if (columns.columns() > most_device_levels) return "a warp walks 64 levels";
  std::uint64_t class_copies = 0;
  for (const Index copies : columns.multiplicity) class_copies += copies > 1 ? copies : 0;
  if (class_copies > most_class_copies) return "classes of equal columns are too large";
  const auto wide = [](std::int64_t value) { return value > largest_int16 || value < -largest_int16; };
  const std::vector<std::int64_t> largest = largest_sums(columns, plan.shift);
  if (std::any_of(largest.begin(), largest.end(), wide) ||
      std::any_of(columns.value.begin(), columns.value.end(), wide)) {
    return "row sums are wider than 16 bits";
  }
  return {};
}

unsigned exact_device_limbs(const IntegerColumns<std::int64_t>& columns,
                            const std::vector<std::int64_t>& shift) {
  // at most 2^n terms of at most the product of the largest sums
  double bits = columns.rows;
  for (const std::int64_t sum : largest_sums(columns, shift))
    bits += std::log2(static_cast<double>(std::max<std::int64_t>(sum, 1)));
  return static_cast<unsigned>(std::ceil((bits * (1 + 1e-9) + 2) / 64));
}

DeviceLayout lay_out_for_device(const IntegerColumns<std::int64_t>& columns,
                                const ShiftPlan<std::int64_t>& plan, unsigned most_tail,
                                std::size_t shared_bytes, unsigned warps) {
  if (most_tail > narrow_tail) {
    Maker wide(columns, plan, most_device_tail);
    DeviceLayout layout = wide.make(shared_bytes, warps);
    // Sums of 16 bits are rare, and have kernels for short tails alone.
    if (layout.lane_bytes == 1 && !wide.cut_short()) return layout;
  }
  return Maker(columns, plan, std::min(most_tail, narrow_tail)).make(shared_bytes, warps);
}

}  // namespace countpm
