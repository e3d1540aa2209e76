#include "kernels/pruned/search/forecast.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/log2_sum.hpp"
#include "kernels/arithmetic/uniform.hpp"

namespace countpm {
namespace {

/// Row sums and tail sets of the members one after another.
template <class Int>
struct Population {
  std::vector<Int> sums;
  std::vector<TailSet> sets;
};

/// A member's child that is not pruned: of its row sums only those that its level completes were looked at.
struct ForecastChild {
  std::size_t parent;
  Index digit;
  TailSet set;
};

/// The children of all members at this level that are not pruned.
template <class Int>
void list_children(const PruneTree<Int>& tree, std::size_t k, const Population<Int>& now,
                   std::vector<Int>& column, std::vector<ForecastChild>& children) {
  const auto& level = tree.levels[k];
  for (const auto& entry : level.entries) column[entry.row] = entry.value;
  children.clear();
  StopPoll poll;
  for (std::size_t member = 0; member < now.sets.size(); ++member) {
    poll.steps(level.entries.size());
    const Int* const sums = now.sums.data() + member * tree.rows;
    for (Index digit = 0; digit <= level.copies; ++digit) {
      ForecastChild child{member, digit, now.sets[member]};
      const auto sum_of = [&](Index row) -> Int {
        return sums[row] + column[row] * static_cast<long>(digit);
      };
      if (tree.survives_with(static_cast<Index>(k), sum_of, child.set)) children.push_back(child);
    }
  }
  for (const auto& entry : level.entries) column[entry.row] = 0;
}

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
  std::vector<Int> column(rows, 0);
  std::vector<ForecastChild> children;
  Population<Int> next;
  for (std::size_t k = 0; k < tree.levels.size() && !now.sets.empty(); ++k) {
    const auto& level = tree.levels[k];
    forecast.log2_visits =
        log2_sum(forecast.log2_visits, log2_weight + std::log2(static_cast<double>(now.sets.size()) *
                                                               (static_cast<double>(level.copies) + 1)));
    list_children(tree, k, now, column, children);
    const std::size_t survivors = children.size();
    forecast.log2_survivors[k + 1] =
        survivors == 0 ? nothing : log2_weight + std::log2(static_cast<double>(survivors));
    // one of each stretch of survivors / population siblings and cousins
    const std::size_t kept = std::min(survivors, population);
    const double step = static_cast<double>(survivors) / static_cast<double>(std::max<std::size_t>(kept, 1));
    next.sums.resize(kept * rows);
    next.sets.resize(kept);
    for (std::size_t m = 0; m < kept; ++m) {
      std::size_t chosen = m;
      if (kept < survivors) {
        const double uniform = unit_interval(random());
        chosen = std::min(static_cast<std::size_t>(step * (static_cast<double>(m) + uniform)), survivors - 1);
      }
      const ForecastChild& child = children[chosen];
      Int* const sums = next.sums.data() + m * rows;
      std::copy_n(now.sums.data() + child.parent * rows, rows, sums);
      for (const auto& entry : level.entries) {
        if (child.digit != 0) sums[entry.row] += entry.value * static_cast<long>(child.digit);
      }
      next.sets[m] = child.set;
    }
    if (kept < survivors) log2_weight += std::log2(step);
    std::swap(now, next);
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
