#include "kernels/pruned/gpu/layout.hpp"

#include <gmpxx.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "kernels/pruned/search/column_classes.hpp"

namespace countpm {
namespace {

constexpr unsigned lanes = 32;
constexpr unsigned set_bytes = lanes * device_set_bits / 8;  // of a mask
constexpr std::int64_t largest_int8 = 127;
constexpr std::int64_t largest_int16 = 32767;
// Tables of rows whose tail sums spread wider would be large and seldom asked.
constexpr std::int64_t widest_reach = 64;
constexpr unsigned fewest_slots = 8;

/// A row as the layout sees it.
struct Row {
  std::size_t index = 0;
  std::size_t closed = 0;  // 1 + the last level before the tail that touches it
  bool in_tail = false;
  std::array<std::int64_t, lanes> lane_sum{};  // of the tail columns that number the lane
  std::array<std::int64_t, device_set_bits> bit_sum{};
  std::int64_t floor = 0;
  std::uint32_t reach = 0;  // 0: masks nothing
};

/// The part of the row's tables for its sums floor - k: bit b of lane l is whether the tail subset leaves it
/// nonzero.
std::uint64_t mask_word(const Row& row, std::uint32_t k, unsigned lane) {
  if (k >= row.reach) return ~std::uint64_t{0};
  std::uint64_t word = 0;
  for (unsigned bit = 0; bit < device_set_bits; ++bit) {
    const bool zero = row.lane_sum[lane] + row.bit_sum[bit] == row.floor + static_cast<std::int64_t>(k);
    word |= (zero ? std::uint64_t{0} : std::uint64_t{1}) << bit;
  }
  return word;
}

/// Places of rows, those with tail columns before the others.
struct Look {
  std::size_t a = 0;
  std::size_t b = 0;  // a: no other row
};

class Maker {
 public:
  Maker(const IntegerColumns<std::int64_t>& columns, const PrunedPlan<std::int64_t>& plan, unsigned most_tail)
      : columns_(columns), plan_(plan), levels_(plan.order.size()) {
    while (tail_ < most_tail && tail_ < levels_ &&
           columns.multiplicity[plan.order[levels_ - 1 - tail_]] == 1) {
      ++tail_;
    }
    head_ = levels_ - tail_;
    // the tail columns nearest the head number the lane
    bits_ = std::min(tail_, 6U);
  }

  DeviceLayout make(unsigned limbs, std::size_t shared_bytes, unsigned warps) {
    const std::vector<std::int64_t> largest = largest_sums(columns_, plan_.shift);
    const std::int64_t widest = largest.empty() ? 0 : *std::max_element(largest.begin(), largest.end());
    layout_.lane_bytes = widest > largest_int8 ? 2 : 1;
    read_rows();
    choose_shape(limbs, shared_bytes, warps);
    choose_looks(shared_bytes, warps);
    layout_.tables.resize(layout_.shape.tables_words());
    place_masks();
    place_root();
    place_levels();
    place_tail();
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
        for (unsigned bit = 0; bit < device_set_bits; ++bit) {
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
      // what is closed at the root masks the root's set once and for all
      if (reach <= widest_reach && row.closed != 0) row.reach = static_cast<std::uint32_t>(reach);
    }
    // Rows with small tables first, so that the pairs' tables are small.
    std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
      if (a.in_tail != b.in_tail) return a.in_tail;
      return (a.reach != 0 ? a.reach : ~0U) < (b.reach != 0 ? b.reach : ~0U);
    });
    for (const Row& row : rows_) tail_rows_ += row.in_tail ? 1 : 0;
  }

  void choose_shape(unsigned limbs, std::size_t shared_bytes, unsigned warps) {
    const std::size_t rows_a_word = 4 / layout_.lane_bytes;
    const auto factors = [&](std::size_t rows) {
      return static_cast<std::uint32_t>((rows + 2 * rows_a_word - 1) / (2 * rows_a_word));
    };
    DeviceShape& shape = layout_.shape;
    shape.head = static_cast<std::uint32_t>(head_);
    shape.factors = std::max(factors(rows_.size()), 1U);
    shape.tail_factors = factors(tail_rows_);
    shape.words = layout_.lane_bytes == 2 ? 32 : shape.factors <= 6 ? 12 : 16;
    shape.first_test_word = static_cast<std::uint32_t>(tail_rows_ / rows_a_word);
    shape.stride = 2 * (shape.factors | 1);
    shape.limbs = limbs;
    // Where there is little room, it is better used for masks.
    while (shape.slots > fewest_slots && 2 * block_shared_bytes(shape, warps) > shared_bytes)
      shape.slots /= 2;
  }

  std::size_t entries(const Look& look) const {
    const std::size_t a = rows_[look.a].reach + std::size_t{1};
    return look.a == look.b ? a : a * (rows_[look.b].reach + std::size_t{1});
  }

  /// A look a row, but for the widest ones where not all tables fit; then, the smallest ones first, two rows
  /// a look as long as their tables fit.
  void choose_looks(std::size_t shared_bytes, unsigned warps) {
    std::vector<std::size_t> masked;
    for (std::size_t r = 0; r < tail_rows_; ++r) {
      if (rows_[r].reach != 0) masked.push_back(r);
    }
    const auto with_looks = [&](std::size_t looks, std::size_t masks) {
      DeviceShape shape = layout_.shape;
      shape.looks = static_cast<std::uint32_t>((looks + 3) / 4 * 4);
      shape.mask_words = static_cast<std::uint32_t>(masks * set_bytes / 4);
      return shape;
    };
    const auto fits = [&](std::size_t looks, std::size_t masks) {
      return block_shared_bytes(with_looks(looks, masks), warps) <= shared_bytes;
    };
    std::size_t total = 0;
    for (const std::size_t r : masked) total += entries({r, r});
    while (!masked.empty() && !fits(masked.size(), total)) {
      total -= entries({masked.back(), masked.back()});
      masked.pop_back();
    }
    std::size_t looks = masked.size();
    std::size_t next = 0;
    for (; next + 1 < masked.size(); next += 2) {
      const Look pair{masked[next], masked[next + 1]};
      const std::size_t alone = entries({pair.a, pair.a}) + entries({pair.b, pair.b});
      if (!fits(looks - 1, total - alone + entries(pair))) break;
      total = total - alone + entries(pair);
      --looks;
      looks_.push_back(pair);
    }
    for (; next < masked.size(); ++next) looks_.push_back({masked[next], masked[next]});
    layout_.shape = with_looks(looks_.size(), total);
    layout_.masked_rows = static_cast<unsigned>(masked.size());
  }

  void place_masks() {
    std::size_t at = 0;  // words
    std::vector<MaskLookup> looks;
    for (const Look& look : looks_) {
      const Row& a = rows_[look.a];
      const Row& b = rows_[look.b];
      const bool two = look.a != look.b;
      MaskLookup to;
      to.at_a = static_cast<std::uint16_t>(look.a * layout_.lane_bytes);
      to.at_b = static_cast<std::uint16_t>(look.b * layout_.lane_bytes);
      // the sum that the tail must not make is minus the row's
      to.floor_a = bias() - static_cast<std::uint32_t>(a.floor);
      to.floor_b = bias() - static_cast<std::uint32_t>(b.floor);
      to.reach_a = a.reach;
      to.reach_b = two ? b.reach : 0;
      to.base = static_cast<std::uint32_t>(at * 4);
      to.stride = (to.reach_b + 1) * set_bytes;
      looks.push_back(to);
      for (std::uint32_t i = 0; i <= to.reach_a; ++i) {
        for (std::uint32_t j = 0; j <= to.reach_b; ++j) {
          for (unsigned l = 0; l < lanes; ++l) {
            const std::uint64_t word = mask_word(a, i, l) & (two ? mask_word(b, j, l) : ~std::uint64_t{0});
            at = put_wide(at, word);
          }
        }
      }
    }
    if (looks.empty()) return;
    // What makes them a multiple of four asks the last row for what leaves everything.
    while (looks.size() < layout_.shape.looks) {
      MaskLookup nothing = looks.back();
      nothing.base += nothing.reach_a * nothing.stride + nothing.reach_b * set_bytes;
      nothing.reach_a = nothing.reach_b = nothing.stride = 0;
      looks.push_back(nothing);
    }
    std::memcpy(layout_.tables.data() + layout_.shape.looks_at(), looks.data(),
                looks.size() * sizeof(MaskLookup));
  }

  std::size_t put_wide(std::size_t at, std::uint64_t word) {
    layout_.tables[at] = static_cast<std::uint32_t>(word);
    layout_.tables[at + 1] = static_cast<std::uint32_t>(word >> 32);
    return at + 2;
  }

  std::uint32_t bias() const { return layout_.lane_bytes == 1 ? 0x80 : 0x8000; }
  /// A word is the sum of its rows' numbers times 2^(8 or 16 k), modulo 2^32: no carry is lost.
  void add_packed(std::size_t words_at, std::size_t row, std::int64_t value) {
    const std::size_t bit = row * 8 * layout_.lane_bytes;
    layout_.tables[words_at + bit / 32] += static_cast<std::uint32_t>(value) << (bit % 32);
  }

  /// The sums there, and what the rows without columns before the tail leave of it.
  void place_root() {
    const std::size_t rows = layout_.shape.words * 4 / layout_.lane_bytes;
    for (std::size_t r = 0; r < rows; ++r) {
      const std::int64_t sum = r < rows_.size() ? plan_.shift[rows_[r].index] : 1;
      add_packed(layout_.shape.root_sums_at(), r, sum + bias());
    }
    const unsigned subsets = 1U << bits_;  // of a lane
    const std::uint64_t all =
        subsets == device_set_bits ? ~std::uint64_t{0} : (std::uint64_t{1} << subsets) - 1;
    std::array<std::uint64_t, lanes> set{};
    for (unsigned lane = 0; lane < 1U << (tail_ - bits_); ++lane) set[lane] = all;
    for (const Row& row : rows_) {
      if (row.closed != 0) continue;
      const std::int64_t sum = plan_.shift[row.index];
      if (!row.in_tail) {
        layout_.alive = layout_.alive && sum != 0;
        continue;
      }
      for (unsigned lane = 0; lane < lanes; ++lane) {
        for (unsigned bit = 0; bit < device_set_bits; ++bit) {
          if (sum + row.lane_sum[lane] + row.bit_sum[bit] == 0) set[lane] &= ~(std::uint64_t{1} << bit);
        }
      }
    }
    std::size_t at = layout_.shape.root_set_at();
    std::uint64_t left = 0;
    for (const std::uint64_t lane : set) {
      left |= lane;
      at = put_wide(at, lane);
    }
    layout_.alive = layout_.alive && left != 0;
  }

  void place_levels() {
    DeviceShape& shape = layout_.shape;
    std::vector<std::size_t> place(rows_.size());
    for (std::size_t r = 0; r < rows_.size(); ++r) place[rows_[r].index] = r;
    for (std::size_t k = 0; k < head_; ++k) {
      const std::size_t at = shape.level_at(static_cast<std::uint32_t>(k));
      const Index column = plan_.order[k];
      for (std::uint64_t e = columns_.start[column]; e < columns_.start[column + std::uint64_t{1}]; ++e)
        add_packed(at, place[columns_.row[e]], columns_.value[e]);
      for (std::size_t r = tail_rows_; r < rows_.size(); ++r) {
        if (rows_[r].closed == k + 1) add_packed(at + shape.words, r, bias());
      }
      const auto copies = static_cast<std::uint32_t>(columns_.multiplicity[column]);
      layout_.tables[at + 2 * shape.words] = copies | static_cast<std::uint32_t>(layout_.ways.size()) << 16;
      if (copies == 1) continue;
      shape.classes = 1;
      for (unsigned t = 0; t <= copies; ++t) {
        mpz_class binomial;
        mpz_bin_uiui(binomial.get_mpz_t(), copies, t);
        layout_.ways.push_back(t % 2 == 0 ? binomial.get_si() : -binomial.get_si());
      }
    }
  }

  void place_tail() {
    const DeviceShape& shape = layout_.shape;
    for (std::size_t r = 0; r < tail_rows_; ++r) {
      for (unsigned l = 0; l < lanes; ++l)
        add_packed(shape.tail_lane_at() + l * shape.stride, r, rows_[r].lane_sum[l]);
      for (unsigned bit = 0; bit < device_set_bits; ++bit)
        add_packed(shape.tail_bit_at() + bit * shape.stride, r, rows_[r].bit_sum[bit]);
    }
  }

  const IntegerColumns<std::int64_t>& columns_;
  const PrunedPlan<std::int64_t>& plan_;
  std::size_t levels_;
  std::size_t head_ = 0;
  unsigned tail_ = 0;
  unsigned bits_ = 0;  // of the tail columns number the bit
  std::vector<Row> rows_;
  std::size_t tail_rows_ = 0;
  std::vector<Look> looks_;
  DeviceLayout layout_;
};

}  // namespace

std::string device_obstacle(const IntegerColumns<std::int64_t>& columns,
                            const PrunedPlan<std::int64_t>& plan) {
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
                                const PrunedPlan<std::int64_t>& plan, unsigned most_tail, unsigned limbs,
                                std::size_t shared_bytes, unsigned warps) {
  return Maker(columns, plan, most_tail).make(limbs, shared_bytes, warps);
}

}  // namespace countpm
