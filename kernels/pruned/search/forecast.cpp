#include "kernels/pruned/search/forecast.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "kernels/arithmetic/log2_sum.hpp"
#include "kernels/subsets/prefix_sample.hpp"

namespace countpm {

template <class Int>
TreeForecast forecast_tree(const PruneTree<Int>& tree, std::size_t population, std::uint64_t seed) {
  using Sample = PrefixSample<Int, TailSet>;
  constexpr double nothing = -std::numeric_limits<double>::infinity();
  std::mt19937_64 random(seed);
  TreeForecast forecast;
  forecast.log2_survivors.assign(tree.levels.size() + 1, nothing);
  Sample now(tree.rows);
  TailSet root = tree.all_subsets();
  if (tree.survives(no_index, tree.shift, root)) {
    now.add(tree.shift, root);
    forecast.log2_survivors[0] = 0;
  }
  double log2_weight = 0;  // how many each member stands for: all of them for as many
  std::vector<typename Sample::Child> children;
  for (std::size_t k = 0; k < tree.levels.size() && now.size() > 0; ++k) {
    const auto& level = tree.levels[k];
    forecast.log2_visits = log2_sum(
        forecast.log2_visits,
        log2_weight + std::log2(static_cast<double>(now.size()) * (static_cast<double>(level.copies) + 1)));
    children.clear();
    now.visit_children(level.entries, level.copies, [&](typename Sample::Child&& child, const auto& sum_of) {
      if (tree.survives_with(static_cast<Index>(k), sum_of, child.mark)) children.push_back(std::move(child));
    });
    forecast.log2_survivors[k + 1] =
        children.empty() ? nothing : log2_weight + std::log2(static_cast<double>(children.size()));
    log2_weight += descend(now, children, level.entries, population, random);
  }
  std::uint64_t leaves = 0;
  for (std::size_t member = 0; member < now.size(); ++member) {
    for (const std::uint64_t word : now.mark(member))
      leaves += static_cast<std::uint64_t>(std::popcount(word));
  }
  if (leaves > 0) forecast.log2_leaves = std::max(0.0, log2_weight + std::log2(static_cast<double>(leaves)));
  return forecast;
}

template TreeForecast forecast_tree(const PruneTree<std::int64_t>&, std::size_t, std::uint64_t);
template TreeForecast forecast_tree(const PruneTree<mpz_class>&, std::size_t, std::uint64_t);

}  // namespace countpm
