#pragma once
// What the tests of edge uses and draws of planar graphs share, with odd cycles or without.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "kernels/frontier/order/order_search.hpp"
#include "kernels/frontier/passes/frontier_passes.hpp"
#include "kernels/planar/elimination/dissection.hpp"
#include "kernels/planar/elimination/front_tree.hpp"
#include "kernels/planar/passes/planar_passes.hpp"
#include "kernels/planar/passes/region_draw.hpp"
#include "kernels/planar/preparation.hpp"

namespace countpm::testing_support {

struct Oriented {
  planar::Terms terms;
  planar::FrontTree tree;

  const planar::SignedMatrix& matrix() const { return terms[0].matrix; }
};

/// In the plane or on a torus.
inline Oriented oriented(const AnyBlock& block) {
  planar::Terms terms = std::get<planar::Terms>(planar::oriented_terms(block));
  const planar::BlockGraph& graph = terms[0].matrix.graph;
  planar::FrontTree tree = planar::front_tree(graph, planar::dissection_order(graph));
  return {std::move(terms), std::move(tree)};
}

/// Perfect matchings as the partner of every row or vertex, with their weights.
using Matchings = std::map<std::vector<Index>, mpq_class>;

inline mpq_class total_of(const Matchings& matchings) {
  mpq_class total = 0;
  for (const auto& [mates, weight] : matchings) total += weight;
  return total;
}

/// The weight of the matchings that have each entry's edge.
inline std::vector<mpq_class> uses_of(const Matchings& matchings, const SparsePattern& pattern) {
  std::vector<mpq_class> uses(pattern.entries());
  for (const auto& [mate, weight] : matchings) {
    for (Index v = 0; v < mate.size(); ++v) {
      for (std::uint64_t k = pattern.row_start[v]; k < pattern.row_start[v + std::size_t{1}]; ++k) {
        if (pattern.column[k] == mate[v]) uses[k] += weight;
      }
    }
  }
  return uses;
}

/// Every entry's share, by the passes and by enumeration. `compared` grows where there is a total to share.
inline void expect_uses(const Block<mpq_class>& block, const Matchings& matchings, std::uint64_t seed,
                        int& compared) {
  const StopSignal stop;
  const mpq_class total = total_of(matchings);
  ASSERT_EQ(PlanarPasses::obstacle(block), std::nullopt);
  PlanarPasses passes(block, {~std::uint64_t{0}, 2});
  ASSERT_EQ(passes.total(stop) == 0, total == 0) << "seed " << seed;
  const EdgeUses found = passes.edge_uses(stop);
  ASSERT_EQ(found.place.size(), block.matrix.entries());
  if (total == 0) return;
  ++compared;
  const std::vector<mpq_class> expected = uses_of(matchings, block.matrix);
  for (std::size_t k = 0; k < expected.size(); ++k) {
    mpq_class share(found.uses[found.place[k]], passes.total(stop) * found.pairs[k]);
    share.canonicalize();
    ASSERT_EQ(share, expected[k] / total) << "seed " << seed << ", entry " << k;
  }
}

/// Every entry's share, by these passes and by the frontier's.
inline void expect_uses_of_frontier(const AnyBlock& block, const std::string& what) {
  const StopSignal stop;
  ClassLines lines;
  const ClassGraph graph = class_graph(block, true, &lines);
  OrderSearch search(graph, 1);
  FrontierPasses frontier(block, graph, lines, search.best_linear(), {});
  PlanarPasses planar(block, {});
  const mpz_class frontier_total = frontier.total(stop);
  const EdgeUses expected = frontier.edge_uses(stop);
  const EdgeUses found = planar.edge_uses(stop);
  ASSERT_EQ(found.place.size(), expected.place.size());
  for (std::size_t k = 0; k < found.place.size(); ++k) {
    ASSERT_EQ(found.uses[found.place[k]] * frontier_total * expected.pairs[k],
              expected.uses[expected.place[k]] * planar.total(stop))
        << what << ", entry " << k;
  }
}

/// All perfect matchings with their weights: of a general block the lowest free vertex first.
inline Matchings all_matchings(const Block<mpq_class>& block) {
  const SparseMatrix<mpq_class>& matrix = block.matrix;
  Matchings result;
  std::vector<Index> mate(matrix.rows, no_index);
  std::vector<bool> taken(matrix.columns, false);
  const std::function<void(const mpq_class&)> extend = [&](const mpq_class& weight) {
    const auto v = static_cast<Index>(std::find(mate.begin(), mate.end(), no_index) - mate.begin());
    if (v == mate.size()) {
      result[mate] = weight;
      return;
    }
    for (std::uint64_t k = matrix.row_start[v]; k < matrix.row_start[v + std::size_t{1}]; ++k) {
      const Index w = matrix.column[k];
      if (block.general ? mate[w] != no_index : taken[w]) continue;
      mate[v] = w;
      if (block.general) mate[w] = v;
      taken[w] = true;
      extend(weight * matrix.value[k]);
      if (block.general) mate[w] = no_index;
      mate[v] = no_index;
      taken[w] = false;
    }
  };
  extend(1);
  return result;
}

inline Block<mpq_class> as_rational(const AnyBlock& any_block) {
  if (const auto* rational = std::get_if<Block<mpq_class>>(&any_block)) return *rational;
  const auto& integers = std::get<Block<std::int64_t>>(any_block);
  Block<mpq_class> result;
  result.matrix.rows = integers.matrix.rows;
  result.matrix.columns = integers.matrix.columns;
  result.matrix.row_start = integers.matrix.row_start;
  result.matrix.column = integers.matrix.column;
  for (const std::int64_t value : integers.matrix.value)
    result.matrix.value.emplace_back(static_cast<long>(value));
  result.general = integers.general;
  return result;
}

/// Draws 0 .. draws - 1, each matching as often as it weighs: chi-square, a six-sigma event. Matchings that
/// are expected fewer than 5 times are one cell with others, in which the statistic is what it is called;
/// what is left of them is left out.
inline void expect_fair(const Matchings& matchings, std::uint64_t draws,
                        const std::function<std::vector<Index>(std::uint64_t)>& draw,
                        const std::string& what) {
  std::map<std::vector<Index>, std::uint64_t> seen;
  for (std::uint64_t k = 0; k < draws; ++k) {
    const std::vector<Index> mates = draw(k);
    ASSERT_TRUE(matchings.contains(mates)) << what;
    ++seen[mates];
  }
  const mpq_class total = total_of(matchings);
  double chi_square = 0;
  double cells = 0;
  double expected = 0;
  double found = 0;
  for (const auto& [mates, weight] : matchings) {
    expected += mpq_class(weight / total).get_d() * static_cast<double>(draws);
    found += static_cast<double>(seen[mates]);
    if (expected < 5) continue;
    chi_square += (found - expected) * (found - expected) / expected;
    ++cells;
    expected = found = 0;
  }
  const double freedom = std::max(cells - 1, 0.0);
  EXPECT_LT(chi_square, freedom + 6 * std::sqrt(2 * freedom) + 18) << what;
}

/// Draws with parts of at most `small_region` vertices taken whole: the others by dissection.
inline void expect_fair_draws(const Block<mpq_class>& block, const Matchings& matchings,
                              std::size_t small_region, std::uint64_t draws, const std::string& what) {
  if (total_of(matchings) == 0) return;
  const Oriented graph = oriented(block);
  planar::RegionDraw source(graph.terms, graph.tree, {~std::uint64_t{0}, 2}, small_region);
  const StopSignal stop;
  const Index first_column = block.general ? 0 : block.matrix.rows;  // as the graph numbers them
  const auto draw = [&](std::uint64_t k) {
    CounterRandom random(5, 0, k);
    std::vector<Index> mates = source.draw(random, stop);
    for (Index& mate : mates) mate -= first_column;
    return mates;
  };
  expect_fair(matchings, draws, draw, what);
}

}  // namespace countpm::testing_support
