// Exact tails and forks on a GPU, its very steps run on the CPU: bit for bit what the CPU's samplers draw.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "kernels/estimate/bethe/walk.hpp"
#include "kernels/estimate/samples/interval.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "kernels/estimate/walks/walk.hpp"
#include "kernels/estimate/walks/walk_random.hpp"
#include "tests/kernels/estimate/estimate_device_testing.hpp"
#include "tests/kernels/oracle.hpp"
#include "tests/repeats.hpp"

namespace countpm::tail_device_test {
namespace {

using testing::diagonal_and_more;
using testing::expect_same;
const StopSignal never;

constexpr SamplerKind all_walks[] = {SamplerKind::rasmussen, SamplerKind::rasmussen_plus,
                                     SamplerKind::scaling, SamplerKind::scaling_plus, SamplerKind::bethe};

SamplerOptions with_tail(SamplerKind kind, std::optional<std::uint32_t> rows, bool prune = false) {
  SamplerOptions options;
  options.kind = kind;
  options.tail_rows = rows;
  if (prune) options.prune = true;
  return options;
}

TEST(TailDevice, SmallTailsOfEverySize) {
  for (const Index n : {1U, 2U, 7U, 14U, 31U, 33U, 64U, 66U}) {
    if (testing::sanitized && (n == 31 || n == 64)) continue;
    for (const double degree : {1.5, 3.0}) {
      const AnyBlock block = diagonal_and_more<std::int64_t>(n, n, degree, 1);
      for (const SamplerKind kind : all_walks) {
        for (const std::uint32_t rows : {1U, 6U, 20U}) {
          if (!testing::sanitized || rows != 6) expect_same(block, with_tail(kind, rows), 3);
        }
      }
    }
  }
}

TEST(TailDevice, DefaultsOfEveryWalk) {
  for (const Index n : {12U, 40U, 100U, 140U}) {
    if (testing::sanitized && n > 40) break;
    const AnyBlock block = diagonal_and_more<std::int64_t>(n + 1, n, 3, 1);
    for (const SamplerKind kind : all_walks) expect_same(block, with_tail(kind, {}), 2);
  }
}

TEST(TailDevice, SmallTailsOfPrunedWalks) {
  for (const Index n : {5U, 33U, 70U, 130U}) {
    const AnyBlock block = diagonal_and_more<std::int64_t>(n, n, 2, n == 70 ? 9 : 1);
    for (const SamplerKind kind : all_walks) {
      if (kind != SamplerKind::bethe) expect_same(block, with_tail(kind, 12, true), 2);
    }
  }
}

TEST(TailDevice, SmallTailsOfWeights) {
  for (const Index n : {1U, 9U, 33U}) {
    for (const SamplerKind kind : all_walks) {
      expect_same(diagonal_and_more<std::int64_t>(n, n, 3, 1000000), with_tail(kind, 9), 3);
      expect_same(diagonal_and_more<mpq_class>(n + 1, n, 0.6 * n, 7), with_tail(kind, 7), 2);
    }
  }
}

// Where a tail takes too many states, fewer rows are tried: dense blocks, of which all rows would be one.
TEST(TailDevice, SmallTailsThatAreTooDear) {
  const AnyBlock block = oracle::pattern_block(24, [](Index i, Index j) { return (i + j) % 5 != 0; });
  for (const SamplerKind kind : {SamplerKind::rasmussen_plus, SamplerKind::scaling_plus, SamplerKind::bethe})
    expect_same(block, with_tail(kind, 64), 1, {emulated_gpu(0)});
}

TEST(TailDevice, SmallTailsWithoutAMatching) {
  const AnyBlock none = oracle::pattern_block(9, [](Index i, Index j) { return i < 6 ? j < 5 : true; });
  const AnyBlock reversed = oracle::pattern_block(12, [](Index i, Index j) { return j <= 11 - i; });
  for (const SamplerKind kind : all_walks) {
    expect_same(reversed, with_tail(kind, 5), 30);
    if (kind != SamplerKind::bethe) expect_same(none, with_tail(kind, 5), 30);
  }
}

TEST(TailDevice, WalksThatFork) {
  const Index n = testing::sanitized ? 260 : 700;
  const AnyBlock block = diagonal_and_more<std::int64_t>(3, n, 3, 1);
  expect_same(block, with_tail(SamplerKind::bethe, 0), 3);
  expect_same(block, with_tail(SamplerKind::bethe, {}), 2, {emulated_gpu(0)});
  expect_same(diagonal_and_more<std::int64_t>(4, 300, 4, 9), with_tail(SamplerKind::bethe, 30), 2);
}

/// About half of the columns i - 2 .. i + 3 of every row, so that states of six columns count it.
AnyBlock band(std::uint64_t seed, Index n) {
  oracle::Random random(seed);
  return oracle::make_block<std::int64_t>(n, n, [&](Index i, Index j) {
    if (j + 2 < i || j > i + 3) return std::int64_t{0};
    return oracle::uniform(random, 0, 1) == 0 && i != j ? std::int64_t{0} : oracle::uniform(random, 1, 3);
  });
}

double log_count(const AnyBlock& block) {
  const auto& matrix = std::get<Block<std::int64_t>>(block).matrix;
  constexpr unsigned window = 6;
  // Bit b after row i: column i - 2 + b is used.
  std::vector<double> ways(std::size_t{1} << window, 0);
  ways[3] = 1;  // before the first row: columns -2 and -1
  double log_scale = 0;
  for (Index i = 0; i < matrix.rows; ++i) {
    std::vector<double> next(ways.size(), 0);
    double most = 0;
    for (std::size_t used = 0; used < ways.size(); ++used) {
      if (ways[used] == 0) continue;
      for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::size_t{1}]; ++k) {
        const std::size_t bit = std::size_t{1} << (matrix.column[k] + 2 - i);
        if ((used & bit) != 0) continue;
        const std::size_t now = used | bit;
        if ((now & 1) == 0) continue;  // no later row has that column
        next[now >> 1] += ways[used] * static_cast<double>(matrix.value[k]);
        most = std::max(most, next[now >> 1]);
      }
    }
    for (double& one : next) one /= most;
    log_scale += std::log(most);
    ways = next;
  }
  return log_scale + std::log(ways[3]);
}

// Walks that fork at 75 and 18 of 300 rows: the mean is the count.
TEST(BetheForks, SamplesHaveTheCountAsTheirMean) {
  for (const std::uint64_t seed : {1U, 2U}) {
    const AnyBlock block = band(seed, 300);
    const BlockSampler sampler(block, with_tail(SamplerKind::bethe, 0), seed, 0);
    const SampledMean mean =
        sampled_mean(sampler.run(0, static_cast<std::uint64_t>(testing::repeats(1500)), never));
    EXPECT_NEAR(mean.log_mean, log_count(block), 4 * std::sqrt(mean.variance)) << seed;
  }
}

// What a branch begins with is what there was at the fork.
TEST(BetheForks, BringBackWhatWasLeft) {
  for (const double degree : {3.0, 14.0}) {
    const SampleMatrix matrix = make_sample_matrix(diagonal_and_more<std::int64_t>(8, 400, degree, 5));
    const BetheStart start(matrix);
    BetheMemory memory(start.layout());
    memory.copy_image(start.memory());
    const BetheGraph graph = memory.graph();
    ASSERT_EQ(graph.forks(), 2U);
    LoneWarp warp;
    const BetheSteps<LoneWarp> steps(warp, graph, start.settings());
    const BetheForks<LoneWarp> forks(warp, graph, start.settings());
    WalkRandom random(1, 0, 0);
    NoTail tail;
    BetheBranch branch;
    for (;;) {
      forks.look(branch);
      if (branch.open != 0) break;
      ASSERT_TRUE(steps.step(random, tail, branch.value));
    }
    EXPECT_LE(graph.left(), 100U);
    BetheMemory then = memory;
    const BetheGraph before = then.graph();
    const Scaled value = branch.value;
    do {
      do {
        forks.look(branch);
      } while (steps.step(random, tail, branch.value));
      ASSERT_TRUE(forks.go_on(branch));
    } while (branch.open != 0);
    EXPECT_EQ(branch.value.mantissa, value.mantissa);
    ASSERT_EQ(graph.left(), before.left());
    for (BetheGraph::Vertex v = 0; v < 2 * graph.size(); ++v) {
      ASSERT_EQ(graph.is_left(v), before.is_left(v)) << v;
      if (!graph.is_left(v)) continue;
      ASSERT_EQ(graph.record(v).due, before.record(v).due);
      ASSERT_EQ(graph.record(v).level, before.record(v).level);
      ASSERT_EQ(graph.record(v).next, before.record(v).next);
      ASSERT_EQ(graph.mate(v).mate, before.mate(v).mate);
      ASSERT_EQ(graph.degree(v), before.degree(v));
      for (std::uint32_t k = 0; k < graph.degree(v); ++k) {
        const BetheGraph::EdgeNumber e = graph.edges(v)[k];
        ASSERT_EQ(e, before.edges(v)[k]);
        ASSERT_EQ(graph.place(e, graph.side(v)), k);
        for (unsigned s = 0; s < 2; ++s) {
          ASSERT_EQ(graph.edge(e).end[s], before.edge(e).end[s]);
          ASSERT_EQ(graph.edge(e).message[s], before.edge(e).message[s]);
        }
        ASSERT_EQ(graph.edge(e).weight, before.edge(e).weight);
      }
    }
    for (std::uint32_t d = 0; d <= graph.most_degree(); ++d)
      ASSERT_EQ(graph.first_of_degree(d), before.first_of_degree(d));
  }
}

}  // namespace
}  // namespace countpm::tail_device_test
