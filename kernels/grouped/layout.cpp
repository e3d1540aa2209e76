#include "kernels/grouped/layout.hpp"

#include <algorithm>
#include <numeric>

namespace countpm {
namespace {

constexpr std::int64_t largest_product = (1 << 15) - 1;
constexpr std::int64_t largest_factor = std::int64_t{1} << grouped_lanes::factor_bits;

/// A factor on its way: its four products' bounds and rows.
struct Bin {
  std::int64_t bound[4] = {1, 1, 1, 1};
  std::int64_t whole = 1;
  std::vector<std::size_t> rows[4];

  bool take(std::size_t row, std::int64_t row_bound, unsigned side) {
    if (row_bound > largest_factor / whole) return false;
    for (unsigned half = 2 * side; half < 2 * side + 2; ++half) {
      if (row_bound > largest_product / bound[half]) continue;
      bound[half] *= row_bound;
      whole *= row_bound;
      rows[half].push_back(row);
      return true;
    }
    return false;
  }
};

}  // namespace

double GroupedLayout::cost() const {
  // Per node: a row's sums and products, a table's values (made, stored, read by quarters), the leaves'
  // digits.
  const double digits = high_factors + 2;
  double cost = 0;
  for (std::size_t f = 0; f < factors.size(); ++f) {
    const double table = f < low_factors ? 3 : f < low_factors + 2 ? 5 : 7;  // values of its type
    unsigned count = 0;
    for (const unsigned r : factors[f].rows) count += r;
    cost += count * (2 + 0.75 * table) + 10 * table;
  }
  // two thirds, four quarters; 2 fused operations a digit of scaled() and add(), 4 of difference()
  const double high = 3 * (high_factors * (high_factors - 1));
  const double differences = 8 * high_factors + 4 * (high_factors + 1);
  double low = 0;
  for (unsigned k = 0; k < low_factors; ++k) low += 2.5 * (digits + k);
  return cost + 8 * (high + differences + low);
}

std::optional<GroupedLayout> lay_out_rows(const std::vector<GroupedRow>& rows, unsigned top, unsigned one,
                                          unsigned two) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rows[a].bound > rows[b].bound; });
  std::vector<Bin> bins[grouped_lanes::types];
  const std::size_t most[grouped_lanes::types] = {grouped_lanes::max_low, 1, 1, grouped_lanes::max_high};
  for (auto& type : bins) type.emplace_back();
  bins[0][0].rows[0].push_back(GroupedLayout::sign_row);
  for (const std::size_t row : order) {
    const unsigned pattern = rows[row].pattern;
    const unsigned type = (pattern >> one & 1) | (pattern >> two & 1) << 1;
    const unsigned side = pattern >> top & 1;
    const std::int64_t bound = std::max<std::int64_t>(rows[row].bound, 1);
    if (bound > largest_product) return std::nullopt;
    const bool taken = std::any_of(bins[type].begin(), bins[type].end(),
                                   [&](Bin& bin) { return bin.take(row, bound, side); });
    if (taken) continue;
    if (bins[type].size() == most[type]) return std::nullopt;
    bins[type].emplace_back().take(row, bound, side);
  }
  GroupedLayout layout;
  layout.low_factors = static_cast<unsigned>(bins[0].size());
  layout.high_factors = static_cast<unsigned>(bins[3].size());
  for (const auto& type : bins) {
    for (const Bin& bin : type) {
      grouped_lanes::Factor factor{};
      for (unsigned half = 0; half < 4; ++half) {
        factor.rows[half] = static_cast<unsigned>(bin.rows[half].size());
        layout.rows.insert(layout.rows.end(), bin.rows[half].begin(), bin.rows[half].end());
      }
      layout.factors.push_back(factor);
    }
  }
  return layout;
}

}  // namespace countpm
