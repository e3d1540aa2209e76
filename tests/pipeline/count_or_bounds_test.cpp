// What is certain of counts beyond their limits: the count is between the bounds, whatever was counted.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "src/count/bounds_in_reserve.hpp"
#include "src/count/count_or_bounds.hpp"
#include "src/count/count_run.hpp"
#include "src/input/report.hpp"
#include "tests/repeats.hpp"

namespace countpm::count_or_bounds_test {
namespace {

using testing::repeats;
using Random = std::mt19937_64;

/// Pieces side by side: planar ones (rings with chords) and some that are not, all with perfect matchings.
class Pieces {
 public:
  explicit Pieces(WeightKind kind, Random& random) : kind_(kind), random_(random) {}

  void add_ring(Index size) {
    const Index first = vertices_;
    vertices_ += size;
    for (Index v = 0; v < size; ++v) add(first + v, first + (v + 1) % size);
    add(first, first + 3);
  }
  /// K_{n,n}, or K_{2n} where it has odd cycles.
  void add_complete(Index half, bool bipartite) {
    const Index first = vertices_;
    vertices_ += 2 * half;
    for (Index a = 0; a < 2 * half; ++a)
      for (Index b = a + 1; b < 2 * half; ++b)
        if (!bipartite || (a + b) % 2 == 1) add(first + a, first + b);
  }
  Graph graph() const {
    Graph graph;
    graph.kind = GraphKind::undirected;
    graph.left_labels = LabelTable::numbered(vertices_);
    graph.weight_kind = kind_;
    graph.edges = edges_;
    if (kind_ == WeightKind::integer) {
      std::vector<std::int64_t> values;
      for (const mpq_class& w : weight_) values.push_back(w.get_num().get_si());
      graph.values = std::move(values);
    } else if (kind_ != WeightKind::none) {
      graph.values = weight_;
    }
    return graph;
  }

 private:
  void add(Index a, Index b) {
    edges_.push_back({a, b});
    mpq_class weight(1 + static_cast<long>(random_() % 20));
    if (kind_ == WeightKind::rational) weight /= 7;
    if (kind_ == WeightKind::real) weight /= 8;
    weight_.push_back(weight);
  }

  WeightKind kind_;
  Random& random_;
  Index vertices_ = 0;
  std::vector<Edge> edges_;
  std::vector<mpq_class> weight_;
};

double log10_of_value(const Value& value) {
  if (const auto* integer = std::get_if<mpz_class>(&value)) return std::log10(integer->get_d());
  if (const auto* fraction = std::get_if<mpq_class>(&value)) return std::log10(fraction->get_d());
  return std::log10(std::get<RealBall>(value).middle);
}

TEST(CountOrBounds, HoldsWhereAMethodCannotCountAllBlocks) {
  Random random(1);
  for (int run = 0; run < repeats(90); ++run) {
    const WeightKind kind = std::array{WeightKind::none, WeightKind::integer, WeightKind::rational,
                                       WeightKind::real}[static_cast<std::size_t>(run) % 4];
    Pieces pieces(kind, random);
    pieces.add_ring(static_cast<Index>(6 + 2 * (run % 3)));
    pieces.add_complete(static_cast<Index>(3 + run % 2), run % 3 != 0);
    if (run % 5 == 0) pieces.add_complete(4, true);
    const Value count_found = count(pieces.graph(), {}).value;
    CountOptions options;
    options.method = "planar";
    options.threads = 1;
    options.rules.enabled.fill(run % 2 == 0);
    const CountOrBounds found = count_or_bounds(in_memory(pieces.graph()), options);
    ASSERT_TRUE(std::holds_alternative<BoundedCount>(found)) << run;
    const auto& bounded = std::get<BoundedCount>(found);
    const double log10 = log10_of_value(count_found);
    EXPECT_LE(bounded.bounds.log10_lower, log10 + 1e-12) << run;
    EXPECT_GE(bounded.bounds.log10_upper, log10 - 1e-12) << run;
    EXPECT_NE(bounded.reason.find("planar"), std::string::npos) << bounded.reason;
    EXPECT_LT(bounded.counted, bounded.blocks.size());
    if (kind == WeightKind::none || kind == WeightKind::integer) {
      const auto& exact = std::get<mpz_class>(count_found);
      if (bounded.upper.find('e') == std::string::npos) {
        EXPECT_LE(mpz_class(bounded.lower), exact);
        EXPECT_GE(mpz_class(bounded.upper), exact);
      }
    }
    double log10_lower_of_blocks = 0;
    for (const BoundedBlock& block : bounded.blocks) {
      EXPECT_LE(block.bounds.log10_lower, block.bounds.log10_upper);
      EXPECT_EQ(block.method.empty(), block.bounds.lower_by != "count");
      log10_lower_of_blocks += block.bounds.log10_lower;
    }
    // Rules that are off leave no factor; decimals are scaled.
    if (run % 2 == 1 && kind != WeightKind::real) {
      EXPECT_NEAR(log10_lower_of_blocks, bounded.bounds.log10_lower, 1e-9);
    }
  }
}

TEST(CountOrBounds, EasyBlocksAreCounted) {
  Random random(2);
  Pieces pieces(WeightKind::none, random);
  pieces.add_complete(4, true);
  pieces.add_complete(3, false);
  CountOptions options;
  options.method = "planar";
  options.rules.enabled.fill(false);
  Pieces with_ring = pieces;
  with_ring.add_ring(8);
  const auto bounded = std::get<BoundedCount>(count_or_bounds(in_memory(with_ring.graph()), options));
  EXPECT_EQ(bounded.counted, 1U);
  ASSERT_EQ(bounded.blocks.size(), 3U);
  for (const BoundedBlock& block : bounded.blocks)
    EXPECT_EQ(block.method.empty(), block.rows != 4 || block.entries != 9);
}

// As where the time limit ends the units: all that are done are kept, and then there is nothing to bound.
TEST(CountOrBounds, FinishedBlocksAreKept) {
  Random random(3);
  for (const WeightKind kind : {WeightKind::none, WeightKind::rational, WeightKind::real}) {
    Pieces pieces(kind, random);
    pieces.add_complete(5, true);
    pieces.add_complete(4, false);
    pieces.add_ring(10);
    CountOptions options;
    options.threads = 2;
    options.rules.enabled.fill(false);
    Stopwatch watch;
    Monitor monitor(options);
    BoundsInReserve reserve;
    EXPECT_FALSE(reserve.ready());
    ReadResult read = in_memory(pieces.graph());
    const PlannedCount plan =
        plan_count(std::move(read.graph), read.info, options, watch, monitor, nullptr, &reserve);
    ASSERT_TRUE(reserve.ready());
    CountRun run(plan, read.info, options, monitor, nullptr, true);
    EXPECT_EQ(reserve.result("why", 1).counted, 0U);
    run.count();
    reserve.keep_finished(plan.blocks, run.ledgers());
    const BoundedCount kept = reserve.result("why", 1);
    EXPECT_EQ(kept.counted, kept.blocks.size());
    EXPECT_EQ(kept.bounds.lower_by, "count");
    const Value exact = count(pieces.graph(), {}).value;
    const double log10 = log10_of_value(exact);
    EXPECT_NEAR(kept.bounds.log10_lower, log10, 1e-9);
    EXPECT_NEAR(kept.bounds.log10_upper, log10, 1e-9);
    EXPECT_LE(kept.bounds.log10_lower, kept.bounds.log10_upper);
    if (kind == WeightKind::none) {
      EXPECT_EQ(kept.lower, std::get<mpz_class>(exact).get_str());
      EXPECT_EQ(kept.upper, kept.lower);
    }
  }
}

TEST(CountOrBounds, CountsWhatIsWithinTheLimits) {
  Random random(4);
  Pieces pieces(WeightKind::none, random);
  pieces.add_complete(4, true);
  const CountOrBounds found = count_or_bounds(in_memory(pieces.graph()), {});
  EXPECT_EQ(std::get<CountResult>(found).count, "24");
  EXPECT_EQ(std::get<CountResult>(count_or_bounds(Source::from_argument("lattice:square:3x3"), {}, {})).count,
            "0");
}

// The limit is over before the graph is there.
TEST(CountOrBounds, AShortTimeLimitWaitsForTheStructure) {
  CountOptions options;
  options.time_limit_seconds = 1e-4;
  const CountOrBounds found = count_or_bounds(Source::from_argument("lattice:cubic:6x6x6"), {}, options);
  const BoundedCount& bounded = std::get<BoundedCount>(found);
  EXPECT_EQ(bounded.blocks.size(), 1U);
  EXPECT_LE(bounded.bounds.log10_lower, bounded.bounds.log10_upper);
}

TEST(CountOrBounds, WhatHasNoBoundsIsRefused) {
  Random random(5);
  Pieces pieces(WeightKind::integer, random);
  pieces.add_complete(3, true);
  Graph negative = pieces.graph();
  std::get<std::vector<std::int64_t>>(negative.values)[0] = -1;
  EXPECT_THROW(count_or_bounds(in_memory(negative), {}), UnableError);
  Graph complex = pieces.graph();
  complex.weight_kind = WeightKind::complex;
  complex.values = std::vector<ComplexRational>(complex.edges.size(), ComplexRational{1, 1});
  EXPECT_THROW(count_or_bounds(in_memory(complex), {}), UnableError);
  ReadResult exact = in_memory(complex);
  exact.info.exact = true;
  EXPECT_THROW(count_or_bounds(std::move(exact), {}), UnableError);
  ReadOptions monomers;
  monomers.monomers = "1";
  EXPECT_THROW(count_or_bounds(Source::from_argument("lattice:square:2x2"), monomers, {}), UnableError);
}

}  // namespace
}  // namespace countpm::count_or_bounds_test
