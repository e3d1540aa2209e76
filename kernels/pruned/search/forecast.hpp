#pragma once
// How large a PruneTree is: population sampling. K. Chen, Heuristic sampling: a method for predicting the
// performance of tree searching programs, SIAM J. Comput. 21 (1992).
#include <cstdint>
#include <vector>

#include "kernels/pruned/tree.hpp"

namespace countpm {

struct TreeForecast {
  double log2_visits = 0;              // prefixes looked at, at all levels before the tail; at least 0
  double log2_leaves = 0;              // products below them; at least 0
  std::vector<double> log2_survivors;  // [levels + 1]: prefixes that are not pruned; -inf: none seen
};

/// Level by level; of the survivors at most `population` go on, chosen at random, each standing for as many
/// as there were. O(population rows levels) time; finite for every tree.
template <class Int>
TreeForecast forecast_tree(const PruneTree<Int>& tree, std::size_t population, std::uint64_t seed);

}  // namespace countpm
