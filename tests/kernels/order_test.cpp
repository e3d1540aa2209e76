// The search for eliminations: what it returns is an elimination of its graph and counts what the definition
// counts; forecasts against simulated tables; known widths.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "kernels/frontier/order_search.hpp"
#include "kernels/frontier/state_count.hpp"
#include "tests/kernels/elimination_simulation.hpp"

namespace countpm {
namespace {

using testing::EliminationSimulation;
using testing::Simulated;
using Random = std::mt19937_64;

Index below(Random& random, Index n) {
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
  const Index classes = 2 + below(random, general ? 8 : 9);
  const Index rows = general ? 0 : 1 + below(random, classes - 1);
  std::vector<Index> multiplicity;
  for (Index v = 0; v < classes; ++v)
    multiplicity.push_back(general ? 1 : 1 + below(random, most_multiplicity));
  std::vector<std::pair<Index, Index>> edges;
  const Index density = 1 + below(random, 9);
  for (Index a = 0; a < classes; ++a) {
    for (Index b = a + 1; b < classes; ++b) {
      if (!general && (a < rows) == (b < rows)) continue;
      if (below(random, 10) < density) edges.emplace_back(a, b);
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
    profile.rows_gone = below(random, 12);
    profile.columns_gone = profile.general ? 0 : below(random, 12);
    std::vector<std::pair<Index, bool>> classes;
    for (Index i = below(random, 6); i > 0; --i) {
      classes.emplace_back(1 + below(random, 1 + below(random, 5)),
                           !profile.general && below(random, 2) == 0);
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
  for (int round = 0; round < 150; ++round) {
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
        if (below(random, 6) == 0) edges.emplace_back(a, b);
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

TEST(OrderSearchTest, StopsWhenAsked) {
  StopSignal stop;
  stop.request();
  OrderSearch search(from_edges(2, {1, 1, 1, 1}, false, {{0, 2}, {0, 3}, {1, 2}, {1, 3}}), 1);
  EXPECT_THROW(search.improve(1, stop), Stopped);
}

}  // namespace
}  // namespace countpm
