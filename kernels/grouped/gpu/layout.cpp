#include "kernels/grouped/gpu/layout.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>

#include "kernels/grouped/gpu/lane.hpp"
#include "kernels/subsets/prefixes.hpp"

namespace countpm::grouped {
namespace {

constexpr int tries = 200;
constexpr std::uint64_t choice_seed = 20261123;
constexpr std::int64_t largest_half = (std::int64_t{1} << half_bits) - 1;
constexpr std::int64_t largest_factor = std::int64_t{1} << factor_bits;
// Four times a step is kept in 32 bits.
constexpr std::int64_t largest_row = (std::int64_t{1} << 28) - 1;

/// A row as the columns to be decided see it: bit 0 and 1 the last two, bit 2 the third, bit 3 and on the
/// upper ones.
struct PatternRow {
  std::size_t row = 0;
  std::int64_t bound = 1;
  unsigned pattern = 0;
  std::int64_t step = 0;
};

/// A factor on its way. Parts: low rows, high ones, and high ones that are multiplied with the low ones.
struct Bin {
  bool split = false;
  std::int64_t product[3] = {1, 1, 1};
  std::vector<const PatternRow*> rows[3];

  bool take(const PatternRow& row) {
    if (row.bound > largest_factor / product[0] / product[1] / product[2]) return false;
    const bool fits_mixed = row.bound <= largest_half / product[0] / product[2];
    if ((row.pattern >> 2 & 1) == 0) return fits_mixed && put(row, 0);
    if (row.bound <= largest_half / product[1]) return put(row, 1);
    return split && fits_mixed && put(row, 2);
  }

 private:
  bool put(const PatternRow& row, unsigned part) {
    product[part] *= row.bound;
    rows[part].push_back(&row);
    return true;
  }
};

/// Multiplications of Cursor::decide.
unsigned deciding(unsigned upper, unsigned ones) {
  if (upper == 0) return 0;
  return deciding(upper - 1, ones) + deciding(upper - 1, ones + 1) + (ones + 1) * (1U << upper);
}
/// Values of all patterns on the upper columns.
unsigned pattern_values(unsigned upper, unsigned ones) {
  if (upper == 0) return ones + 1;
  return pattern_values(upper - 1, ones) + pattern_values(upper - 1, ones + 1);
}

/// Instructions a node of `shape`, but for its rows, and how many of them are FP64: counted in the SASS for
/// sm_90, 2026-11-23.
std::pair<double, double> node_instructions(const Shape& shape) {
  const unsigned high = shape.high_factors;
  const unsigned low = shape.low_factors;
  unsigned fp64 = 2 * (9 * high - 1) + 9 * (high + 1) - 1;
  for (unsigned k = 1; k < high; ++k) fp64 += 3 * (4 * k - 1);
  for (unsigned k = 0; k + 1 < low; ++k) fp64 += 4 * (high + 2 + k) - 1;
  const unsigned values = low + 4 + 3 * high;
  const unsigned digits = high + low + 1;  // of what is added to the sum
  fp64 += values + 4 * digits;
  const unsigned leaves = 2U << shape.upper;
  double all = leaves * (fp64 + values + 3.5 * digits);
  constexpr unsigned loop = 40;
  all += 2 * shape.patterns() + loop;
  const auto part = [&](unsigned ones) {
    all += deciding(shape.upper, ones) + pattern_values(shape.upper, ones);
  };
  const auto factor = [&](unsigned ones) {
    part(ones);
    part(ones + 1);
  };
  for (unsigned k = 0; k < low; ++k) factor(0);
  factor(1);
  factor(1);
  for (unsigned k = 0; k < high; ++k) {
    factor(2);
    if (!shape.split) continue;
    part(3);
    all += 6U << shape.upper;  // mixed
  }
  return {all, static_cast<double>(leaves) * fp64};
}

/// First fit; rows by falling bound. Empty where the rows do not fit.
std::optional<DeviceLayout> lay_out(const std::vector<PatternRow>& rows, const Shape& shape) {
  std::vector<Bin> bins(shape.factors());
  for (unsigned f = shape.low_factors + 2; f < shape.factors(); ++f) bins[f].split = shape.split;
  const unsigned first[] = {0, shape.low_factors, shape.low_factors + 1, shape.low_factors + 2,
                            shape.factors()};
  for (const PatternRow& row : rows) {
    const unsigned type = row.pattern & 3;
    const auto begin = bins.begin() + first[type];
    const auto end = bins.begin() + first[type + 1];
    if (std::none_of(begin, end, [&](Bin& bin) { return bin.take(row); })) return std::nullopt;
  }
  DeviceLayout layout;
  layout.shape = shape;
  const auto [instructions, fp64] = node_instructions(shape);
  layout.instructions = instructions;
  layout.fp64 = fp64;
  unsigned number = 0;
  for (Bin& bin : bins) {
    // in the kernel's order: low, high; split: low, high to be mixed, high
    std::vector<std::vector<const PatternRow*>> parts{bin.rows[0]};
    if (bin.split) parts.push_back(bin.rows[2]);
    parts.push_back(bin.rows[1]);
    for (auto& side : parts) {
      std::stable_sort(side.begin(), side.end(), [](const PatternRow* a, const PatternRow* b) {
        return a->pattern >> 3 < b->pattern >> 3;
      });
      for (unsigned upper = 0; upper < 1U << shape.upper; ++upper, ++number) {
        for (const PatternRow* row : side) {
          if (row->pattern >> 3 != upper) continue;
          if ((layout.filled >> number & 1) != 0) {
            layout.more.back() = true;
            layout.instructions += std::popcount(row->pattern) + 1;
          }
          layout.filled |= std::uint64_t{1} << number;
          layout.instructions += 8 + std::popcount(row->pattern);
          layout.rows.push_back(row->row);
          layout.steps.push_back(static_cast<std::int32_t>(row->step));
          layout.more.push_back(false);
        }
      }
    }
  }
  const double subsets = 1U << shape.columns();
  layout.instructions /= subsets;
  layout.fp64 /= subsets;
  return layout;
}

class Chooser {
 public:
  Chooser(const IntegerColumns<std::int64_t>& columns, const SubsetPlan& plan,
          const std::vector<std::int64_t>& divisors, const std::optional<Shape>& only)
      : only_(only), log2_sum_(plan.log2_terms) {
    for (std::size_t c = 0; c < plan.inner.size(); ++c)
      deltas_.push_back(divided_delta(columns, plan, divisors, c));
    for (Index i = 0; i < columns.rows; ++i) {
      const std::int64_t bound = std::max<std::int64_t>(columns.row_bound[i] / divisors[i], 1);
      bounds_.push_back(bound);
      log2_sum_ += std::log2(static_cast<double>(bound));
    }
    rows_.resize(bounds_.size());
    std::iota(rows_.begin(), rows_.end(), std::size_t{0});
    std::stable_sort(rows_.begin(), rows_.end(),
                     [&](std::size_t a, std::size_t b) { return bounds_[a] > bounds_[b]; });
    fits_ = rows_.empty() || bounds_[rows_.front()] <= largest_row;
  }

  std::optional<DeviceLayout> choose() {
    if (!fits_) return std::nullopt;
    std::mt19937_64 random(choice_seed);
    std::vector<std::size_t> order(deltas_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (int attempt = 0; attempt < tries; ++attempt) {
      for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random() % k]);
      try_columns(compatible(order));
    }
    if (!best_) return std::nullopt;
    for (std::size_t c = 0; c < deltas_.size(); ++c) {
      if (std::find(best_->decided.begin(), best_->decided.end(), c) == best_->decided.end())
        best_->walked.push_back(c);
    }
    return std::move(best_);
  }

 private:
  /// The first most_columns ones on which every row has one value or zero.
  std::vector<std::size_t> compatible(const std::vector<std::size_t>& order) const {
    std::vector<std::size_t> chosen;
    std::vector<std::int64_t> value(bounds_.size(), 0);
    for (const std::size_t c : order) {
      const std::vector<std::int64_t>& delta = deltas_[c];
      bool fits = true;
      for (std::size_t i = 0; i < value.size() && fits; ++i)
        fits = delta[i] == 0 || value[i] == 0 || value[i] == delta[i];
      if (!fits) continue;
      for (std::size_t i = 0; i < value.size(); ++i) value[i] = delta[i] != 0 ? delta[i] : value[i];
      chosen.push_back(c);
      if (chosen.size() == most_columns) break;
    }
    return chosen;
  }
  void try_columns(const std::vector<std::size_t>& chosen) {
    for (const Shape& shape : shapes) {
      if (only_ && !(*only_ == shape)) continue;
      if (log2_sum_ + 2 > digit_bits * (shape.places() - 1) + 62) continue;
      const std::size_t decided = std::min<std::size_t>(chosen.size(), shape.columns());
      std::vector<PatternRow> rows;
      for (const std::size_t i : rows_) {
        PatternRow row{i, bounds_[i], 0, 0};
        for (std::size_t k = 0; k < decided; ++k) {
          const std::int64_t delta = deltas_[chosen[k]][i];
          if (delta == 0) continue;
          row.pattern |= 1U << k;
          row.step = delta;
        }
        rows.push_back(row);
      }
      for (std::size_t k = decided; k < shape.columns(); ++k)
        rows.push_back({DeviceLayout::no_row, 1, 1U << k, -1});
      std::optional<DeviceLayout> layout = lay_out(rows, shape);
      if (!layout) continue;
      // the subsets with a missing column are none
      const double share = static_cast<double>(1U << (shape.columns() - decided));
      layout->instructions *= share;
      layout->fp64 *= share;
      if (best_ && best_->instructions <= layout->instructions) continue;
      layout->decided.assign(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(decided));
      best_ = std::move(layout);
    }
  }

  std::optional<Shape> only_;
  double log2_sum_;
  bool fits_ = true;
  std::vector<std::vector<std::int64_t>> deltas_;
  std::vector<std::int64_t> bounds_;
  std::vector<std::size_t> rows_;  // by falling bound
  std::optional<DeviceLayout> best_;
};

}  // namespace

std::vector<std::int64_t> divided_delta(const IntegerColumns<std::int64_t>& columns, const SubsetPlan& plan,
                                        const std::vector<std::int64_t>& divisors, std::size_t inner) {
  std::vector<std::int64_t> delta(columns.rows, 0);
  add_column(delta, columns, plan.form, plan.inner[inner], 1);
  for (std::size_t i = 0; i < delta.size(); ++i) delta[i] /= divisors[i];
  return delta;
}

std::optional<DeviceLayout> choose_device_layout(const IntegerColumns<std::int64_t>& columns,
                                                 const SubsetPlan& plan,
                                                 const std::vector<std::int64_t>& divisors,
                                                 std::optional<Shape> only) {
  return Chooser(columns, plan, divisors, only).choose();
}

}  // namespace countpm::grouped
