// Samples of graphs with odd cycles and of vertices that may stay alone, against the definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "graph/errors.hpp"
#include "kernels/estimate/boundary/choose.hpp"
#include "kernels/estimate/boundary/small_matrices.hpp"
#include "kernels/estimate/samples/graph_sampler.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "kernels/estimate/walks/pilot_spread.hpp"
#include "kernels/estimate/walks/walk_random.hpp"
#include "tests/kernels/oracle.hpp"
#include "tests/repeats.hpp"

namespace countpm::graph_sampler_test {
namespace {

using testing::repeats;

const StopSignal never;

/// The sum over all matchings: the least vertex stays alone or takes a partner.
mpq_class loop_hafnian(const oracle::Table& a, std::uint64_t left) {
  if (left == 0) return 1;
  const auto v = static_cast<std::size_t>(__builtin_ctzll(left));
  const std::uint64_t others = left & (left - 1);
  mpq_class sum = a[v][v].re == 0 ? mpq_class(0) : mpq_class(a[v][v].re * loop_hafnian(a, others));
  for (std::size_t w = v + 1; w < a.size(); ++w) {
    const std::uint64_t bit = std::uint64_t{1} << w;
    if ((others & bit) != 0 && a[v][w].re != 0) sum += a[v][w].re * loop_hafnian(a, others & ~bit);
  }
  return sum;
}
mpq_class loop_hafnian(const AnyBlock& block) {
  const oracle::Table table = oracle::table(block);
  return loop_hafnian(table, (std::uint64_t{1} << table.size()) - 1);
}

template <class Value>
Block<Value> random_graph(oracle::Random& random, Index n, double density, double loops, std::int64_t most) {
  std::vector<std::vector<Value>> weight(n, std::vector<Value>(n));
  for (Index i = 0; i < n; ++i) {
    weight[i][i] = oracle::random_value<Value>(random, loops, 1, most);
    for (Index j = 0; j < i; ++j)
      weight[i][j] = weight[j][i] = oracle::random_value<Value>(random, density, 1, most);
  }
  Block<Value> block = oracle::make_block<Value>(n, n, [&](Index i, Index j) { return weight[i][j]; });
  block.general = true;
  block.monomers = loops > 0;
  return block;
}

/// rows x columns vertices, joined to the right, down, and along one diagonal.
Block<std::int64_t> triangular(Index rows, Index columns, std::int64_t alone) {
  Block<std::int64_t> block =
      oracle::make_block<std::int64_t>(rows * columns, rows * columns, [&](Index a, Index b) -> std::int64_t {
        if (a == b) return alone;
        const Index low = std::min(a, b);
        const Index high = std::max(a, b);
        const Index down = high / columns - low / columns;
        const Index right = high % columns - low % columns;  // wraps round where it is to the left
        return (down == 0 && right == 1) || (down == 1 && (right == 0 || right == 1)) ? 1 : 0;
      });
  block.general = true;
  block.monomers = alone != 0;
  return block;
}

SamplerOptions by(SamplerKind kind, std::uint32_t strata = 1) {
  SamplerOptions options;
  options.kind = kind;
  options.strata = strata;
  return options;
}

/// The mean within 4.5 standard errors of the exact value; exactly 0 where that is 0.
void expect_mean(const AnyBlock& block, const SamplerOptions& options, std::uint64_t seed, double exact) {
  constexpr std::uint64_t samples = 400;
  const SampleMoments moments = BlockSampler(block, options, seed, 0).run(0, samples, never);
  if (exact == 0) {
    EXPECT_EQ(moments.nonzero, 0U) << oracle::show(block);
    return;
  }
  ASSERT_GT(moments.nonzero, 0U) << seed << '\n' << oracle::show(block);
  const double n = samples;
  const double mean = std::exp2(moments.sum.log2()) / n;
  const double variance = std::exp2(moments.squares.log2()) / n - mean * mean;
  const double error = std::sqrt(std::max(variance, 0.0) / n);
  const double unseen = options.strata > 1 ? 4 * exact / n : 0;
  // All choices of a walk together may have 2^-14 that no sample shows.
  EXPECT_NEAR(mean, exact, 4.5 * error + unseen + 1e-4 * exact)
      << "strata " << *options.strata << " seed " << seed << '\n'
      << oracle::show(block);
}

TEST(GraphSamplers, UnbiasedOnRandomGraphs) {
  oracle::Random random(3);
  for (std::uint64_t round = 0; round < repeats<std::uint64_t>(90); ++round) {
    const auto n = static_cast<Index>(oracle::uniform(random, 2, 9));
    const double density = static_cast<double>(oracle::uniform(random, 2, 10)) / 10;
    const double loops = round % 3 == 0 ? 0 : round % 3 == 1 ? 0.4 : 1;
    AnyBlock block = random_graph<std::int64_t>(random, n, density, loops, round % 2 == 0 ? 1 : 9);
    if (round % 5 == 4) block = random_graph<mpq_class>(random, n, density, loops, 40);
    const double exact = loop_hafnian(block).get_d();
    for (const SamplerKind kind : {SamplerKind::boundary, SamplerKind::bethe}) {
      for (const std::uint32_t strata : {1U, 5U}) expect_mean(block, by(kind, strata), round + 1, exact);
    }
    expect_mean(block, by(SamplerKind::annealed), round + 1, exact);
  }
}

// Small bonds lose most of the states: what is cut bears on the variance alone.
TEST(GraphSamplers, UnbiasedWhateverTheBond) {
  const AnyBlock block = triangular(4, 4, 0);
  const double exact = loop_hafnian(block).get_d();
  const SampleGraph graph = make_sample_graph(block);
  const std::vector<BoundarySweep> sweeps = make_sweeps(graph, 16);
  ASSERT_FALSE(sweeps.empty());
  EXPECT_TRUE(make_sweeps(graph, 3).empty());
  for (const BoundarySweep& sweep : sweeps) {
    for (const std::uint32_t bond : {1U, 2U, 3U, 16U}) {
      const auto states = BoundaryStates::make(graph, RestGraph(graph), sweep, bond, std::uint64_t{1} << 30);
      ASSERT_TRUE(states);
      EXPECT_LE(states->bond(), bond);
      BoundaryWalks walk(graph, sweep, *states);
      constexpr int samples = 4000;
      double sum = 0;
      double squares = 0;
      for (std::uint64_t k = 0; k < samples; ++k) {
        WalkRandom random(7, bond, k);
        const double value = std::exp2(walk.draw(random, never).log2());
        sum += value;
        squares += value * value;
      }
      const double mean = sum / samples;
      const double variance = squares / samples - mean * mean;
      EXPECT_NEAR(mean, exact, 4.5 * std::sqrt(variance / samples) + 1e-4 * exact) << bond;
      // All states: every sample is the count, but for roundings to floats.
      if (bond == 16) {
        EXPECT_LT(std::sqrt(variance), 1e-4 * exact);
        EXPECT_LT(states->total_lost(), 1e-9);
      }
    }
  }
}

TEST(GraphSamplers, SteadyOnATriangularLattice) {
  // By the method planar, and for matchings by frontier.
  const std::pair<std::int64_t, double> known[] = {{0, 15.26771140}, {1, 31.66844031}};
  for (const auto& [alone, log10] : known) {
    const BlockSampler sampler(triangular(10, 10, alone), {}, 5, 0);
    EXPECT_EQ(sampler.kind(), SamplerKind::boundary);
    const SampleMoments moments = sampler.run(0, 100, never);
    EXPECT_EQ(moments.nonzero, 100U);
    EXPECT_NEAR((moments.sum.log2() - std::log2(100)) * std::log10(2.0), log10, 0.004) << alone;
  }
}

TEST(GraphSamplers, BipartiteBlocksWhereNothingIsSteadier) {
  // Half of the squares of an 8 x 8 board as rows, the others as columns.
  const AnyBlock board = oracle::pattern_block(32, [](Index row, Index column) {
    const int r = static_cast<int>(row / 4);
    const int c = static_cast<int>(2 * (row % 4)) + r % 2;
    const int other_r = static_cast<int>(column / 4);
    const int other_c = static_cast<int>(2 * (column % 4)) + 1 - other_r % 2;
    return std::abs(r - other_r) + std::abs(c - other_c) == 1;
  });
  EXPECT_EQ(make_steadier_sampler(board, 1e30, 0, 1, 0).core, nullptr);
  const SteadierSampler steadier = make_steadier_sampler(board, 1e30, 1e30, 1, 0);
  EXPECT_EQ(make_steadier_sampler(board, steadier.work_to_goal / 2, 1e30, 1, 0).core, nullptr);
  const auto& sampler = steadier.core;
  ASSERT_NE(sampler, nullptr);
  EXPECT_LT(steadier.work_to_goal, 1e9);
  EXPECT_EQ(sampler->kind(), SamplerKind::boundary);
  EXPECT_NEAR(std::exp2(sampler->run(0, 100, never).sum.log2()) / 100, 12988816, 12988816 * 0.02);
}

// By numbers that are given: no clock has a part in the choice.
TEST(SamplerChoice, ByWhatPilotsSayOfTheTime) {
  EXPECT_NEAR(work_to_goal(0, 2, 1), 2 * 3 / std::log(1.01), 1e-9) << "what walks may not have met";
  EXPECT_EQ(work_to_goal(0, 2, 1000), 2 * 64);
  EXPECT_EQ(work_to_goal(std::numeric_limits<double>::infinity(), 2, 1),
            std::numeric_limits<double>::infinity());
  const double d = std::sqrt(std::expm1(0.25));
  EXPECT_NEAR(work_to_goal(0.5, 1, 1e9), std::pow(1.96 * d / std::log(1.01), 2), 2);
  // A square lattice of 20 x 20: steady populations of 2,048, and matrix-product states in a fifth of the
  // time. One of 6 x 6 x 6 by larger populations, as long.
  const double population = work_to_goal(0.0769, 11.4e6, 2048);
  const double boundary = work_to_goal(0.1017, 85e3, 1);
  EXPECT_LT(5 * boundary, population);
  EXPECT_LT(boundary, most_work_of_trial(population));
  EXPECT_EQ(closer_pilots(100, 1e9), few_pilots);
  EXPECT_EQ(closer_pilots(20 * 30, 1), 30);
  EXPECT_EQ(closer_pilots(1e9, 1), many_pilots);
  EXPECT_TRUE(about_as_fast(3, 10));
  EXPECT_FALSE(about_as_fast(1, 10));
  EXPECT_NEAR(work_to_goal(0.358, 755e3, 128) / work_to_goal(0.0501, 48.8e6, 7766), 1, 0.4);
}

/// The cells of a box, those with an even sum of coordinates as rows.
AnyBlock box(int a, int b, int c) {
  std::vector<std::array<int, 3>> even;
  std::vector<std::array<int, 3>> odd;
  for (int x = 0; x < a; ++x) {
    for (int y = 0; y < b; ++y) {
      for (int z = 0; z < c; ++z) ((x + y + z) % 2 == 0 ? even : odd).push_back({x, y, z});
    }
  }
  return oracle::pattern_block(static_cast<Index>(even.size()), [&](Index i, Index j) {
    int apart = 0;
    for (std::size_t k = 0; k < 3; ++k) apart += std::abs(even[i][k] - odd[j][k]);
    return apart == 1;
  });
}

/// How long samples of a sampler take, by its own figure for one, until an interval is narrow.
double nominal_time(const BlockSampler& sampler) {
  constexpr std::uint64_t samples = 120;
  const SampleMoments moments = sampler.run(0, samples, never);
  const double mean = std::exp2(moments.sum.log2()) / samples;
  const double variance = std::exp2(moments.squares.log2()) / samples - mean * mean;
  return work_to_goal(std::sqrt(std::log1p(std::max(variance, 0.0) / (mean * mean))), sampler.work(),
                      sampler.walks());
}

TEST(SamplerChoice, HardlyAnyOtherTakesLess) {
  EXPECT_EQ(BlockSampler(box(1, 16, 16), {}, 1, 0).kind(), SamplerKind::boundary);
  for (const AnyBlock& block : {box(1, 16, 16), box(4, 4, 4)}) {
    const BlockSampler chosen(block, {}, 1, 0);
    const double time = nominal_time(chosen);
    for (const SamplerKind other : {SamplerKind::bethe, SamplerKind::population, SamplerKind::boundary})
      EXPECT_LT(time, 1.5 * nominal_time(BlockSampler(block, by(other), 1, 0))) << static_cast<int>(other);
  }
}

TEST(GraphSamplers, TheSameInAnyBatches) {
  for (const SamplerKind kind : {SamplerKind::boundary, SamplerKind::bethe, SamplerKind::annealed}) {
    const BlockSampler sampler(triangular(5, 6, 2), by(kind), 9, 1);
    const SampleMoments whole = sampler.run(0, 40, never);
    SampleMoments parts = sampler.run(17, 23, never);
    parts.join(BlockSampler(triangular(5, 6, 2), by(kind), 9, 1).run(0, 17, never));
    EXPECT_EQ(whole.sum.log2(), parts.sum.log2());
    EXPECT_EQ(whole.cubes.log2(), parts.cubes.log2());
    EXPECT_EQ(whole.histogram, parts.histogram);
  }
}

// Walks of a sample come one after the other, those of several samples go together: as each would by itself.
TEST(GraphSamplers, StrataAndWeightsAreTheSameWhateverGoesTogether) {
  const AnyBlock block = triangular(6, 7, 2);
  for (const SamplerKind kind : {SamplerKind::boundary, SamplerKind::bethe}) {
    for (const std::uint32_t strata : {1U, 3U, 8U}) {
      SamplerOptions options = by(kind);
      options.strata = strata;
      const BlockSampler sampler(block, options, 7, 1);
      constexpr std::uint64_t first = 5;
      constexpr std::uint64_t samples = 40;
      std::vector<double> together;
      SampleMoments sum;
      sampler.run_each(first, samples, never, [&](const SampleMoments& one) {
        EXPECT_EQ(one.samples, 1U);
        together.push_back(one.sum.log2());
        sum.join(one);
      });
      std::vector<double> singly;
      for (std::uint64_t k = first; k < first + samples; ++k)
        singly.push_back(sampler.run(k, 1, never).sum.log2());
      EXPECT_EQ(together, singly) << strata;
      const SampleMoments whole = sampler.run(first, samples, never);
      EXPECT_EQ(whole.sum.log2(), sum.sum.log2());
      EXPECT_EQ(whole.cubes.log2(), sum.cubes.log2());
      EXPECT_EQ(whole.histogram, sum.histogram);
      EXPECT_NE(together[0], together[1]);
    }
  }
}

// Walks that go together have one another's matrices, and nothing else: alone, together and where the taker
// ends them.
TEST(GraphSamplers, MatchingsAreTheSameWhateverGoesTogether) {
  using Sample = std::pair<double, VertexPairs>;
  constexpr std::uint64_t samples = 40;
  const AnyBlock block = triangular(6, 7, 1);
  for (const SamplerKind kind : {SamplerKind::boundary, SamplerKind::bethe}) {
    const auto sampler = make_matching_sampler(block, kind, 5, 1);
    const auto drawn = [&](std::uint64_t first, std::uint64_t asked, std::uint64_t wanted) {
      std::vector<Sample> result;
      sampler->draw(first, asked, never, [&](double ln, const VertexPairs& matching) {
        result.emplace_back(ln, matching);
        return result.size() < wanted;
      });
      return result;
    };
    const std::vector<Sample> together = drawn(3, samples, samples);
    ASSERT_EQ(together.size(), samples);
    EXPECT_EQ(drawn(3, 1000, samples), together);
    std::vector<Sample> singly;
    for (std::uint64_t k = 0; k < samples; ++k) singly.push_back(drawn(3 + k, 1, 1).at(0));
    EXPECT_EQ(singly, together);
    EXPECT_NE(singly[0].second, singly[1].second);
  }
}

TEST(GraphSamplers, WideGraphsGoByBeliefPropagation) {
  // A random graph of degree 3 or so has no narrow boundary.
  constexpr Index n = 1500;
  oracle::Random random(4);
  std::vector<std::vector<char>> joined(n, std::vector<char>(n, 0));
  for (int round = 0; round < 3; ++round) {
    std::vector<Index> order(n);
    for (Index v = 0; v < n; ++v) order[v] = v;
    std::shuffle(order.begin(), order.end(), random);
    for (Index k = 0; k + 1 < n; k += 2) joined[order[k]][order[k + 1]] = joined[order[k + 1]][order[k]] = 1;
  }
  Block<std::int64_t> block =
      oracle::pattern_block(n, [&](Index i, Index j) { return i == j || joined[i][j] != 0; });
  block.general = block.monomers = true;
  const BlockSampler sampler(block, {}, 1, 0);
  EXPECT_EQ(sampler.kind(), SamplerKind::bethe);
  EXPECT_EQ(sampler.run(0, 2, never).nonzero, 2U);
}

TEST(GraphSamplers, WhatIsRefused) {
  const AnyBlock block = triangular(4, 4, 0);
  for (const SamplerInfo& info : samplers()) {
    if (draws_any_graph(info.kind)) continue;
    EXPECT_THROW(BlockSampler(block, by(info.kind), 1, 0), UnableError) << info.name;
  }
  SamplerOptions tail;
  tail.tail_rows = 3;
  EXPECT_THROW(BlockSampler(block, tail, 1, 0), UnableError);
  Block<std::int64_t> negative = triangular(2, 2, 0);
  negative.matrix.value.front() = negative.matrix.value[2] = -1;
  EXPECT_THROW(BlockSampler(negative, {}, 1, 0), UnableError);
  oracle::Random random(1);
  Block<mpq_class> far = random_graph<mpq_class>(random, 3, 1, 0, 1);
  mpz_class huge;
  mpz_ui_pow_ui(huge.get_mpz_t(), 2, 400);
  far.matrix.value[0] = far.matrix.value[2] = huge;
  far.matrix.value[1] = far.matrix.value[4] = 1;
  EXPECT_THROW(BlockSampler(far, {}, 1, 0), UnableError);
  const BlockSampler boundary(block, by(SamplerKind::boundary), 1, 0);
  EXPECT_NE(boundary.device_obstacle().find("no form for GPUs"), std::string::npos);
}

TEST(SmallMatrices, FactorsMultiplyToTheMatrix) {
  oracle::Random random(6);
  for (int round = 0; round < 30; ++round) {
    const auto rows = static_cast<std::size_t>(oracle::uniform(random, 1, 9));
    const auto columns = static_cast<std::size_t>(oracle::uniform(random, 1, 9));
    const auto rank = static_cast<std::size_t>(oracle::uniform(random, 0, 4));
    const auto filled = [&random](std::size_t r, std::size_t c) {
      RealMatrix matrix(r, c);
      for (double& x : matrix.value) x = static_cast<double>(oracle::uniform(random, -9, 9));
      return matrix;
    };
    const RealMatrix matrix = product(filled(rows, rank), filled(rank, columns));
    for (const bool orthonormal : {true, false}) {
      const MatrixFactors factors =
          orthonormal ? orthonormal_rows(matrix) : nearest_of_rank(matrix, 9, 1e-12);
      EXPECT_LE(factors.right.rows, std::max<std::size_t>(1, std::min({rows, columns, rank})));
      const RealMatrix again = product(factors.left, factors.right);
      for (std::size_t k = 0; k < matrix.value.size(); ++k)
        EXPECT_NEAR(again.value[k], matrix.value[k], 1e-9);
      const RealMatrix gram = product(factors.right, transposed(factors.right));
      for (std::size_t i = 0; i < gram.rows; ++i) {
        for (std::size_t j = 0; j < gram.rows; ++j) EXPECT_NEAR(gram.row(i)[j], i == j ? 1 : 0, 1e-9);
      }
    }
  }
  // Singular values 5, 3 and 1: without the last one.
  RealMatrix diagonal(3, 4);
  diagonal.row(0)[2] = 3;
  diagonal.row(1)[0] = 5;
  diagonal.row(2)[3] = 1;
  const MatrixFactors two = nearest_of_rank(diagonal, 2, 0);
  const RealMatrix near = product(two.left, two.right);
  EXPECT_NEAR(near.row(0)[2], 3, 1e-12);
  EXPECT_NEAR(near.row(1)[0], 5, 1e-12);
  EXPECT_NEAR(near.row(2)[3], 0, 1e-12);
}

}  // namespace
}  // namespace countpm::graph_sampler_test
