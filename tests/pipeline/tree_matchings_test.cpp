// Edge probabilities and random matchings of forests: against all matchings of small ones, beside graphs that
// are no trees, and large ones by closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "graph/errors.hpp"
#include "kernels/passes/tree_passes.hpp"
#include "matching/counted_components.hpp"
#include "src/api/entries.hpp"
#include "src/input/report.hpp"
#include "src/library/countpm.hpp"
#include "src/text/format_probability.hpp"
#include "tests/cpu_seconds.hpp"
#include "tests/repeats.hpp"

namespace countpm::tree_matchings_test {
namespace {

using testing::repeats;

/// Edges of an undirected graph, or of a bipartite one with all vertices of one colour on the left.
struct Forest {
  bool bipartite = false;
  bool monomers = false;
  WeightKind kind = WeightKind::none;
  Index vertices = 0;
  std::vector<int> side;
  std::vector<Edge> edges;         // loops are the weights of vertices that stay alone
  std::vector<mpq_class> weights;  // beside them

  Graph graph() const {
    Graph result;
    result.kind = bipartite ? GraphKind::bipartite : GraphKind::undirected;
    result.monomers = monomers;
    result.weight_kind = kind;
    std::vector<Index> number(vertices);
    for (Index v = 0; v < vertices; ++v)
      number[v] = (bipartite && side[v] == 1 ? result.right_labels : result.left_labels).append(name(v));
    for (const Edge& edge : edges) {
      const bool turned = bipartite && side[edge.from] == 1;
      result.edges.push_back(turned ? Edge{number[edge.to], number[edge.from]}
                                    : Edge{number[edge.from], number[edge.to]});
    }
    if (kind == WeightKind::integer) {
      std::vector<std::int64_t> values;
      for (const mpq_class& weight : weights) values.push_back(weight.get_num().get_si());
      result.values = std::move(values);
    } else if (kind != WeightKind::none) {
      result.values = weights;
    }
    return result;
  }

  static std::string name(Index v) { return "v" + std::to_string(v); }
};

/// Weights of all matchings that count, by their edges (bits; loops too).
std::map<std::uint32_t, mpq_class> all_of(const Forest& forest, bool maximum) {
  std::map<std::uint32_t, mpq_class> all;
  int most = 0;
  for (std::uint32_t set = 0; set < std::uint32_t{1} << forest.edges.size(); ++set) {
    std::vector<int> uses(forest.vertices, 0);
    mpq_class weight = 1;
    for (std::size_t e = 0; e < forest.edges.size(); ++e) {
      if ((set >> e & 1U) == 0) continue;
      ++uses[forest.edges[e].from];
      if (forest.edges[e].to != forest.edges[e].from) ++uses[forest.edges[e].to];
      if (forest.kind != WeightKind::none) weight *= forest.weights[e];
    }
    if (std::any_of(uses.begin(), uses.end(), [](int times) { return times > 1; })) continue;
    if (!maximum && std::any_of(uses.begin(), uses.end(), [](int times) { return times == 0; })) continue;
    const int size = __builtin_popcount(set);
    if (maximum && size > most) all.clear();
    most = std::max(most, size);
    if (!maximum || size == most) all.emplace(set, weight);
  }
  return all;
}

mpq_class sum_of(const std::map<std::uint32_t, mpq_class>& all) {
  mpq_class sum;
  for (const auto& [set, weight] : all) sum += weight;
  return sum;
}

template <class Random>
Forest random_forest(Random& random, bool monomers, bool negative) {
  Forest forest;
  forest.monomers = monomers;
  forest.bipartite = !monomers && random() % 2 == 0;
  forest.kind =
      std::array{WeightKind::none, WeightKind::integer, WeightKind::rational, WeightKind::real}[random() % 4];
  const auto add = [&](Index a, Index b) {
    forest.edges.push_back(random() % 2 == 0 ? Edge{a, b} : Edge{b, a});
    mpq_class weight(static_cast<long>(1 + random() % 5),
                     forest.kind == WeightKind::integer ? 1 : 1 + static_cast<unsigned long>(random() % 3));
    weight.canonicalize();
    forest.weights.push_back(negative && random() % 3 == 0 ? mpq_class(-weight) : weight);
  };
  forest.vertices = static_cast<Index>(1 + random() % (monomers ? 6 : 9));
  forest.side.assign(forest.vertices, 0);
  for (Index v = 1; v < forest.vertices; ++v) {
    if (random() % 6 == 0) continue;
    const auto parent = static_cast<Index>(random() % 3 == 0 ? 0 : random() % v);
    forest.side[v] = 1 - forest.side[parent];
    add(parent, v);
  }
  if (random() % 3 == 0) {  // beside a cycle, which is no tree
    const auto length = static_cast<Index>(forest.bipartite ? 4 : 3);
    const Index first = forest.vertices;
    for (Index k = 0; k < length; ++k) {
      forest.side.push_back(static_cast<int>(k % 2));
      add(first + k, first + (k + 1) % length);
    }
    forest.vertices += length;
  }
  for (Index v = 0; v < forest.vertices && monomers; ++v) {
    if (random() % 5 != 0) add(v, v);
  }
  return forest;
}

CountOptions options_of(bool maximum) {
  CountOptions options;
  options.matchings = maximum ? MatchingSize::maximum : MatchingSize::perfect;
  return options;
}

std::string told(const Forest& forest) {
  std::string text;
  for (std::size_t e = 0; e < forest.edges.size(); ++e)
    text += std::to_string(forest.edges[e].from) + " " + std::to_string(forest.edges[e].to) + " " +
            forest.weights[e].get_str() + "\n";
  return text;
}

TEST(TreeMatchings, ProbabilitiesAreSharesOfAllMatchings) {
  constexpr std::uint64_t seed = 20261129;
  std::mt19937_64 random(seed);
  int compared = 0;
  for (int round = 0; round < repeats(1500); ++round) {
    const bool maximum = round % 2 == 0;
    const Forest forest = random_forest(random, !maximum, round % 5 == 0);
    const auto all = all_of(forest, maximum);
    const mpq_class total = sum_of(all);
    const std::string where =
        "seed " + std::to_string(seed) + " round " + std::to_string(round) + "\n" + told(forest);
    MarginalOptions exact;
    exact.exact = true;
    std::vector<EdgeProbability> found;
    const auto sink = [&](const EdgeProbability& edge) {
      found.push_back(edge);
      return true;
    };
    if (total == 0) {
      // Nothing adds up to 0, or weights cancel.
      if (!all.empty()) {
        ASSERT_THROW(marginals(forest.graph(), options_of(maximum), exact, sink), UnableError) << where;
      }
      continue;
    }
    marginals(forest.graph(), options_of(maximum), exact, sink);
    ASSERT_EQ(found.size(), forest.edges.size()) << where;
    const Marginals doubles = marginals(in_memory(forest.graph()), options_of(maximum));
    for (std::size_t e = 0; e < found.size(); ++e) {
      mpq_class share;
      for (const auto& [set, weight] : all) {
        if ((set >> e & 1U) != 0) share += weight;
      }
      share /= total;
      ASSERT_EQ(found[e].probability, share.get_str()) << where << "edge " << e;
      ASSERT_NEAR(doubles.probability[e], share.get_d(), 1e-15 * std::abs(share.get_d()));
    }
    ++compared;
  }
  EXPECT_GE(compared, testing::fewest(500));
}

TEST(TreeMatchings, ComponentsThatAreTreesAreCountedDirectly) {
  std::mt19937_64 random(77);
  int counted = 0;
  for (int round = 0; round < repeats(800); ++round) {
    const Forest forest = random_forest(random, true, round % 4 == 0);
    const mpq_class total = sum_of(all_of(forest, false));
    const Instance instance = with_components_counted(to_instance(forest.graph()), 1);
    mpq_class product = 1;
    const SparsePattern& pattern = instance.pattern;
    for (Index v = 0; v < pattern.rows; ++v) {
      const Index degree = pattern.row_degree(v);
      if (degree == 0) product = 0;
      if (degree != 1 || std::holds_alternative<std::monostate>(instance.values)) continue;
      const auto* const integers = std::get_if<std::vector<std::int64_t>>(&instance.values);
      product *= integers != nullptr
                     ? mpq_class((*integers)[pattern.row_start[v]])
                     : std::get<std::vector<mpq_class>>(instance.values)[pattern.row_start[v]];
    }
    if (std::any_of(pattern.row_start.begin() + 1, pattern.row_start.end(),
                    [&](const std::uint64_t& end) { return end - *(&end - 1) > 1; }))
      continue;
    ASSERT_EQ(product, total) << "round " << round << "\n" << told(forest);
    ++counted;
  }
  EXPECT_GE(counted, testing::fewest(300));
}

/// By the edges, as all_of() has them.
std::map<std::uint32_t, int> drawn(const Forest& forest, bool maximum, std::uint64_t draws) {
  std::map<std::pair<std::string, std::string>, std::size_t> number;
  for (std::size_t e = 0; e < forest.edges.size(); ++e) {
    const auto [a, b] = forest.edges[e];
    number[{Forest::name(a), Forest::name(b)}] = number[{Forest::name(b), Forest::name(a)}] = e;
  }
  SampleOptions sample;
  sample.count = draws;
  std::map<std::uint32_t, int> times;
  sample_matchings(forest.graph(), options_of(maximum), sample,
                   [&](const std::vector<std::pair<std::string, std::string>>& pairs) {
                     std::uint32_t set = 0;
                     std::vector<bool> matched(forest.vertices, false);
                     for (const auto& pair : pairs) {
                       const std::size_t e = number.at(pair);
                       set |= std::uint32_t{1} << e;
                       matched[forest.edges[e].from] = matched[forest.edges[e].to] = true;
                     }
                     for (std::size_t e = 0; e < forest.edges.size(); ++e) {
                       const auto [a, b] = forest.edges[e];
                       if (a == b && !matched[a]) set |= std::uint32_t{1} << e;
                     }
                     ++times[set];
                     return true;
                   });
  return times;
}

TEST(TreeMatchings, DrawsFollowTheWeights) {
  std::mt19937_64 random(4);
  for (int round = 0; round < repeats(60); ++round) {
    const bool maximum = round % 2 == 0;
    const Forest forest = random_forest(random, !maximum, false);
    const auto all = all_of(forest, maximum);
    if (all.empty()) continue;
    const mpq_class total = sum_of(all);
    constexpr int draws = 4000;
    const auto times = drawn(forest, maximum, draws);
    for (const auto& [set, count] : times) ASSERT_TRUE(all.count(set) > 0) << told(forest);
    for (const auto& [set, weight] : all) {
      const double chance = mpq_class(weight / total).get_d();
      const auto at = times.find(set);
      const double count = at == times.end() ? 0 : at->second;
      // Six standard deviations.
      ASSERT_NEAR(count, draws * chance, 6 * std::sqrt(draws * chance * (1 - chance)) + 6)
          << "round " << round << "\n"
          << told(forest);
    }
  }
}

/// A path of three vertices on a hub with a leaf, with weights that no power of two divides.
WeightedTree small_tree(bool maximum) {
  WeightedTree tree;
  tree.maximum = maximum;
  tree.parent = {no_index, 0, 0, 1, 3};
  for (const int weight : {0, 2, 3, 5, 7}) tree.edge.emplace_back(weight, 3);
  tree.alone.assign(5, 1);
  if (!maximum) tree.alone[2] = mpq_class(1, 7);
  for (mpq_class& weight : tree.edge) weight.canonicalize();
  return tree;
}

TEST(TreeMatchings, DrawsThatLookAtFewBitsFirstHaveTheSameChances) {
  for (const bool maximum : {true, false}) {
    std::map<std::vector<Index>, int> close;
    std::map<std::vector<Index>, int> rough;
    TreePasses exact(small_tree(maximum));
    TreePasses passes(small_tree(maximum), 1);
    constexpr int draws = 20000;
    for (int k = 0; k < draws; ++k) {
      ++close[exact.draw(1, 0, static_cast<std::uint64_t>(k))];
      ++rough[passes.draw(2, 0, static_cast<std::uint64_t>(k))];
    }
    ASSERT_EQ(close.size(), rough.size());
    ASSERT_GT(close.size(), std::size_t{2});
    for (const auto& [mates, times] : close)
      EXPECT_NEAR(rough[mates], times, 6 * std::sqrt(2.0 * times) + 6) << maximum;
  }
}

Forest tree_of(Index vertices, const std::function<Index(Index)>& parent, bool monomers) {
  Forest forest;
  forest.monomers = monomers;
  forest.vertices = vertices;
  forest.side.assign(vertices, 0);
  for (Index v = 1; v < vertices; ++v) forest.edges.push_back({parent(v), v});
  if (monomers) {
    for (Index v = 0; v < vertices; ++v) forest.edges.push_back({v, v});
  }
  return forest;
}

constexpr Index many = 100'000;
// Some 2 s each take on one core.
constexpr double seconds_of_many = 60;

std::uint64_t pairs_of_a_draw(const Forest& forest, bool maximum) {
  std::uint64_t size = 0;
  SampleOptions sample;
  sample.count = 3;
  sample_matchings(forest.graph(), options_of(maximum), sample,
                   [&](const std::vector<std::pair<std::string, std::string>>& pairs) {
                     size = pairs.size();
                     return true;
                   });
  return size;
}

TEST(TreeMatchings, LargeStarsTakeSeconds) {
  const double begin = testing::cpu_seconds();
  const Forest star = tree_of(
      many + 1, [](Index) { return Index{0}; }, false);
  const ExactMarginals exact = exact_marginals(in_memory(star.graph()), options_of(true));
  for (const mpq_class& share : exact.probability) ASSERT_EQ(share, mpq_class(1, many));
  EXPECT_EQ(pairs_of_a_draw(star, true), 1U);
  const Forest alone = tree_of(
      many + 1, [](Index) { return Index{0}; }, true);
  const ExactMarginals all = exact_marginals(in_memory(alone.graph()), options_of(false));
  EXPECT_EQ(all.probability.front(), mpq_class(1, many + 1));
  EXPECT_EQ(all.probability.back(), mpq_class(many, many + 1));
  EXPECT_LE(pairs_of_a_draw(alone, false), 1U);
  EXPECT_LT(testing::cpu_seconds() - begin, seconds_of_many);
}

TEST(TreeMatchings, LargePathsTakeSeconds) {
  const double begin = testing::cpu_seconds();
  const auto before = [](Index v) { return v - 1; };
  // A maximum matching leaves one of the k + 1 vertices in odd places free.
  const Forest path = tree_of(many + 1, before, false);
  const Marginals shares = marginals(in_memory(path.graph()), options_of(true));
  for (Index e = 0; e < many; ++e) {
    const Index free = e % 2 == 0 ? many / 2 - e / 2 : e / 2 + 1;
    ASSERT_DOUBLE_EQ(shares.probability[e], free / (many / 2.0 + 1)) << e;
  }
  EXPECT_EQ(pairs_of_a_draw(path, true), many / 2);
  const Forest alone = tree_of(many, before, true);
  const Marginals all = marginals(in_memory(alone.graph()), options_of(false));
  EXPECT_DOUBLE_EQ(all.probability[many / 2], (1 - 1 / std::sqrt(5.0)) / 2);
  EXPECT_DOUBLE_EQ(all.probability.back(), (std::sqrt(5.0) - 1) / 2);
  EXPECT_NEAR(static_cast<double>(pairs_of_a_draw(alone, false)), 0.2764 * many, 0.01 * many);
  EXPECT_LT(testing::cpu_seconds() - begin, seconds_of_many);
}

/// The sum over all matchings, vertices behind their parents.
mpq_class recursive_sum(const Forest& tree) {
  std::vector<mpq_class> settled(tree.vertices, 1);
  std::vector<mpq_class> matched(tree.vertices, 0);
  for (Index v = tree.vertices; v-- > 1;) {
    const Edge& edge = tree.edges[v - 1];
    const mpq_class own = settled[v] + matched[v];
    matched[edge.from] = matched[edge.from] * own + settled[edge.from] * tree.weights[v - 1] * settled[v];
    settled[edge.from] *= own;
  }
  return settled[0] + matched[0];
}

TEST(TreeMatchings, LargeTreesWithMonomersAreCounted) {
  std::mt19937_64 random(8);
  for (int round = 0; round < repeats(12); ++round) {
    Forest tree = tree_of(
        3000, [&](Index v) { return round % 3 == 0 ? v - 1 : static_cast<Index>(random() % v); }, true);
    tree.kind = WeightKind::rational;
    for (const Edge& edge : tree.edges) {
      mpq_class weight(static_cast<long>(1 + random() % 9), static_cast<unsigned long>(1 + random() % 9));
      weight.canonicalize();
      tree.weights.push_back(edge.from == edge.to ? mpq_class(1) : weight);
    }
    EXPECT_EQ(std::get<mpq_class>(count(tree.graph(), {}).value), recursive_sum(tree)) << round;
  }
  const double begin = testing::cpu_seconds();
  const Forest star = tree_of(
      many, [](Index) { return Index{0}; }, true);
  EXPECT_EQ(count(star.graph(), {}).count, std::to_string(many));
  const Forest path = tree_of(
      many, [](Index v) { return v - 1; }, true);
  EXPECT_EQ(count(path.graph(), {}).count.size(), 20899U);  // of Fibonacci's number 100,001
  EXPECT_LT(testing::cpu_seconds() - begin, seconds_of_many);
}

TEST(TreeMatchings, LargeRandomTreesWithWeightsTakeSeconds) {
  std::mt19937_64 random(9);
  const double begin = testing::cpu_seconds();
  for (const bool maximum : {true, false}) {
    Forest tree = tree_of(
        many, [&](Index v) { return static_cast<Index>(random() % v); }, !maximum);
    tree.kind = WeightKind::rational;
    for (std::size_t e = 0; e < tree.edges.size(); ++e) {
      mpq_class weight(static_cast<long>(1 + random() % 9), static_cast<unsigned long>(1 + random() % 9));
      weight.canonicalize();
      tree.weights.push_back(weight);
    }
    const Marginals shares = marginals(in_memory(tree.graph()), options_of(maximum));
    // With monomers the edges of a vertex, and its loop, share all matchings.
    std::vector<double> sum(many, 0);
    double edges = 0;
    for (std::size_t e = 0; e < tree.edges.size(); ++e) {
      sum[tree.edges[e].from] += shares.probability[e];
      if (tree.edges[e].from == tree.edges[e].to) continue;
      sum[tree.edges[e].to] += shares.probability[e];
      edges += shares.probability[e];
    }
    for (const double one : sum) ASSERT_NEAR(one, maximum ? std::min(one, 1.0) : 1.0, 1e-12);
    const auto size = static_cast<double>(pairs_of_a_draw(tree, maximum));
    EXPECT_NEAR(edges, size, maximum ? 1e-6 * size : 0.02 * size);
  }
  EXPECT_LT(testing::cpu_seconds() - begin, seconds_of_many);
}

// Enclosures that are wide enough for the sums, and what the fractions themselves are rounded to.
TEST(TreeMatchings, LongSumsAreRoundedAsFractionsAre) {
  std::mt19937_64 random(12);
  for (int round = 0; round < repeats(12); ++round) {
    const bool maximum = round % 2 == 0;
    Forest tree = tree_of(
        600, [&](Index v) { return static_cast<Index>(v - 1 - random() % std::min<Index>(v, 3)); }, !maximum);
    tree.kind = WeightKind::rational;
    for (std::size_t e = 0; e < tree.edges.size(); ++e) {
      // Halves and quarters: ties are not decided by enclosures.
      mpq_class weight(static_cast<long>(1 + random() % 9), 1UL << random() % 3);
      weight.canonicalize();
      tree.weights.push_back(weight);
    }
    const ExactMarginals exact = exact_marginals(in_memory(tree.graph()), options_of(maximum));
    for (const unsigned digits : {1U, 12U, 60U, 200U}) {
      MarginalOptions rounded;
      rounded.digits = digits;
      std::size_t e = 0;
      marginals(tree.graph(), options_of(maximum), rounded, [&](const EdgeProbability& edge) {
        const mpq_class& share = exact.probability[e++];
        EXPECT_EQ(edge.probability, format_fraction(share.get_num(), share.get_den(), digits)) << e;
        return true;
      });
      ASSERT_EQ(e, tree.edges.size());
    }
  }
}

TEST(TreeMatchings, LongExactFractionsAreRefusedWhereMemoryIsShort) {
  const Forest alone = tree_of(
      many, [](Index v) { return v - 1; }, true);
  CountOptions options;
  options.memory_limit_bytes = std::uint64_t{1} << 30;
  EXPECT_THROW(exact_marginals(in_memory(alone.graph()), options), UnableError);
}

}  // namespace
}  // namespace countpm::tree_matchings_test
