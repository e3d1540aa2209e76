#pragma once
// The prefixes of a PruneTree one after another, depth first with an explicit stack, in whole numbers of any
// size: what cuts the tree into units, and the walk itself where no lanes fit.
#include <gmpxx.h>

#include <cstdint>
#include <vector>

#include "kernels/pruned/tree.hpp"
#include "kernels/subsets/product_sum.hpp"
#include "kernels/support/work_meter.hpp"

namespace countpm {

/// digits[k] copies of level k's column are in.
template <class Int>
struct Prefix {
  std::vector<Index> digits;
  std::vector<Int> sums;
  TailSet set{};
};

template <class Int>
void add_copies(std::vector<Int>& sums, const typename PruneTree<Int>::Level& level, std::int64_t copies) {
  for (const auto& entry : level.entries) sums[entry.row] += entry.value * static_cast<std::int64_t>(copies);
}

/// (-1)^digits prod C(copies, digit) over the levels first, first + 1, ... that `digits` has.
template <class Int>
mpz_class weight_of(const PruneTree<Int>& tree, const std::vector<Index>& digits, std::size_t first = 0) {
  mpz_class product = 1;
  mpz_class binomial;
  std::uint64_t chosen = 0;
  for (std::size_t k = first; k < digits.size(); ++k) {
    chosen += digits[k];
    if (digits[k] == 0 || digits[k] == tree.levels[k].copies) continue;
    mpz_bin_uiui(binomial.get_mpz_t(), tree.levels[k].copies, digits[k]);
    product *= binomial;
  }
  if (chosen % 2 != 0) product = -product;
  return product;
}

/// The prefix with these digits, not tested for zeros.
template <class Int>
Prefix<Int> prefix_of(const PruneTree<Int>& tree, std::vector<Index> digits) {
  Prefix<Int> prefix{std::move(digits), tree.shift, tree.all_subsets()};
  for (std::size_t k = 0; k < prefix.digits.size(); ++k)
    add_copies(prefix.sums, tree.levels[k], prefix.digits[k]);
  tree.survives(no_index, prefix.sums, prefix.set);
  for (std::size_t k = 0; k < prefix.digits.size(); ++k)
    tree.survives(static_cast<Index>(k), prefix.sums, prefix.set);
  return prefix;
}

/// Calls leaf(prefix) for every surviving prefix of `depth` levels that begins with `start`, and spends a
/// visit for every prefix below it that it looks at. Stops early where leaf is false or the meter's time is
/// up.
template <class Int, class Leaf>
void walk_prefixes(const PruneTree<Int>& tree, const Prefix<Int>& start, std::size_t depth, WorkMeter& meter,
                   const Leaf& leaf) {
  const std::size_t first = start.digits.size();
  if (first >= depth) {
    leaf(start);
    return;
  }
  Prefix<Int> at;
  at.digits.reserve(depth);
  for (const Index digit : start.digits) at.digits.push_back(digit);
  at.sums = start.sums;
  at.set = start.set;
  std::vector<TailSet> sets(depth + 1, at.set);
  std::vector<Index> next(sets.size(), 0);  // the digit to try at each level
  std::size_t level = first;
  for (;;) {
    const auto& column = tree.levels[level];
    if (next[level] > column.copies) {
      // the sums hold all copies of this level's column
      add_copies(at.sums, column, -static_cast<std::int64_t>(column.copies));
      if (level == first) return;
      --level;
      at.digits.resize(level);
      continue;
    }
    const Index digit = next[level]++;
    if (digit != 0) add_copies(at.sums, column, 1);
    if (meter.spend(1) && !meter.look()) return;
    at.set = sets[level];
    if (!tree.survives(static_cast<Index>(level), at.sums, at.set)) continue;
    at.digits.push_back(digit);
    if (level + 1 == depth) {
      if (!leaf(static_cast<const Prefix<Int>&>(at))) return;
      at.digits.resize(level);
      continue;
    }
    ++level;
    sets[level] = at.set;
    next[level] = 0;
  }
}

/// What the subsets below a prefix add up to, without lanes: every product by itself, weighted whenever the
/// copies of a class change.
template <class Int>
mpz_class whole_sum(const PruneTree<Int>& tree, const Prefix<Int>& prefix, WorkMeter& meter,
                    std::uint64_t& leaves) {
  mpz_class sum;
  std::size_t class_levels = 0;  // the last class stands before this level
  for (std::size_t k = 0; k < tree.levels.size(); ++k) {
    if (tree.levels[k].copies > 1) class_levels = k + 1;
  }
  const std::size_t first = prefix.digits.size();
  class_levels = std::max(class_levels, first);
  walk_prefixes(tree, prefix, class_levels, meter, [&](const Prefix<Int>& middle) {
    ProductSum<Int> products(middle.sums.size());
    walk_prefixes(tree, middle, tree.levels.size(), meter, [&](const Prefix<Int>& leaf) {
      std::uint64_t chosen = 0;
      for (std::size_t k = class_levels; k < leaf.digits.size(); ++k) chosen += leaf.digits[k];
      products.add(leaf.sums.data(), leaf.sums.size(), chosen % 2 != 0);
      ++leaves;
      return true;
    });
    sum += weight_of(tree, middle.digits, first) * products.total();
    return true;
  });
  return sum;
}

}  // namespace countpm
