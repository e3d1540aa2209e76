#include "kernels/shift/tree_forecast.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "kernels/arithmetic/log2_sum.hpp"

namespace countpm {
namespace {

/// Row sums and tail sets of the members one after another.
template <class Int>
struct Population {
  std::vector<Int> sums;
  std::vector<TailSet> sets;

  void copy_member(std::size_t to, std::size_t from, std::size_t rows) {
    if (to == from) return;
    for (std::size_t i = 0; i < rows; ++i) sums[to * rows + i] = sums[from * rows + i];
    sets[to] = sets[from];
  }
};

}  // namespace

template <class Int>
TreeForecast forecast_tree(const PruneTree<Int>& tree, std::size_t population, std::uint64_t seed) {
  constexpr double nothing = -std::numeric_limits<double>::infinity();
  std::mt19937_64 random(seed);
  TreeForecast forecast;
  forecast.log2_survivors.assign(tree.levels.size() + 1, nothing);
  Population<Int> now;
  TailSet root = tree.all_subsets();
  if (tree.survives(no_index, tree.shift, root)) {
    now.sums = tree.shift;
    now.sets.push_back(root);
    forecast.log2_survivors[0] = 0;
  }
  double log2_weight = 0;  // how many each member stands for
  const std::size_t rows = tree.rows;
  std::vector<Int> sums(rows);
  for (std::size_t k = 0; k < tree.levels.size() && !now.sets.empty(); ++k) {
    const auto& level = tree.levels[k];
    const auto children = now.sets.size() * (std::size_t{level.copies} + 1);
    forecast.log2_visits =
        log2_sum(forecast.log2_visits, log2_weight + std::log2(static_cast<double>(children)));
    Population<Int> next;
    for (std::size_t member = 0; member < now.sets.size(); ++member) {
      std::copy_n(now.sums.begin() + static_cast<std::ptrdiff_t>(member * rows), rows, sums.begin());
      for (Index digit = 0; digit <= level.copies; ++digit) {
        if (digit != 0) {
          for (const auto& entry : level.entries) sums[entry.row] += entry.value;
        }
        TailSet set = now.sets[member];
        if (!tree.survives(static_cast<Index>(k), sums, set)) continue;
        next.sums.insert(next.sums.end(), sums.begin(), sums.end());
        next.sets.push_back(set);
      }
    }
    const std::size_t survivors = next.sets.size();
    forecast.log2_survivors[k + 1] =
        survivors == 0 ? nothing : log2_weight + std::log2(static_cast<double>(survivors));
    if (survivors > population) {
      // one of each stretch of survivors / population siblings and cousins
      const double step = static_cast<double>(survivors) / static_cast<double>(population);
      for (std::size_t m = 0; m < population; ++m) {
        const double uniform = static_cast<double>(random() >> 11) * 0x1p-53;
        const double from = step * (static_cast<double>(m) + uniform);
        next.copy_member(m, std::min(static_cast<std::size_t>(from), survivors - 1), rows);
      }
      next.sets.resize(population);
      next.sums.resize(population * rows);
      log2_weight += std::log2(step);
    }
    now = std::move(next);
  }
  std::uint64_t leaves = 0;
  for (const TailSet& set : now.sets) {
    for (const std::uint64_t word : set) leaves += static_cast<std::uint64_t>(std::popcount(word));
  }
  if (leaves > 0) forecast.log2_leaves = std::max(0.0, log2_weight + std::log2(static_cast<double>(leaves)));
  return forecast;
}

template TreeForecast forecast_tree(const PruneTree<std::int64_t>&, std::size_t, std::uint64_t);
template TreeForecast forecast_tree(const PruneTree<mpz_class>&, std::size_t, std::uint64_t);

}  // namespace countpm
