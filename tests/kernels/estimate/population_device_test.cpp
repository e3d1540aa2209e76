// Populations on a GPU, its very steps run on the CPU: bit for bit what the CPU's walks draw.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "graph/errors.hpp"
#include "kernels/estimate/samples/interval.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "tests/kernels/estimate/estimate_device_testing.hpp"
#include "tests/kernels/oracle.hpp"
#include "tests/repeats.hpp"

namespace countpm::population_device_test {
namespace {

using testing::diagonal_and_more;
using testing::expect_same;
const StopSignal never;

SamplerOptions members(std::uint32_t count) {
  SamplerOptions options;
  options.kind = SamplerKind::population;
  options.population = count;
  return options;
}

/// The square board of 2 side x 2 side fields: white ones are rows, black ones columns.
AnyBlock board(Index side) {
  const auto place = [side](Index i, Index odd) {
    const Index y = i / side;
    return std::pair<Index, Index>(2 * (i % side) + (y + odd) % 2, y);
  };
  return oracle::pattern_block(2 * side * side, [&](Index i, Index j) {
    const auto [x, y] = place(i, 0);
    const auto [u, v] = place(j, 1);
    return (x == u && (y + 1 == v || v + 1 == y)) || (y == v && (x + 1 == u || u + 1 == x));
  });
}

// Rows of one entry up to many, blocks of few threads and of many, states of one word.
TEST(PopulationDevice, SmallBlocksOfEverySize) {
  for (const Index n : {1U, 2U, 3U, 7U, 12U, 20U, 40U}) {
    for (const double degree : {0.5, 2.0, 0.5 * n}) {
      const AnyBlock block = diagonal_and_more<std::int64_t>(n, n, degree, n % 2 == 0 ? 1 : 1000000);
      for (const std::uint32_t count : {1U, 2U, 33U}) expect_same(block, members(count), 4);
    }
    expect_same(diagonal_and_more<mpq_class>(n + 1, n, 3, 1000), members(5), 3);
  }
}

TEST(PopulationDevice, ManyStates) {
  if (testing::sanitized) return;
  expect_same(board(4), members(500), 2);
  expect_same(board(6), members(600), 2);
  expect_same(diagonal_and_more<std::int64_t>(3, 25, 12, 9), members(700), 2);
}

// Of two words and of four, and rows with more equal children than are added at a time.
TEST(PopulationDevice, SmallWideStates) {
  for (const Index n : {70U, 128U, 129U, 200U, 256U}) {
    if (testing::sanitized && n > 129) break;
    expect_same(oracle::pattern_block(n, [](Index, Index) { return true; }), members(3), 2);
    expect_same(diagonal_and_more<std::int64_t>(n, n, 6, 5), members(20), 2);
  }
}

// The table of children in the device's memory, as where a block's shared memory is small.
TEST(PopulationDevice, SmallSharedMemory) {
  const AnyBlock block = board(4);
  const BlockSampler sampler(block, members(300), 7, 1);
  const SampleMoments expected = sampler.run(0, 6, never);
  for (const std::uint64_t bytes : {std::uint64_t{16} << 10, std::uint64_t{227} << 10}) {
    GpuInfo gpu = emulated_gpu(0);
    gpu.shared_bytes = bytes;
    testing::expect_equal(sampler.on_device(gpu)->run(0, 6, never), expected);
  }
}

// A lattice whose samples take long enough that a guess is fitted: of one word, and beyond a block's near
// ones.
TEST(PopulationDevice, FittedGuess) {
  if (testing::sanitized) return;
  const Index side = 6;
  const auto place = [](Index i, Index odd) {
    const Index y = i / (side / 2) % side;
    const Index z = i / (side / 2) / side;
    return std::array<Index, 3>{2 * (i % (side / 2)) + (y + z + odd) % 2, y, z};
  };
  const AnyBlock cubic = oracle::pattern_block(side * side * side / 2, [&](Index i, Index j) {
    const auto a = place(i, 0);
    const auto b = place(j, 1);
    Index apart = 0;
    for (unsigned k = 0; k < 3; ++k) apart += a[k] < b[k] ? b[k] - a[k] : a[k] - b[k];
    return apart == 1;
  });
  SamplerOptions options;
  options.kind = SamplerKind::population;
  const BlockSampler sampler(cubic, options, 7, 1);
  EXPECT_NE(sampler.plan().find("fitted guess"), std::string::npos) << sampler.plan();
  testing::expect_equal(sampler.on_device(emulated_gpu(0))->run(0, 2, never), sampler.run(0, 2, never));
}

TEST(PopulationDevice, SmallDeadEnds) {
  const AnyBlock none = oracle::pattern_block(30, [](Index i, Index j) { return i < 16 ? j < 15 : true; });
  expect_same(none, members(4), 10);
  // Some populations of few states die.
  expect_same(diagonal_and_more<std::int64_t>(8, 60, 2, 1), members(2), 40);
}

// The 8 x 8 board, whose 12,988,816 matchings need 70 states.
TEST(PopulationDevice, UnbiasedAndExactWithRoomForEveryState) {
  const AnyBlock eight = board(4);
  const std::uint64_t samples = testing::repeats(std::uint64_t{3000});
  const auto mean = [&](std::uint32_t count, std::uint64_t number) {
    const BlockSampler sampler(eight, members(count), 3, 0);
    return sampled_mean(sampler.on_device(emulated_gpu(0))->run(0, number, never));
  };
  for (const std::uint32_t count : {2U, 20U}) {
    const SampledMean found = mean(count, samples);
    EXPECT_GT(found.variance, 0);
    EXPECT_NEAR(found.log_mean, std::log(12988816.0), 4.5 * std::sqrt(found.variance)) << count;
  }
  EXPECT_NEAR(mean(70, 2).log_mean, std::log(12988816.0), 1e-12);
}

TEST(PopulationDevice, TooLittleMemoryIsSaid) {
  GpuInfo gpu = emulated_gpu(0);
  gpu.memory_bytes = 1 << 16;
  EXPECT_THROW(BlockSampler(board(4), members(3000), 1, 0).on_device(gpu), UnableError);
}

TEST(PopulationDevice, WhatHasNoFormSaysSo) {
  const AnyBlock wide = oracle::pattern_block(257, [](Index, Index) { return true; });
  EXPECT_NE(BlockSampler(wide, members(2), 1, 0).device_obstacle(), "");
  EXPECT_EQ(BlockSampler(board(4), members(1 << 20), 1, 0).device_obstacle(), "");
}

// A lattice of which boundary would be chosen for the CPU.
TEST(PopulationDevice, WhatIsChosenForAGpuIsWhatOneCanDraw) {
  SamplerOptions options;
  const BlockSampler on_cpu(board(8), options, 1, 0);
  EXPECT_NE(on_cpu.device_obstacle(), "");
  options.for_gpu = true;
  const BlockSampler sampler(board(8), options, 1, 0);
  EXPECT_EQ(sampler.device_obstacle(), "");
  testing::expect_equal(sampler.on_device(emulated_gpu(0))->run(0, 1, never), sampler.run(0, 1, never));
  // What is asked for stays, whatever a GPU can do.
  options.strata = 2;
  EXPECT_NE(BlockSampler(board(8), options, 1, 0).device_obstacle(), "");
}

TEST(PopulationDevice, AStopIsHeard) {
  StopSignal stop;
  stop.request();
  EXPECT_THROW(BlockSampler(board(4), members(20), 1, 0).on_device(emulated_gpu(0))->run(0, 4, stop),
               Stopped);
}

}  // namespace
}  // namespace countpm::population_device_test
