// The search for eliminations: what it returns is an elimination of its graph and counts what the definition
// counts; forecasts against simulated tables; known widths.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "graph/errors.hpp"
#include "kernels/frontier/order/least_transitions.hpp"
#include "kernels/frontier/order/order_search.hpp"
#include "kernels/frontier/order/state_count.hpp"
#include "kernels/frontier/order/tree_order.hpp"
#include "tests/kernels/planar/elimination_simulation.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using testing::repeats;

using testing::EliminationSimulation;
using testing::Simulated;
using Random = std::mt19937_64;

Index index_below(Random& random, Index n) {
  return static_cast<Index>(random() % n);
}

ClassGraph from_edges(Index row_classes, std::vector<Index> multiplicity, bool general,
                      const std::vector<std::pair<Index, Index>>& edges) {
  ClassGraph graph;
  graph.general = general;
  graph.row_classes = row_classes;
  graph.multiplicity = std::move(multiplicity);
  std::vector<std::set<Index>> around(graph.multiplicity.size());
  for (const auto& [a, b] : edges) {
    around[a].insert(b);
    around[b].insert(a);
  }
  for (const std::set<Index>& neighbours : around) {
    graph.neighbour.insert(graph.neighbour.end(), neighbours.begin(), neighbours.end());
    graph.start.push_back(graph.neighbour.size());
  }
  graph.entry.assign(graph.neighbour.size(), 0);
  return graph;
}

ClassGraph random_graph(Random& random, bool general, Index most_multiplicity) {
  const Index classes = 2 + index_below(random, general ? 8 : 9);
  const Index rows = general ? 0 : 1 + index_below(random, classes - 1);
  std::vector<Index> multiplicity;
  for (Index v = 0; v < classes; ++v)
    multiplicity.push_back(general ? 1 : 1 + index_below(random, most_multiplicity));
  std::vector<std::pair<Index, Index>> edges;
  const Index density = 1 + index_below(random, 9);
  for (Index a = 0; a < classes; ++a) {
    for (Index b = a + 1; b < classes; ++b) {
      if (!general && (a < rows) == (b < rows)) continue;
      if (index_below(random, 10) < density) edges.emplace_back(a, b);
    }
  }
  return from_edges(rows, multiplicity, general, edges);
}

/// Sums over the matchings of members written out: the first open member takes any other.
mpz_class count_by_definition(const ClassGraph& graph, std::vector<Index>& free) {
  const auto first = std::find_if(free.begin(), free.end(), [](Index f) { return f > 0; });
  if (first == free.end()) return 1;
  const Index v = static_cast<Index>(first - free.begin());
  mpz_class sum = 0;
  --free[v];
  for (std::uint64_t k = graph.start[v]; k < graph.start[v + 1]; ++k) {
    const Index u = graph.neighbour[k];
    if (free[u] == 0) continue;
    const Index ways = free[u];
    --free[u];
    sum += ways * count_by_definition(graph, free);
    ++free[u];
  }
  ++free[v];
  return sum;
}
mpz_class count_by_definition(const ClassGraph& graph) {
  std::vector<Index> free = graph.multiplicity;
  return count_by_definition(graph, free);
}

std::string text_of(const ClassGraph& graph, const Elimination& elimination) {
  std::string text = "rows " + std::to_string(graph.row_classes) + " multiplicity";
  for (const Index m : graph.multiplicity) text += " " + std::to_string(m);
  text += " edges";
  for (Index v = 0; v < graph.classes(); ++v) {
    for (std::uint64_t k = graph.start[v]; k < graph.start[v + 1]; ++k) {
      if (graph.neighbour[k] > v) text += " " + std::to_string(v) + "-" + std::to_string(graph.neighbour[k]);
    }
  }
  text += " steps";
  for (const EliminationStep& step : elimination.steps) {
    text += step.kind == EliminationStep::Kind::push   ? " push"
            : step.kind == EliminationStep::Kind::join ? " join"
                                                       : " " + std::to_string(step.vertex);
  }
  return text;
}

// ---------------------------------------------------------------- state counts

TEST(OrderStateCount, EqualsEnumeration) {
  Random random(31);
  for (int round = 0; round < 400; ++round) {
    FrontierProfile profile;
    profile.general = round % 4 == 0;
    profile.rows_gone = index_below(random, 12);
    profile.columns_gone = profile.general ? 0 : index_below(random, 12);
    std::vector<std::pair<Index, bool>> classes;
    for (Index i = index_below(random, 6); i > 0; --i) {
      classes.emplace_back(1 + index_below(random, 1 + index_below(random, 5)),
                           !profile.general && index_below(random, 2) == 0);
      profile.insert(classes.back().first, classes.back().second);
    }
    std::uint64_t count = 0;
    const std::function<void(std::size_t, std::int64_t, std::int64_t)> go =
        [&](std::size_t i, std::int64_t rows, std::int64_t columns) {
          if (i == classes.size()) {
            const auto r = static_cast<std::int64_t>(profile.rows_gone);
            const auto c = static_cast<std::int64_t>(profile.columns_gone);
            count += profile.general ? columns <= r && (r - columns) % 2 == 0
                                     : rows <= c && columns - rows == r - c;
            return;
          }
          for (Index s = 0; s <= classes[i].first; ++s) {
            go(i + 1, rows + (classes[i].second ? s : 0), columns + (classes[i].second ? 0 : s));
          }
        };
    go(0, 0, 0);
    EXPECT_NEAR(std::exp2(log2_admitted(profile)), static_cast<double>(count),
                1e-9 * static_cast<double>(count))
        << "round " << round;
  }
}

TEST(OrderStateCount, HoldsBeyondDoubles) {
  FrontierProfile profile;
  profile.rows_gone = 2000;
  profile.single_columns = 4000;
  // Stirling: log2 C(2n, n) = 2n - log2(pi n) / 2 - ...
  EXPECT_NEAR(log2_admitted(profile), 4000 - 0.5 * std::log2(3.141592653589793 * 2000), 1e-3);
  profile.wide_columns.assign(40, 3);
  profile.rows_gone += 60;
  // The middle of a sum of variance 4000 / 4 + 40 * 3 * 5 / 12.
  EXPECT_NEAR(log2_admitted(profile), 4000 + 40 * 2 - 0.5 * std::log2(2 * 3.141592653589793 * 1050), 1e-2);
}

// ---------------------------------------------------------------- forecasts

void expect_sound(const ClassGraph& graph, const Elimination& elimination,
                  const EliminationForecast& forecast) {
  SCOPED_TRACE(text_of(graph, elimination));
  Simulated simulated;
  ASSERT_NO_THROW(simulated = EliminationSimulation(graph).run(elimination));
  ASSERT_EQ(simulated.value, count_by_definition(graph));
  double states = 0;
  double peak = 0;
  for (const std::size_t table : simulated.table_states) {
    states += static_cast<double>(table);
    peak = std::max(peak, static_cast<double>(table));
  }
  const double slack = 1 + 1e-9;
  EXPECT_LE(states, std::exp2(forecast.log2_states) * slack);
  EXPECT_LE(peak, std::exp2(forecast.log2_peak_states) * slack);
  EXPECT_LE(peak, std::exp2(forecast.log2_peak_bytes_states) * slack);
}

TEST(OrderSearchTest, EveryKindCountsWhatTheDefinitionCounts) {
  Random random(32);
  const StopSignal stop;
  for (int round = 0; round < repeats(150); ++round) {
    const ClassGraph graph = random_graph(random, round % 3 == 0, 1 + round % 3);
    for (const OrderInfo& info : order_kinds()) {
      SCOPED_TRACE(std::string(info.name));
      OrderSearch search(graph, static_cast<std::uint64_t>(round), info.kind);
      expect_sound(graph, search.best(), forecast_elimination(graph, search.best()));
      search.improve(2e-4, stop);
      expect_sound(graph, search.best(), forecast_elimination(graph, search.best()));
      expect_sound(graph, search.best_linear(), search.linear_forecast());
    }
  }
}

TEST(OrderSearchTest, NeverWorsensAndRepeatsItself) {
  Random random(33);
  const StopSignal stop;
  for (int round = 0; round < 6; ++round) {
    std::vector<std::pair<Index, Index>> edges;
    for (Index a = 0; a < 20; ++a) {
      for (Index b = 20; b < 40; ++b) {
        if (index_below(random, 6) == 0) edges.emplace_back(a, b);
      }
    }
    const ClassGraph graph = from_edges(20, std::vector<Index>(40, 1), false, edges);
    OrderSearch one(graph, 7);
    OrderSearch two(graph, 7);
    for (int slice = 0; slice < 4; ++slice) {
      const double before = one.forecast().log2_transitions;
      const bool better = one.improve(0.004, stop);
      EXPECT_LE(one.forecast().log2_transitions, before);
      EXPECT_EQ(better, one.forecast().log2_transitions < before);
      two.improve(0.004, stop);
      EXPECT_EQ(text_of(graph, one.best()), text_of(graph, two.best()));
    }
  }
}

TEST(OrderSearchTest, ANarrowerFrontierIsWorthWhatKeysCost) {
  Random random(36);
  int narrower = 0;
  for (std::uint64_t round = 0; round < 12; ++round) {
    std::vector<std::pair<Index, Index>> edges;
    for (Index a = 0; a < 30; ++a) {
      for (Index b = 30; b < 60; ++b) {
        if (a == b - 30 || index_below(random, 4) == 0) edges.emplace_back(a, b);
      }
    }
    const ClassGraph graph = from_edges(30, std::vector<Index>(60, 1), false, edges);
    // Greedy searches with the same seed look at the same orders.
    const EliminationForecast any = OrderSearch(graph, round, OrderKind::greedy).forecast();
    StatesAllowed allowed;
    allowed.widest_without_keys = any.peak_width - 1;
    const EliminationForecast narrow = OrderSearch(graph, round, OrderKind::greedy, allowed).forecast();
    if (narrow.peak_width < any.peak_width) {
      ++narrower;
      EXPECT_GE(narrow.log2_transitions, any.log2_transitions);
      EXPECT_LE(narrow.log2_transitions, any.log2_transitions + 2.3);
    } else {
      EXPECT_EQ(narrow.log2_transitions, any.log2_transitions);
    }
  }
  EXPECT_GT(narrower, 0);
  EXPECT_LT(narrower, 12);
}

TEST(OrderSearchTest, SeveralThreadsFindNoLessAndRepeatThemselves) {
  const StopSignal stop;
  Random random(35);
  std::vector<std::pair<Index, Index>> edges;
  for (Index a = 0; a < 24; ++a) {
    for (Index b = 24; b < 48; ++b) {
      if (a == b - 24 || index_below(random, 6) == 0) edges.emplace_back(a, b);
    }
  }
  const ClassGraph graph = from_edges(24, std::vector<Index>(48, 1), false, edges);
  OrderSearch one(graph, 7);
  OrderSearch two(graph, 7);
  OrderSearch alone(graph, 7);
  // The first thread of several does what a single one does, until another finds something better.
  for (const double seconds : {0.01, 0.03, 0.03}) {
    const double before = one.forecast().log2_transitions;
    const bool better = one.improve(seconds, stop, 3);
    EXPECT_EQ(better, one.forecast().log2_transitions < before);
    two.improve(seconds, stop, 3);
    EXPECT_EQ(text_of(graph, one.best()), text_of(graph, two.best()));
    EXPECT_EQ(one.forecast().log2_transitions, forecast_elimination(graph, one.best()).log2_transitions);
    if (seconds == 0.01) {
      alone.improve(seconds, stop);
      EXPECT_EQ(text_of(graph, one.best()), text_of(graph, alone.best()));
    }
  }
  StopSignal stopped;
  stopped.request();
  EXPECT_THROW(one.improve(1, stopped, 3), Stopped);
}

// ---------------------------------------------------------------- reachable states

TEST(OrderSample, AgreesWithTheTables) {
  Random random(34);
  const StopSignal stop;
  int below_bound = 0;
  for (int round = 0; round < 40; ++round) {
    const bool general = round % 4 == 3;
    const Index side = 9;
    std::vector<std::pair<Index, Index>> edges;
    for (Index a = 0; a < 2 * side; ++a) {
      // A cycle, so that there is something to match, and some edges more.
      edges.emplace_back(a, (a + 1) % (2 * side));
      for (Index b = a + 1; b < 2 * side; ++b) {
        if ((general || (b - a) % 2 == 1) && index_below(random, 12) == 0) edges.emplace_back(a, b);
      }
    }
    // Even classes are rows: renumbered to stand first.
    const auto number = [&](Index v) { return general ? v : v % 2 == 0 ? v / 2 : side + v / 2; };
    for (auto& [a, b] : edges) a = number(a), b = number(b);
    std::vector<Index> multiplicity(2 * side, 1);
    if (round % 4 == 2) multiplicity[0] = multiplicity[side] = 3;
    const ClassGraph graph = from_edges(general ? 0 : side, multiplicity, general, edges);
    OrderSearch search(graph, static_cast<std::uint64_t>(round),
                       round % 2 == 0 ? OrderKind::automatic : OrderKind::tree);
    const Simulated simulated = EliminationSimulation(graph).run(search.best());
    double states = 0;
    for (const std::size_t table : simulated.table_states) states += static_cast<double>(table);
    const double before = std::exp2(search.forecast().log2_states);
    EXPECT_FALSE(search.forecast().sampled);
    search.sample(10, stop);
    EXPECT_TRUE(search.forecast().sampled);
    const double estimate = std::exp2(search.forecast().log2_states);
    SCOPED_TRACE(text_of(graph, search.best()));
    if (round % 4 != 2) {
      EXPECT_NEAR(estimate / states, 1, 0.2) << estimate << " for " << states << " of " << before;
    }
    const double pairs = static_cast<double>(simulated.pairs);
    EXPECT_NEAR(search.forecast().log2_transitions, std::log2(pairs), 0.6);
    EXPECT_LE(search.forecast().log2_likely_peak, search.forecast().log2_peak_bytes_states + 1e-9);
    below_bound += states < 0.9 * before;
  }
  EXPECT_GT(below_bound, 5);  // else there is nothing to estimate
}

// ---------------------------------------------------------------- widths that are known

/// The grid graph of so many lines and places, two-coloured, rows first.
ClassGraph grid(Index lines, Index places) {
  std::vector<Index> number(std::size_t{lines} * places);
  Index rows = 0;
  for (int colour = 0; colour < 2; ++colour) {
    Index next = colour == 0 ? 0 : rows;
    for (Index i = 0; i < lines; ++i) {
      for (Index j = 0; j < places; ++j) {
        if ((i + j) % 2 == static_cast<Index>(colour)) number[i * places + j] = next++;
      }
    }
    rows = colour == 0 ? next : rows;
  }
  std::vector<std::pair<Index, Index>> edges;
  for (Index i = 0; i < lines; ++i) {
    for (Index j = 0; j < places; ++j) {
      if (j + 1 < places) edges.emplace_back(number[i * places + j], number[i * places + j + 1]);
      if (i + 1 < lines) edges.emplace_back(number[i * places + j], number[(i + 1) * places + j]);
    }
  }
  return from_edges(rows, std::vector<Index>(std::size_t{lines} * places, 1), false, edges);
}

TEST(OrderWidth, Grids) {
  const StopSignal stop;
  OrderSearch square(grid(20, 20), 1);
  square.improve(0.05, stop);
  EXPECT_LE(square.linear_forecast().peak_width, 22U);
  EXPECT_LE(square.forecast().log2_peak_states, 20.0);
  const OrderSearch strip(grid(8, 2000), 1);
  EXPECT_LE(strip.forecast().peak_width, 10U);
  EXPECT_TRUE(std::isfinite(strip.forecast().log2_transitions));
}

TEST(OrderWidth, CyclesAndTrees) {
  std::vector<std::pair<Index, Index>> cycle;
  std::vector<std::pair<Index, Index>> tree;
  constexpr Index n = 60;
  for (Index v = 0; v < n; ++v) {
    const auto number = [](Index u) { return u % 2 == 0 ? u / 2 : n / 2 + u / 2; };
    cycle.emplace_back(number(v), number((v + 1) % n));
    // A caterpillar: a path of the even ones, each with a leaf.
    if (v % 2 == 1) tree.emplace_back(v, v - 1);
    if (v % 2 == 0 && v + 2 < n) tree.emplace_back(v, v + 2);
  }
  const OrderSearch round(from_edges(n / 2, std::vector<Index>(n, 1), false, cycle), 1);
  EXPECT_LE(round.forecast().peak_width, 2U);
  const OrderSearch caterpillar(from_edges(0, std::vector<Index>(n, 1), true, tree), 1);
  EXPECT_LE(caterpillar.forecast().peak_width, 2U);
  EXPECT_LE(caterpillar.forecast().log2_peak_states, 1.0);
}

TEST(OrderWidth, CompleteGraphsAreExact) {
  // K(6, 6) by rows: after k rows C(6, k) states; (6 - k) choices each.
  std::vector<std::pair<Index, Index>> edges;
  for (Index a = 0; a < 6; ++a) {
    for (Index b = 6; b < 12; ++b) edges.emplace_back(a, b);
  }
  const ClassGraph graph = from_edges(6, std::vector<Index>(12, 1), false, edges);
  const OrderSearch search(graph, 1, OrderKind::rows);
  const Simulated simulated = EliminationSimulation(graph).run(search.best());
  EXPECT_NEAR(std::exp2(search.forecast().log2_states), 63, 1e-9);  // 2^6 less the empty one
  EXPECT_NEAR(std::exp2(search.forecast().log2_peak_states), 20, 1e-9);
  EXPECT_NEAR(std::exp2(search.forecast().log2_transitions), 6 * 32, 1e-9);
  EXPECT_EQ(simulated.pairs, 6U * 32U);
  // The same with twins merged: one row class, one column class of six.
  const ClassGraph twins = from_edges(1, {6, 6}, false, {{0, 1}});
  EXPECT_LE(OrderSearch(twins, 1).forecast().log2_peak_states, 0.0);
}

TEST(OrderWidth, HopelessGraphsAreGivenUpHonestly) {
  Random random(35);
  std::vector<std::pair<Index, Index>> edges;
  constexpr Index side = 2000;
  for (Index a = 0; a < side; ++a) {
    for (int d = 0; d < 6; ++d) edges.emplace_back(a, side + index_below(random, side));
  }
  const OrderSearch search(from_edges(side, std::vector<Index>(2 * side, 1), false, edges), 1);
  EXPECT_GT(search.forecast().log2_transitions, 100);
  EXPECT_TRUE(std::isfinite(search.forecast().log2_transitions));
}

TEST(OrderWidth, EmptyAndTinyGraphs) {
  const StopSignal stop;
  for (const OrderInfo& info : order_kinds()) {
    SCOPED_TRACE(std::string(info.name));
    OrderSearch nothing(from_edges(0, {}, false, {}), 1, info.kind);
    nothing.improve(0.01, stop);
    nothing.sample(0.01, stop);
    EXPECT_EQ(EliminationSimulation(nothing.graph()).run(nothing.best()).value, 1);
    OrderSearch pair(from_edges(1, {1, 1}, false, {{0, 1}}), 1, info.kind);
    pair.improve(0.01, stop);
    pair.sample(0.01, stop);
    EXPECT_EQ(EliminationSimulation(pair.graph()).run(pair.best()).value, 1);
    // Two components and two lonely classes: no matching.
    OrderSearch apart(from_edges(3, std::vector<Index>(6, 1), false, {{0, 3}, {1, 4}}), 1, info.kind);
    apart.improve(0.01, stop);
    apart.sample(0.01, stop);
    EXPECT_EQ(EliminationSimulation(apart.graph()).run(apart.best()).value, 0);
    EXPECT_TRUE(std::isfinite(apart.forecast().log2_transitions));
  }
}

TEST(OrderKinds, UnknownNamesListTheValidOnes) {
  for (const OrderInfo& info : order_kinds()) EXPECT_EQ(order_named(info.name), info.kind);
  try {
    order_named("best");
    FAIL();
  } catch (const UsageError& error) {
    for (const OrderInfo& info : order_kinds()) {
      EXPECT_NE(std::string(error.what()).find(info.name), std::string::npos);
    }
  }
}

TEST(OrderForecast, RefusesWhatIsNoElimination) {
  const ClassGraph graph = from_edges(2, {1, 1, 1, 1}, false, {{0, 2}, {0, 3}, {1, 2}, {1, 3}});
  using Kind = EliminationStep::Kind;
  const auto program = [](std::vector<EliminationStep> steps) { return Elimination{std::move(steps)}; };
  const EliminationStep push{Kind::push, no_index};
  const EliminationStep join{Kind::join, no_index};
  const auto take = [](Index v) { return EliminationStep{Kind::eliminate, v}; };
  EXPECT_NO_THROW(
      forecast_elimination(graph, program({push, take(0), push, take(1), join, take(2), take(3)})));
  for (const Elimination& wrong :
       {program({push, take(0), take(1), take(2)}), program({take(0)}), program({push, take(0), join}),
        program({push, take(0), take(0)}), program({push, take(7)}),
        program({push, take(0), push, take(2), join, take(1), take(3)}),
        program({push, take(0), take(1), take(2), take(3), push})}) {
    EXPECT_THROW(forecast_elimination(graph, wrong), std::invalid_argument);
  }
}

TEST(OrderSearchTest, StopsWhenAsked) {
  StopSignal stop;
  stop.request();
  OrderSearch search(from_edges(2, {1, 1, 1, 1}, false, {{0, 2}, {0, 3}, {1, 2}, {1, 3}}), 1);
  EXPECT_THROW(search.improve(1, stop), Stopped);
}

TEST(OrderSearchTest, NoOrderTakesLessThanTheLeastTransitions) {
  Random random(20261125);
  for (int round = 0; round < repeats(60); ++round) {
    const bool general = round % 2 == 0;
    const Index side = 4 + index_below(random, 8);
    const Index classes = 2 * side;
    std::vector<std::pair<Index, Index>> edges;
    for (Index a = 0; a < classes; ++a) {
      for (Index b = a + 1; b < classes; ++b) {
        if (!general && (a >= side || b < side)) continue;
        if (random() % 8 != 0) edges.emplace_back(a, b);
      }
    }
    const ClassGraph graph = from_edges(general ? 0 : side, std::vector<Index>(classes, 1), general, edges);
    OrderSearch search(graph, 1);
    search.improve(0.01, StopSignal());
    EXPECT_LE(log2_least_transitions(graph), search.forecast().log2_transitions) << "round " << round;
  }
}

TEST(OrderSearchTest, CountingWhatIsToFillStopsWhenAsked) {
  // Exceptions do not leave functions that are compiled for several processors (popcount_clones.hpp).
  constexpr Index classes = 300;
  std::vector<std::pair<Index, Index>> edges;
  for (Index v = 0; v < classes; ++v) {
    for (const Index step : {1U, 7U, 30U, 70U}) edges.emplace_back(v, (v + step) % classes);
  }
  const ClassGraph graph = from_edges(0, std::vector<Index>(classes, 1), true, edges);
  StopSignal stop;
  stop.request();
  const StopScope scope(&stop);
  EXPECT_THROW(minimum_fill_order(graph, 1), Stopped);
}

}  // namespace
}  // namespace countpm
