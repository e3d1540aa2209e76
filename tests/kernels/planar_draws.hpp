#pragma once
// Oriented planar graphs for tests, and whether draws of them are fair.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "kernels/planar/dissection.hpp"
#include "kernels/planar/embedding.hpp"
#include "kernels/planar/front_tree.hpp"
#include "kernels/planar/kasteleyn.hpp"
#include "kernels/planar/signed_matrix.hpp"

namespace countpm::testing_support {

struct Oriented {
  planar::SignedMatrix matrix;
  planar::FrontTree tree;
};

inline Oriented oriented(const AnyBlock& block) {
  planar::BlockGraph graph = planar::block_graph(block);
  planar::Orientation orientation =
      planar::kasteleyn_orientation(graph, planar::test_planarity(graph).embedding);
  planar::FrontTree tree = planar::front_tree(graph, planar::dissection_order(graph));
  return {planar::signed_matrix(block, std::move(graph), std::move(orientation)), std::move(tree)};
}

/// Perfect matchings as the partner of every row or vertex, with their weights.
using Matchings = std::map<std::vector<Index>, mpq_class>;

inline mpq_class total_of(const Matchings& matchings) {
  mpq_class total = 0;
  for (const auto& [mates, weight] : matchings) total += weight;
  return total;
}

/// Draws 0 .. draws - 1, each matching as often as it weighs: chi-square, a six-sigma event.
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
  for (const auto& [mates, weight] : matchings) {
    const double expected = mpq_class(weight / total).get_d() * static_cast<double>(draws);
    const double difference = static_cast<double>(seen[mates]) - expected;
    chi_square += difference * difference / expected;
  }
  const auto freedom = static_cast<double>(matchings.size() - 1);
  EXPECT_LT(chi_square, freedom + 6 * std::sqrt(2 * freedom) + 18) << what;
}

}  // namespace countpm::testing_support
