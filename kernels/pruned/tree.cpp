#include "kernels/pruned/tree.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace countpm {
namespace {

// Rows whose tail sums spread wider take part in no mask: their tables would not pay. Below 127, so that
// 8-bit lanes tell a negative index from one in reach.
constexpr std::int64_t widest_tail = 120;

std::optional<std::int64_t> small(const mpz_class& value) {
  if (!value.fits_slong_p()) return std::nullopt;
  return value.get_si();
}
std::optional<std::int64_t> small(std::int64_t value) {
  return value;
}

/// The tail sums of a row by subset; empty where they spread too wide.
std::vector<std::int64_t> tail_sums(const std::vector<std::int64_t>& entry) {
  std::int64_t width = 0;
  for (const std::int64_t value : entry) {
    if (value > widest_tail || value < -widest_tail) return {};
    width += value < 0 ? -value : value;
  }
  if (width > widest_tail) return {};
  std::vector<std::int64_t> sums{0};
  for (const std::int64_t value : entry) {
    const std::size_t half = sums.size();
    for (std::size_t k = 0; k < half; ++k) sums.push_back(sums[k] + value);
  }
  return sums;
}

}  // namespace

std::vector<std::int64_t> largest_sums(const IntegerColumns<std::int64_t>& columns,
                                       const std::vector<std::int64_t>& shift) {
  std::vector<std::int64_t> largest(columns.rows);
  for (Index i = 0; i < columns.rows; ++i) {
    const std::int64_t positive = (columns.row_bound[i] + columns.row_sum[i]) / 2;
    const std::int64_t negative = (columns.row_bound[i] - columns.row_sum[i]) / 2;
    largest[i] = std::max(std::abs(shift[i] + positive), std::abs(shift[i] - negative));
  }
  return largest;
}

template <class Int>
TailSet PruneTree<Int>::all_subsets() const {
  TailSet set{};
  const std::size_t subsets = std::size_t{1} << tail.size();
  for (std::size_t k = 0; k < subsets; ++k) set[k / 64] |= std::uint64_t{1} << (k % 64);
  return set;
}

template <class Int>
bool PruneTree<Int>::survives(Index level, const std::vector<Int>& sums, TailSet& set) const {
  return survives_with(
      level, [&](Index row) -> const Int& { return sums[row]; }, set);
}

template <class Int>
PruneTree<Int> make_prune_tree(const IntegerColumns<Int>& columns, const PrunedPlan<Int>& plan) {
  PruneTree<Int> tree;
  tree.rows = columns.rows;
  tree.shift = plan.shift;
  const std::size_t head = plan.order.size() - plan.tail;
  std::vector<std::size_t> last(columns.rows, 0);  // 1 + the last level of the row before the tail
  std::vector<std::vector<std::int64_t>> tail_entry(columns.rows);
  std::vector<bool> in_tail(columns.rows), narrow(columns.rows, true);
  for (std::size_t k = 0; k < plan.order.size(); ++k) {
    const Index column = plan.order[k];
    typename PruneTree<Int>::Level level;
    level.column = column;
    level.copies = columns.multiplicity[column];
    if (k >= head) {
      for (auto& entry : tail_entry) entry.push_back(0);
    }
    for (std::uint64_t e = columns.start[column]; e < columns.start[column + std::uint64_t{1}]; ++e) {
      const Index row = columns.row[e];
      level.entries.push_back({row, columns.value[e]});
      if (k < head) {
        last[row] = k + 1;
      } else {
        in_tail[row] = true;
        const auto value = small(columns.value[e]);
        if (value) {
          tail_entry[row].back() = *value;
        } else {
          narrow[row] = false;
        }
      }
    }
    (k < head ? tree.levels : tree.tail).push_back(std::move(level));
  }
  tree.tail_masks.resize(columns.rows);
  const TailSet all = tree.all_subsets();
  for (Index i = 0; i < columns.rows; ++i) {
    if (!in_tail[i]) {
      (last[i] == 0 ? tree.tested_at_root : tree.levels[last[i] - 1].tested).push_back(i);
      continue;
    }
    const std::vector<std::int64_t> sums = narrow[i] ? tail_sums(tail_entry[i]) : std::vector<std::int64_t>{};
    if (sums.empty()) continue;
    auto& row = tree.tail_masks[i];
    row.first = static_cast<std::uint32_t>(tree.masks.size());
    row.floor = *std::min_element(sums.begin(), sums.end());
    row.reach = static_cast<std::uint32_t>(*std::max_element(sums.begin(), sums.end()) - row.floor + 1);
    tree.masks.resize(tree.masks.size() + row.reach + 1, all);
    for (std::size_t subset = 0; subset < sums.size(); ++subset) {
      tree.masks[row.first + static_cast<std::size_t>(sums[subset] - row.floor)][subset / 64] &=
          ~(std::uint64_t{1} << (subset % 64));
    }
    (last[i] == 0 ? tree.masked_at_root : tree.levels[last[i] - 1].masked).push_back(i);
  }
  return tree;
}

template struct PruneTree<std::int64_t>;
template struct PruneTree<mpz_class>;
template PruneTree<std::int64_t> make_prune_tree(const IntegerColumns<std::int64_t>&,
                                                 const PrunedPlan<std::int64_t>&);
template PruneTree<mpz_class> make_prune_tree(const IntegerColumns<mpz_class>&, const PrunedPlan<mpz_class>&);

}  // namespace countpm
