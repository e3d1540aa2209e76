// Edge uses and draws against enumeration: all kinds of blocks, any order of elimination, any memory limit.
#include "kernels/frontier/passes/frontier_passes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <sstream>

#include "kernels/arithmetic/counter_random.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using Random = std::mt19937_64;

struct Case {
  Index rows = 0;
  bool general = false;
  std::vector<std::vector<mpq_class>> value;  // 0: no entry

  AnyBlock block() const {
    Block<mpq_class> result;
    result.general = general;
    result.matrix.rows = result.matrix.columns = rows;
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < rows; ++j) {
        if (value[i][j] == 0) continue;
        result.matrix.column.push_back(j);
        result.matrix.value.push_back(value[i][j]);
      }
      result.matrix.row_start.push_back(result.matrix.column.size());
    }
    return result;
  }
  std::string text() const {
    std::ostringstream out;
    out << (general ? "general\n" : "matrix\n");
    for (const auto& row : value) {
      for (const mpq_class& x : row) out << x << ' ';
      out << '\n';
    }
    return out.str();
  }
};

struct Weighing {
  bool weighted = false;
  bool rational = false;
  bool negative = false;
};

// Equal lines are copied now and then, so that there are twins.
Case random_case(Random& random, Index rows, bool general, const Weighing& weighing) {
  Case made{rows, general, std::vector(rows, std::vector<mpq_class>(rows))};
  const double density = 0.2 + 0.15 * static_cast<double>(random() % 6);
  std::bernoulli_distribution present(density);
  const auto weight = [&] {
    mpq_class w = 1;
    if (weighing.weighted) w = 1 + static_cast<long>(random() % 5);
    if (weighing.rational) w /= 1 + static_cast<long>(random() % 4);
    return weighing.negative && random() % 2 == 0 ? mpq_class(-w) : w;
  };
  for (Index i = 0; i < rows; ++i) {
    for (Index j = general ? i + 1 : 0; j < rows; ++j) {
      if (!present(random)) continue;
      made.value[i][j] = weight();
      if (general) made.value[j][i] = made.value[i][j];
    }
  }
  if (rows >= 2 && random() % 3 == 0) {
    const Index from = static_cast<Index>(random() % rows);
    const Index to = static_cast<Index>(random() % rows);
    if (general) {
      // A twin has the same other neighbours; it may be one itself.
      const mpq_class between = from != to && random() % 2 == 0 ? weight() : mpq_class(0);
      for (Index k = 0; k < rows; ++k) {
        const mpq_class copy = k == to ? mpq_class(0) : k == from ? between : made.value[from][k];
        made.value[to][k] = made.value[k][to] = copy;
      }
    } else {
      made.value[to] = made.value[from];
    }
  }
  return made;
}

using Matching = std::set<std::pair<Index, Index>>;

void enumerate(const Case& of, std::vector<bool>& used, const mpq_class& weight, Matching& taken,
               std::map<Matching, mpq_class>& found) {
  const auto n = static_cast<Index>(of.rows);
  if (of.general) {
    const auto at = static_cast<Index>(std::find(used.begin(), used.end(), false) - used.begin());
    if (at == n) {
      found[taken] = weight;
      return;
    }
    for (Index j = at + 1; j < n; ++j) {
      if (used[j] || of.value[at][j] == 0) continue;
      used[at] = used[j] = true;
      taken.insert({at, j});
      enumerate(of, used, weight * of.value[at][j], taken, found);
      taken.erase({at, j});
      used[at] = used[j] = false;
    }
    return;
  }
  const auto row = static_cast<Index>(taken.size());
  if (row == n) {
    found[taken] = weight;
    return;
  }
  for (Index j = 0; j < n; ++j) {
    if (used[j] || of.value[row][j] == 0) continue;
    used[j] = true;
    taken.insert({row, j});
    enumerate(of, used, weight * of.value[row][j], taken, found);
    taken.erase({row, j});
    used[j] = false;
  }
}

std::map<Matching, mpq_class> enumerated(const Case& of) {
  std::map<Matching, mpq_class> found;
  std::vector<bool> used(of.rows, false);
  Matching taken;
  enumerate(of, used, 1, taken, found);
  return found;
}

FrontierPasses passes_of(const Case& of, Random& random, bool twins, LayerLimits limits = {}) {
  const AnyBlock block = of.block();
  ClassLines lines;
  const ClassGraph graph = class_graph(block, twins, &lines);
  std::vector<Index> order(graph.classes());
  std::iota(order.begin(), order.end(), Index{0});
  std::shuffle(order.begin(), order.end(), random);
  Elimination elimination;
  elimination.steps.push_back({EliminationStep::Kind::push, no_index});
  for (const Index v : order) elimination.steps.push_back({EliminationStep::Kind::eliminate, v});
  return {block, graph, lines, elimination, limits};
}

std::map<std::pair<Index, Index>, mpq_class> probabilities(const Case& of, FrontierPasses& passes) {
  const StopSignal stop;
  const EdgeUses uses = passes.edge_uses(stop);
  std::map<std::pair<Index, Index>, mpq_class> result;
  std::size_t k = 0;
  for (Index i = 0; i < of.rows; ++i) {
    for (Index j = 0; j < of.rows; ++j) {
      if (of.value[i][j] == 0) continue;
      mpq_class p(uses.uses[uses.place[k]], passes.total(stop) * mpz_class(uses.pairs[k]));
      p.canonicalize();
      result[{i, j}] = p;
      ++k;
    }
  }
  EXPECT_EQ(k, uses.place.size());
  return result;
}

// Enumeration's answer; empty where the weights cancel or there is no perfect matching.
std::map<std::pair<Index, Index>, mpq_class> expected_probabilities(const Case& of) {
  const auto matchings = enumerated(of);
  mpq_class total = 0;
  for (const auto& [matching, weight] : matchings) total += weight;
  std::map<std::pair<Index, Index>, mpq_class> result;
  if (total == 0) return result;
  for (Index i = 0; i < of.rows; ++i) {
    for (Index j = 0; j < of.rows; ++j) {
      if (of.value[i][j] != 0) result[{i, j}] = 0;
    }
  }
  for (const auto& [matching, weight] : matchings) {
    for (const auto& [i, j] : matching) {
      result[{i, j}] += weight / total;
      if (of.general) result[{j, i}] += weight / total;
    }
  }
  return result;
}

void expect_as_enumerated(const Case& of, FrontierPasses& passes, const std::string& where, int& told) {
  const auto expected = expected_probabilities(of);
  const StopSignal stop;
  ASSERT_EQ(passes.total(stop) == 0, expected.empty() && of.rows > 0) << where << of.text();
  if (expected.empty()) return;
  ++told;
  ASSERT_EQ(probabilities(of, passes), expected) << where << of.text();
}

TEST(FrontierPasses, EdgeUsesEqualEnumerationOnRandomBlocks) {
  constexpr std::uint64_t seed = 3311;
  Random random(seed);
  int told = 0;
  for (int round = 0; round < 900; ++round) {
    const bool general = round % 2 == 0;
    const Weighing weighing{round % 3 != 0, round % 9 > 4, round % 7 == 0};
    const Case of = random_case(random, static_cast<Index>(general ? 2 * (random() % 5) : random() % 6),
                                general, weighing);
    FrontierPasses passes = passes_of(of, random, round % 5 != 0);
    expect_as_enumerated(of, passes,
                         "seed " + std::to_string(seed) + " round " + std::to_string(round) + "\n", told);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(told, 400);
}

// Twins whose edges are cleared of denominators at different ends: the scales of all members are one.
TEST(FrontierPasses, TwinsOfLargeDenominators) {
  Random random(3315);
  for (const bool adjacent : {false, true}) {
    mpz_class large;
    mpz_ui_pow_ui(large.get_mpz_t(), 3, 300);
    // The first and the last of six vertices are twins; the others are a cycle.
    Case of{6, true, std::vector(6, std::vector<mpq_class>(6))};
    const auto edge = [&](Index a, Index b, const mpq_class& value) {
      of.value[a][b] = of.value[b][a] = value;
    };
    for (Index k = 1; k < 5; ++k) {
      edge(k, k % 4 + 1, 1);
      const mpq_class tiny(mpz_class(1), large + k);
      edge(0, k, tiny);
      edge(5, k, tiny);
    }
    if (adjacent) edge(0, 5, mpq_class(mpz_class(2), large));
    FrontierPasses passes = passes_of(of, random, true);
    int told = 0;
    expect_as_enumerated(of, passes, "", told);
    EXPECT_EQ(told, 1);
  }
}

TEST(FrontierPasses, DrawsAreMatchingsAndTheSameForAnyThreadsAndBatches) {
  constexpr std::uint64_t seed = 3312;
  Random random(seed);
  const StopSignal stop;
  int told = 0;
  for (int round = 0; round < 60; ++round) {
    const Case of =
        random_case(random, round % 2 == 0 ? 8 : 5, round % 2 == 0, {round % 3 == 0, false, false});
    const auto matchings = enumerated(of);
    if (matchings.empty()) continue;
    ++told;
    Random order_of_one = random;
    Random order_of_other = random;
    FrontierPasses one = passes_of(of, order_of_one, true);
    const auto draws = one.draw(7, 1, 0, 40, stop);
    for (const PairList& draw : draws) {
      Matching sorted;
      for (const auto& [a, b] : draw) sorted.insert(of.general && a > b ? std::pair(b, a) : std::pair(a, b));
      ASSERT_EQ(matchings.count(sorted), 1U) << "seed " << seed << " round " << round << "\n" << of.text();
    }
    FrontierPasses other = passes_of(of, order_of_other, true, {~std::uint64_t{0}, 1 + round % 8});
    auto batches = other.draw(7, 1, 0, 13, stop);
    for (PairList& draw : other.draw(7, 1, 13, 27, stop)) batches.push_back(std::move(draw));
    ASSERT_EQ(batches, draws) << "seed " << seed << " round " << round << "\n" << of.text();
  }
  EXPECT_GT(told, 20);
}

// Chi-square of many draws against the exact probabilities: `biased` replaces them by even ones.
double chi_square(const std::map<Matching, mpq_class>& matchings, const std::map<Matching, double>& observed,
                  double draws) {
  mpq_class total = 0;
  for (const auto& [matching, weight] : matchings) total += weight;
  double sum = 0;
  for (const auto& [matching, weight] : matchings) {
    const double expected = draws * mpq_class(weight / total).get_d();
    const auto found = observed.find(matching);
    const double difference = (found == observed.end() ? 0 : found->second) - expected;
    sum += difference * difference / expected;
  }
  return sum;
}

TEST(FrontierPasses, DrawsFollowTheWeights) {
  constexpr std::uint64_t seed = 3313;
  constexpr std::uint64_t draws = 20000;
  Random random(seed);
  const StopSignal stop;
  int told = 0;
  int refuted = 0;
  const int wanted = testing::sanitized ? 3 : 12;
  for (int round = 0; told < wanted; ++round) {
    const Case of = random_case(random, round % 2 == 0 ? 6 : 4, round % 2 == 0, {true, round % 4 > 1, false});
    const auto matchings = enumerated(of);
    if (matchings.size() < 4) continue;
    ++told;
    FrontierPasses passes = passes_of(of, random, true);
    std::map<Matching, double> observed;
    for (const PairList& draw : passes.draw(seed, 5, 0, draws, stop)) {
      Matching sorted;
      for (const auto& [a, b] : draw) sorted.insert(of.general && a > b ? std::pair(b, a) : std::pair(a, b));
      observed[sorted] += 1;
    }
    // Mean k - 1, deviation sqrt(2 (k - 1)): beyond five deviations and a bit the seed would be one in
    // millions.
    const double freedom = static_cast<double>(matchings.size()) - 1;
    const double most = freedom + 5 * std::sqrt(2 * freedom) + 10;
    EXPECT_LT(chi_square(matchings, observed, draws), most) << "round " << round << "\n" << of.text();
    // The test can fail: the same draws do not fit even probabilities where the weights are uneven.
    std::map<Matching, mpq_class> even;
    for (const auto& [matching, weight] : matchings) even[matching] = 1;
    refuted += chi_square(even, observed, draws) > most ? 1 : 0;
  }
  EXPECT_GE(refuted, wanted * 10 / 12);
}

TEST(FrontierPasses, SmallMemoryLimitsRecomputeOrRefuse) {
  constexpr std::uint64_t seed = 3314;
  Random random(seed);
  const StopSignal stop;
  int refused = 0;
  int fitted = 0;
  for (int round = 0; round < 120; ++round) {
    const bool general = round % 2 == 0;
    const Case of = random_case(random, general ? 10 : 6, general, {round % 3 == 0, false, false});
    Random same = random;
    FrontierPasses roomy = passes_of(of, random, false);
    const std::uint64_t limit = 300 + random() % 3000;
    FrontierPasses tight = passes_of(of, same, false, {limit, 1});
    try {
      const EdgeUses uses = tight.edge_uses(stop);
      ASSERT_EQ(uses.uses, roomy.edge_uses(stop).uses)
          << "seed " << seed << " round " << round << " limit " << limit << "\n"
          << of.text();
      if (tight.total(stop) > 0) {
        ASSERT_EQ(tight.draw(1, 1, 0, 9, stop), roomy.draw(1, 1, 0, 9, stop))
            << "seed " << seed << " round " << round;
      }
      ++fitted;
    } catch (const LayersTooLarge& error) {
      EXPECT_GT(error.needed(), limit);
      EXPECT_EQ(error.limit(), limit);
      ++refused;
    }
  }
  EXPECT_GT(refused, 10);
  EXPECT_GT(fitted, 30);
}

TEST(FrontierPasses, AMeasuredRateLeavesTheRestAsItIs) {
  Random random(77);
  for (int round = 0; round < 20; ++round) {
    const Case of = random_case(random, 7, false, {});
    Random same = random;
    FrontierPasses plain = passes_of(of, random, true);
    FrontierPasses measured = passes_of(of, same, true);
    EXPECT_GE(measured.measured_rate(round % 2 == 0 ? 0.0 : 10.0, {}), 0);
    const mpz_class total = plain.total({});
    EXPECT_EQ(total, measured.total({}));
    if (total == 0) continue;
    EXPECT_EQ(plain.draw(3, 0, 0, 5, {}), measured.draw(3, 0, 0, 5, {}));
  }
}

TEST(FrontierPasses, Stops) {
  Random random(1);
  StopSignal stop;
  stop.request();
  FrontierPasses passes = passes_of(random_case(random, 6, false, {}), random, true);
  EXPECT_THROW(passes.total(stop), Stopped);
}

TEST(CounterRandom, IsPhilox) {
  // The first known answer of Random123's own tests for philox4x64-10: all zeros.
  CounterRandom random(0, 0, 0);
  EXPECT_EQ(random.next(), 0x16554d9eca36314cU);
  EXPECT_EQ(random.next(), 0xdb20fe9d672d0fdcU);
  EXPECT_EQ(random.next(), 0xd7e772cee186176bU);
  EXPECT_EQ(random.next(), 0x7e68b68aec7ba23bU);
}

TEST(CounterRandom, DrawsBelowABound) {
  CounterRandom random(1, 2, 3);
  EXPECT_EQ(random.below(std::uint64_t{1}), 0U);
  EXPECT_EQ(random.below(mpz_class(1)), 0);
  std::map<std::uint64_t, int> seen;
  for (int i = 0; i < 6000; ++i) {
    ++seen[random.below(std::uint64_t{6})];
    const mpz_class wide = random.below(mpz_class("340282366920938463463374607431768211457"));
    EXPECT_LE(wide, mpz_class("340282366920938463463374607431768211456"));
  }
  ASSERT_EQ(seen.size(), 6U);
  for (const auto& [value, times] : seen) EXPECT_NEAR(times, 1000, 150) << value;
}

}  // namespace
}  // namespace countpm
