#pragma once
// The prefixes that the units of a pruned job are dealt from.
#include <cstdint>
#include <numeric>
#include <vector>

#include "kernels/pruned/prefix_walk.hpp"

namespace countpm {

/// The digits of all prefixes of so many levels that survive, in the tree's order. Neighbours are alike, and
/// those with few columns have by far the most leaves: the first of 65536 units of er_n48_p50, dealt in this
/// order, took 16 times as long as the mean one (2026-11-23). So they are dealt in another one.
struct PrefixList {
  std::vector<Index> digits;  // one prefix after the other
  std::size_t levels = 0;
  std::size_t count = 0;
  std::uint64_t visits = 0;  // that listing them took

  /// When all are listed. Steps of about the golden ratio of the list: any stretch of places has prefixes
  /// from all over it.
  void choose_step() {
    constexpr double golden_ratio = 0.6180339887498949;
    step = static_cast<std::size_t>(golden_ratio * static_cast<double>(count)) + 1;
    while (std::gcd(step, count) > 1) ++step;
  }
  /// The digits of the prefix that is dealt at this place, 0 .. count - 1.
  const Index* dealt(std::size_t place) const {
    const std::size_t chosen = (place * step + count / 3) % count;
    return digits.data() + chosen * levels;
  }
  std::size_t step = 1;  // without a common divisor with count
};

/// Throws Stopped. O(visits rows).
template <class Int>
PrefixList list_prefixes(const PruneTree<Int>& tree, std::size_t levels, const StopSignal& stop) {
  PrefixList list;
  list.levels = levels;
  WorkMeter meter(stop);
  Prefix<Int> root{{}, tree.shift, tree.all_subsets()};
  if (!tree.survives(no_index, root.sums, root.set)) return list;
  walk_prefixes(tree, root, levels, meter, [&](const Prefix<Int>& prefix) {
    list.digits.insert(list.digits.end(), prefix.digits.begin(), prefix.digits.end());
    ++list.count;
    return true;
  });
  list.visits = meter.done();
  list.choose_step();
  return list;
}

}  // namespace countpm
