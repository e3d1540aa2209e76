#pragma once
// What the passes over a block end in: how often every edge is used, and perfect matchings.
#include <gmpxx.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "graph/sparse_matrix.hpp"

namespace countpm {

/// Entry k of the block is in perfect matchings whose weights add up to uses[place[k]] / pairs[k], in the
/// unit of the total of the passes.
struct EdgeUses {
  std::vector<mpz_class> uses;
  std::vector<std::uint64_t> place;
  std::vector<std::uint64_t> pairs;
};

/// A perfect matching as (row, column), or as pairs of vertices of a general block; in no order.
using PairList = std::vector<std::pair<Index, Index>>;

}  // namespace countpm
