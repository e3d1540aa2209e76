// Sampled trees against all of their prefixes.
#include "kernels/subsets/prefix_sample.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "graph/stop_signal.hpp"
#include "kernels/subsets/visits_forecast.hpp"
#include "tests/kernels/method_testing.hpp"

namespace countpm {
namespace {

using namespace countpm::testing;

struct SmallLevel {
  std::vector<ColumnEntry<std::int64_t>> entries;
  Index copies;
  Index tested;  // a row that may not be zero from here on
};

struct SmallTree {
  std::size_t rows = 5;
  std::vector<std::int64_t> start;
  std::vector<SmallLevel> levels;
};

SmallTree random_tree(Random& random) {
  SmallTree tree;
  for (std::size_t i = 0; i < tree.rows; ++i)
    tree.start.push_back(static_cast<std::int64_t>(below(random, 5)) - 2);
  for (int k = 0; k < 7; ++k) {
    SmallLevel level{
        {}, static_cast<Index>(1 + below(random, 3)), static_cast<Index>(below(random, tree.rows))};
    for (Index i = 0; i < tree.rows; ++i) {
      if (below(random, 2) == 0)
        level.entries.push_back({i, static_cast<std::int64_t>(below(random, 5)) - 2});
    }
    tree.levels.push_back(std::move(level));
  }
  return tree;
}

/// How many prefixes survive all levels from `k` on.
std::uint64_t survivors(const SmallTree& tree, std::size_t k, const std::vector<std::int64_t>& sums) {
  if (k == tree.levels.size()) return 1;
  const SmallLevel& level = tree.levels[k];
  std::uint64_t total = 0;
  std::vector<std::int64_t> child = sums;
  for (Index digit = 0; digit <= level.copies; ++digit) {
    if (child[level.tested] != 0) total += survivors(tree, k + 1, child);
    for (const auto& entry : level.entries) child[entry.row] += entry.value;
  }
  return total;
}

double sampled_survivors(const SmallTree& tree, std::size_t capacity, std::uint64_t seed) {
  using Sample = PrefixSample<std::int64_t, int>;
  std::mt19937_64 random(seed);
  Sample sample(tree.rows);
  sample.add(tree.start, 0);
  double log2_weight = 0;
  std::vector<Sample::Child> children;
  for (const SmallLevel& level : tree.levels) {
    children.clear();
    sample.visit_children(level.entries, level.copies, [&](const Sample::Child& child, const auto& sum_of) {
      if (sum_of(level.tested) != 0) children.push_back(child);
    });
    log2_weight += descend(sample, children, level.entries, capacity, random);
    EXPECT_LE(sample.size(), capacity);
  }
  return static_cast<double>(sample.size()) * std::exp2(log2_weight);
}

TEST(PrefixSample, ThatHoldsAllIsExact) {
  Random random(1);
  for (int round = 0; round < 50; ++round) {
    const SmallTree tree = random_tree(random);
    EXPECT_EQ(sampled_survivors(tree, 1 << 14, 1), static_cast<double>(survivors(tree, 0, tree.start)))
        << "round " << round;
  }
}

TEST(PrefixSample, ThatIsThinnedOutHasTheRightMean) {
  Random random(2);
  constexpr int repeats = 4000;
  for (int round = 0; round < 5; ++round) {
    const SmallTree tree = random_tree(random);
    double sum = 0;
    double squares = 0;
    for (int k = 0; k < repeats; ++k) {
      const double value = sampled_survivors(tree, 8, 1000 + static_cast<std::uint64_t>(k));
      sum += value;
      squares += value * value;
    }
    const double mean = sum / repeats;
    const double deviation = std::sqrt((squares / repeats - mean * mean) / repeats);
    EXPECT_NEAR(mean, static_cast<double>(survivors(tree, 0, tree.start)), 4 * deviation + 1e-9)
        << "round " << round;
  }
}

TEST(PrefixSample, ThinsOutByWeight) {
  struct Weighted {
    int name;
    double weight;
  };
  const std::vector<double> weights{5, 1, 1, 0.5, 2, 0.5};  // of 10; 3 are kept
  std::vector<int> kept(weights.size(), 0);
  constexpr int repeats = 20000;
  for (int k = 0; k < repeats; ++k) {
    std::mt19937_64 random(static_cast<std::uint64_t>(k));
    std::vector<Weighted> children;
    for (std::size_t c = 0; c < weights.size(); ++c) children.push_back({static_cast<int>(c), weights[c]});
    thin_out(children, 3, random);
    ASSERT_EQ(children.size(), 3U);
    for (const Weighted& child : children) {
      EXPECT_DOUBLE_EQ(child.weight, 10.0 / 3);
      ++kept[static_cast<std::size_t>(child.name)];
    }
  }
  for (std::size_t c = 0; c < weights.size(); ++c)
    EXPECT_NEAR(kept[c] / static_cast<double>(repeats), 0.3 * weights[c], 0.02) << c;
  std::mt19937_64 random(1);
  std::vector<Weighted> few{{0, 3}, {1, 1}};
  thin_out(few, 3, random);
  EXPECT_EQ(few[0].weight, 3) << "what fits stays as it is";
}

/// Prefixes that skipper looks at below this one: one that a complete row of sum zero ends, or a subset.
std::uint64_t visits(const IntegerColumns<std::int64_t>& columns, const std::vector<Index>& slowest_first,
                     std::size_t k, const std::vector<std::int64_t>& sums) {
  for (Index i = 0; i < columns.rows; ++i) {
    bool complete = true;
    for (std::size_t later = k; later < slowest_first.size(); ++later) {
      const auto first =
          columns.row.begin() + static_cast<std::ptrdiff_t>(columns.start[slowest_first[later]]);
      const auto last = first + static_cast<std::ptrdiff_t>(columns.entries_of(slowest_first[later]));
      complete = complete && std::find(first, last, i) == last;
    }
    if (complete && sums[i] == 0) return 1;
  }
  if (k == slowest_first.size()) return 1;
  std::uint64_t total = visits(columns, slowest_first, k + 1, sums);
  std::vector<std::int64_t> with = sums;
  add_column(with, columns, RyserForm::classic, slowest_first[k], 1);
  return total + visits(columns, slowest_first, k + 1, with);
}

TEST(VisitsForecast, OfSmallBlocksIsExact) {
  Random random(3);
  for (int round = 0; round < 30; ++round) {
    const auto block = random_pattern(random, static_cast<Index>(2 + below(random, 9)), 0.3);
    const auto columns = std::get<IntegerColumns<std::int64_t>>(integer_columns(block));
    if (has_twins(columns.multiplicity)) continue;
    const std::vector<Index> order = skip_order(columns);
    const SubsetPlan plan = plan_subsets(order, columns.multiplicity, RyserForm::classic, 4, 40);
    std::vector<Index> slowest_first(order.rbegin(), order.rend());
    const std::uint64_t actual = visits(columns, slowest_first, 0, shifted_sums(columns, plan));
    EXPECT_NEAR(forecast_log2_visits(columns, plan, 7), std::log2(static_cast<double>(actual)), 1e-9)
        << "round " << round << "\n"
        << text_of(block);
  }
}

TEST(VisitsForecast, Stops) {
  Random random(4);
  const auto columns =
      std::get<IntegerColumns<std::int64_t>>(integer_columns(random_pattern(random, 40, 0.2)));
  const SubsetPlan plan = plan_subsets(skip_order(columns), columns.multiplicity, RyserForm::classic, 10, 40);
  StopSignal signal;
  const StopScope scope(&signal);
  EXPECT_NO_THROW(forecast_log2_visits(columns, plan, 7));
  signal.request();
  EXPECT_THROW(forecast_log2_visits(columns, plan, 7), Stopped);
}

}  // namespace
}  // namespace countpm
