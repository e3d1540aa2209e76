#include "kernels/ryser/simd_walk.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "kernels/arithmetic/to_mpz.hpp"

namespace countpm {
namespace {

// 16-bit sums: differences of two sums must fit as well.
constexpr std::int64_t largest_int16_bound = (1 << 14) - 1;
constexpr std::int64_t largest_int16_product = (1 << 15) - 1;
constexpr std::int64_t largest_group_product = (std::int64_t{1} << lanes::group_bits) - 1;

/// The product where it stays within limit, else 0. All positive.
std::int64_t product_within(std::int64_t a, std::int64_t b, std::int64_t limit) {
  return a > limit / b ? 0 : a * b;
}

lanes::Variant variant_of([[maybe_unused]] InstructionSet set) {
#ifdef __x86_64__
  if (set == InstructionSet::avx512) return lanes::avx512::variant();
  if (set == InstructionSet::avx2) return lanes::avx2::variant();
#endif
  return lanes::baseline::variant();
}

/// The totals of many chunks, exact. 2^32 chunks of 2^60 at most fit the limbs.
class ChunkSum {
 public:
  explicit ChunkSum(unsigned groups) : limbs_(groups + 1), offsets_(groups + 1), words_(groups + 2) {}

  void add(const lanes::Totals& totals) {
    if (totals.split) {
      for (std::size_t i = 0; i < limbs_.size(); ++i) {
        limbs_[i] += totals.limb[i];
        offsets_[i] += totals.offset[i];
      }
      return;
    }
    const std::uint64_t sign = totals.words[limbs_.size() - 1] >> 63 != 0 ? ~std::uint64_t{0} : 0;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const uint128 word = uint128{words_[i]} + (i < limbs_.size() ? totals.words[i] : sign) + carry;
      words_[i] = static_cast<std::uint64_t>(word);
      carry = static_cast<std::uint64_t>(word >> 64);
    }
  }

  mpz_class total() const {
    mpz_class limbs;
    for (std::size_t i = limbs_.size(); i-- > 0;) {
      limbs <<= 52;
      limbs += to_mpz(limbs_[i]) - (to_mpz(offsets_[i]) << 51);
    }
    return to_mpz(words_.data(), words_.size(), true) + limbs;
  }

 private:
  std::vector<int128> limbs_;
  std::vector<int128> offsets_;
  std::vector<std::uint64_t> words_;
};

}  // namespace

/// First fit over the rows by rising bound. False where they do not fit into max_groups.
bool LaneWalk::group_rows(const InnerColumns& inner, lanes::Width width) {
  const unsigned products = width == lanes::Width::int16 ? 4 : 1;
  const std::int64_t product_limit =
      width == lanes::Width::int16 ? largest_int16_product : largest_group_product;
  row_order_.resize(inner.rows);
  std::iota(row_order_.begin(), row_order_.end(), std::size_t{0});
  std::stable_sort(row_order_.begin(), row_order_.end(),
                   [&](std::size_t a, std::size_t b) { return inner.bound[a] < inner.bound[b]; });
  walk_.width = width;
  walk_.rows = static_cast<unsigned>(inner.rows);
  walk_.groups = 0;
  std::size_t at = 0;
  while (at < row_order_.size()) {
    if (walk_.groups == lanes::max_groups) return false;
    lanes::Group& group = walk_.group[walk_.groups++];
    group = {};
    std::int64_t whole = 1;
    for (unsigned p = 0; p < products; ++p) {
      std::int64_t part = 1;
      for (; at < row_order_.size(); ++at, ++group.rows[p]) {
        const std::int64_t bound = std::max<std::int64_t>(inner.bound[row_order_[at]], 1);
        const std::int64_t longer = product_within(part, bound, product_limit);
        const std::int64_t larger = product_within(whole, bound, largest_group_product);
        if (longer == 0 || larger == 0) break;
        part = longer;
        whole = larger;
      }
    }
    if (group.rows[0] == 0) return false;
  }
  return walk_.groups > 0;
}

template <class Number>
void LaneWalk::lay_out(const InnerColumns& inner) {
  const std::size_t rows = inner.rows;
  const std::size_t column_size = rows * lane_count_;
  tables_ = allocate_aligned<void>((2 * walked_columns_ + 1) * column_size * sizeof(Number));
  Number* at = static_cast<Number*>(tables_.get());
  plus_.assign(1, at);
  minus_.assign(1, at);
  at = std::fill_n(at, column_size, Number{0});
  for (unsigned c = 0; c < walked_columns_; ++c) {
    for (const bool out : {false, true}) {
      (out ? minus_ : plus_).push_back(at);
      for (const std::size_t i : row_order_) {
        const std::int64_t delta = inner.delta[c * rows + i];
        at = std::fill_n(at, lane_count_, static_cast<Number>(out ? -delta : delta));
      }
    }
  }
  lane_delta_.clear();
  for (unsigned c = 0; c < lane_columns_; ++c) {
    for (const std::size_t i : row_order_)
      lane_delta_.push_back(inner.delta[(walked_columns_ + c) * rows + i]);
  }
}

std::optional<LaneWalk> LaneWalk::make(const InnerColumns& inner, LaneChoice choice) {
  const std::optional<InstructionSet> set = instruction_set_for(choice);
  if (!set || inner.rows == 0) return std::nullopt;
  LaneWalk result;
  result.variant_ = variant_of(*set);
  const std::int64_t largest = *std::max_element(inner.bound.begin(), inner.bound.end());
  for (const lanes::Width width : {lanes::Width::int16, lanes::Width::real64}) {
    if (largest > (width == lanes::Width::int16 ? largest_int16_bound : largest_group_product)) continue;
    result.lane_count_ =
        width == lanes::Width::int16 ? result.variant_.int16_lanes : result.variant_.real64_lanes;
    result.lane_columns_ = static_cast<unsigned>(std::countr_zero(result.lane_count_));
    if (inner.columns() <= result.lane_columns_ || inner.columns() - result.lane_columns_ > 62) continue;
    if (!result.group_rows(inner, width)) continue;
    result.walked_columns_ = static_cast<unsigned>(inner.columns()) - result.lane_columns_;
    if (width == lanes::Width::int16) {
      result.lay_out<std::int16_t>(inner);
    } else {
      result.lay_out<double>(inner);
    }
    return result;
  }
  return std::nullopt;
}

std::uint64_t LaneWalk::bytes_per_thread() const {
  return std::uint64_t{walk_.rows} * lanes::vector_bytes + sizeof(lanes::Totals);
}

template <class Number>
void LaneWalk::start_lanes(Number* sums, const std::vector<std::int64_t>& start) const {
  for (std::size_t r = 0; r < row_order_.size(); ++r) {
    for (unsigned lane = 0; lane < lane_count_; ++lane) {
      std::int64_t sum = start[row_order_[r]];
      for (unsigned c = 0; c < lane_columns_; ++c) {
        if ((lane >> c & 1) != 0) sum += lane_delta_[c * row_order_.size() + r];
      }
      *sums++ = static_cast<Number>(sum);
    }
  }
}

void LaneWalk::add_to(mpz_class& total, const std::vector<std::int64_t>& start,
                      const StopSignal& stop) const {
  const AlignedPointer<void> sums = allocate_aligned<void>(std::uint64_t{walk_.rows} * lanes::vector_bytes);
  if (walk_.width == lanes::Width::int16) {
    start_lanes(static_cast<std::int16_t*>(sums.get()), start);
  } else {
    start_lanes(static_cast<double*>(sums.get()), start);
  }
  lanes::Walk walk = walk_;
  walk.plus = plus_.data();
  walk.minus = minus_.data();
  const std::uint64_t steps = std::uint64_t{1} << walked_columns_;
  ChunkSum sum(walk_.groups);
  lanes::Totals totals;
  for (std::uint64_t first = 0; first < steps; first += lanes::chunk_steps) {
    stop.check();
    variant_.chunk(walk, sums.get(), first,
                   static_cast<unsigned>(std::min<std::uint64_t>(lanes::chunk_steps, steps - first)), totals);
    sum.add(totals);
  }
  total += sum.total();
}

}  // namespace countpm
