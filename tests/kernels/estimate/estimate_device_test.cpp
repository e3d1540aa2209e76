// Samples on a GPU, its very steps run on the CPU: bit for bit what the CPU's samplers draw.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "graph/errors.hpp"
#include "kernels/estimate/samples/gpu/moments.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "kernels/gpu/cpu_executor.hpp"
#include "tests/kernels/estimate/estimate_device_testing.hpp"
#include "tests/kernels/oracle.hpp"
#include "tests/repeats.hpp"

namespace countpm::estimate_device_test {
namespace {

using testing::diagonal_and_more;
using testing::expect_equal;
using testing::expect_same;
const StopSignal never;

/// No pruning, no tail.
SamplerOptions plain(SamplerKind kind) {
  SamplerOptions options;
  options.kind = kind;
  options.prune = false;
  options.tail_rows = 0;
  return options;
}
constexpr SamplerKind all_walks[] = {SamplerKind::rasmussen, SamplerKind::rasmussen_plus,
                                     SamplerKind::scaling, SamplerKind::scaling_plus};

TEST(EstimateDevice, SmallRasmussenOfEverySize) {
  for (const Index n : {1U, 2U, 31U, 32U, 33U, 63U, 64U, 65U, 127U, 128U}) {
    for (const double degree : {2.0, 0.8 * n}) {
      const AnyBlock block = diagonal_and_more<std::int64_t>(n, n, degree, 1);
      for (const SamplerKind kind : {SamplerKind::rasmussen, SamplerKind::rasmussen_plus})
        expect_same(block, plain(kind), 150);
    }
  }
}

TEST(EstimateDevice, SmallScalingOfEverySize) {
  for (const Index n : {1U, 2U, 5U, 31U, 32U, 33U, 40U, 63U, 64U, 65U}) {
    for (const double degree : {2.0, 0.8 * n}) {
      const AnyBlock block = diagonal_and_more<std::int64_t>(n + 100, n, degree, 1);
      for (const SamplerKind kind : {SamplerKind::scaling, SamplerKind::scaling_plus}) {
        SamplerOptions options = plain(kind);
        options.scale_steps = 2;
        expect_same(block, options, 3);
      }
    }
  }
}

TEST(EstimateDevice, ScalingNowAndThen) {
  for (const Index n : {20U, 45U, 100U}) {
    const AnyBlock block = diagonal_and_more<std::int64_t>(n, n, 4, n == 100 ? 9 : 1);
    for (const std::uint32_t interval : {3U, 7U, 1000U}) {
      for (const SamplerKind kind : {SamplerKind::scaling, SamplerKind::scaling_plus}) {
        SamplerOptions options = plain(kind);
        options.scale_interval = interval;
        options.scale_steps = interval == 3 ? 1 : 5;
        expect_same(block, options, 6);
      }
    }
  }
}

TEST(EstimateDevice, ListsOfEverySize) {
  for (const Index n : {63U, 64U, 65U, 127U, 128U, 129U, 300U}) {
    const AnyBlock block = diagonal_and_more<std::int64_t>(n, n, 5, 1);
    for (const SamplerKind kind : all_walks) {
      SamplerOptions options = plain(kind);
      options.scale_interval = n < 100 ? 1 : 10;
      expect_same(block, options, n < 300 ? 20 : 9);
    }
  }
}

TEST(EstimateDevice, SmallWeights) {
  for (const Index n : {1U, 7U, 33U, 66U}) {
    for (const SamplerKind kind : all_walks) {
      expect_same(diagonal_and_more<std::int64_t>(n, n, 3, 1000000), plain(kind), 8);
      expect_same(diagonal_and_more<mpq_class>(n + 1, n, 0.6 * n, 7), plain(kind), 4);
    }
  }
}

TEST(EstimateDevice, SmallBethe) {
  for (const Index n : {1U, 2U, 5U, 31U, 32U, 33U, 64U, 65U, 130U}) {
    if (testing::sanitized && n > 33) break;
    for (const double degree : {1.5, 3.0, 0.4 * n}) {
      expect_same(diagonal_and_more<std::int64_t>(n, n, degree, 1), plain(SamplerKind::bethe), 5);
      expect_same(diagonal_and_more<mpq_class>(n + 1, n, degree, 1000), plain(SamplerKind::bethe), 3);
    }
  }
}

// Several launches a sample, more samples than warps, and searches and lists beyond a warp's lanes.
TEST(EstimateDevice, LongBethe) {
  const Index sparse = testing::sanitized ? 500 : 1500;
  const Index dense = testing::sanitized ? 60 : 200;
  expect_same(diagonal_and_more<std::int64_t>(6, sparse, 3, 1), plain(SamplerKind::bethe), 4);
  expect_same(diagonal_and_more<std::int64_t>(7, dense, 40, 1), plain(SamplerKind::bethe), 5);
}

TEST(EstimateDevice, BetheWithoutAPerfectMatching) {
  const AnyBlock none = oracle::pattern_block(9, [](Index i, Index j) { return i < 6 ? j < 5 : true; });
  const BlockSampler sampler(none, plain(SamplerKind::bethe), 7, 1);
  EXPECT_NE(sampler.device_obstacle(), "");
  EXPECT_EQ(sampler.run(0, 3, never).nonzero, 0U);
}

// Beyond the rows whose least degrees are looked for one by one, and with walks that take several launches.
TEST(EstimateDevice, LongWalks) {
  const AnyBlock block = diagonal_and_more<std::int64_t>(5, 1100, 3, 2);
  for (const SamplerKind kind : {SamplerKind::rasmussen_plus, SamplerKind::scaling_plus}) {
    SamplerOptions options = plain(kind);
    options.scale_interval = 400;
    expect_same(block, options, 3);
  }
}

TEST(EstimateDevice, SmallDeadEndsAndZeroCounts) {
  // In order from the first row on most samples meet dead ends.
  const AnyBlock reversed = oracle::pattern_block(12, [](Index i, Index j) { return j <= 11 - i; });
  const AnyBlock none = oracle::pattern_block(9, [](Index i, Index j) { return i < 6 ? j < 5 : true; });
  for (const AnyBlock& block : {reversed, none}) {
    for (const SamplerKind kind : all_walks) expect_same(block, plain(kind), 100);
  }
}

SamplerOptions pruned(SamplerKind kind, std::uint32_t interval = 1, std::uint32_t steps = 2) {
  SamplerOptions options = plain(kind);
  options.prune = true;
  options.scale_interval = interval;
  options.scale_steps = steps;
  return options;
}

TEST(EstimateDevice, SmallPruningOfEverySize) {
  for (const Index n : {0U, 1U, 2U, 5U, 31U, 32U, 33U, 40U}) {
    for (const double degree : {1.5, 3.0, 0.8 * n}) {
      const AnyBlock block = diagonal_and_more<std::int64_t>(n + 200, n, degree, 1);
      for (const SamplerKind kind : all_walks) expect_same(block, pruned(kind), 12);
    }
  }
}

TEST(EstimateDevice, PruningOfEverySize) {
  for (const Index n : {63U, 64U, 65U, 96U, 97U, 127U, 128U}) {
    for (const double degree : {1.5, 3.0, 0.5 * n}) {
      const AnyBlock block = diagonal_and_more<std::int64_t>(n + 300, n, degree, 1);
      for (const SamplerKind kind : all_walks)
        expect_same(block, pruned(kind, 1 + n % 3, 1), n % 8 == 0 ? 9 : 3);
    }
  }
}

TEST(EstimateDevice, SmallPruningOfWeights) {
  for (const Index n : {1U, 2U, 30U, 33U, 64U, 70U}) {
    for (const SamplerKind kind : all_walks) {
      expect_same(diagonal_and_more<std::int64_t>(n, n, 2, 1000000), pruned(kind, 1 + n % 2), 6);
      expect_same(diagonal_and_more<mpq_class>(n + 1, n, 0.4 * n, 7), pruned(kind), 3);
    }
  }
}

// Beyond what goes into sets: lists, several launches a sample, rows by one lane and by many.
TEST(EstimateDevice, PruningOfLists) {
  for (const Index n : {129U, 200U, 257U}) {
    if (testing::sanitized && n != 129) break;
    for (const double degree : {1.2, 3.0, 0.3 * n}) {
      const AnyBlock block = diagonal_and_more<std::int64_t>(n + 400, n, degree, n == 200 ? 9 : 1);
      for (const SamplerKind kind : all_walks) expect_same(block, pruned(kind, 1 + n % 3, 1), 3);
    }
  }
  expect_same(diagonal_and_more<mpq_class>(3, 150, 4, 1000), pruned(SamplerKind::scaling_plus), 3);
}

TEST(EstimateDevice, SmallPruningOfLists) {
  const AnyBlock block = diagonal_and_more<std::int64_t>(2, 129, 2, 1);
  for (const SamplerKind kind : {SamplerKind::rasmussen_plus, SamplerKind::scaling_plus})
    expect_same(block, pruned(kind, 40, 1), 3);
}

// Every choice cuts what is left into many components, or into paths that are as long as can be.
TEST(EstimateDevice, SmallPruningOfLatticesAndCycles) {
  const auto lattice = [](Index i, Index j) {
    const Index side = 8;
    const int row = static_cast<int>(i / (side / 2)) - static_cast<int>(j / (side / 2));
    const int x = static_cast<int>(2 * (i % (side / 2)) + i / (side / 2) % 2);
    const int u = static_cast<int>(2 * (j % (side / 2)) + (j / (side / 2) + 1) % 2);
    return std::abs(row) + std::abs(x - u) == 1;
  };
  const auto cycle = [](Index i, Index j) { return j == i || j == (i + 1) % 90; };
  const auto long_cycle = [](Index i, Index j) { return j == i || j == (i + 1) % 150; };
  const auto triangle = [](Index i, Index j) { return j <= i + 1; };
  for (const SamplerKind kind : all_walks) {
    expect_same(oracle::pattern_block(32, lattice), pruned(kind), 60);
    expect_same(oracle::pattern_block(90, cycle), pruned(kind), 8);
    expect_same(oracle::pattern_block(48, triangle), pruned(kind), 20);
    expect_same(oracle::pattern_block(150, long_cycle), pruned(kind), 3);
    expect_same(oracle::pattern_block(130, triangle), pruned(kind), 3);
  }
}

TEST(EstimateDevice, SmallPruningLeavesNoDeadEnds) {
  const AnyBlock reversed = oracle::pattern_block(40, [](Index i, Index j) { return j <= 40 - i; });
  const AnyBlock none = oracle::pattern_block(9, [](Index i, Index j) { return i < 6 ? j < 5 : true; });
  for (const SamplerKind kind : all_walks) {
    expect_same(reversed, pruned(kind), 50);
    expect_same(none, pruned(kind), 50);
    const auto moments = [&](const AnyBlock& block) {
      return BlockSampler(block, pruned(kind), 1, 0).on_device(emulated_gpu(0))->run(0, 50, never);
    };
    EXPECT_EQ(moments(reversed).nonzero, 50U);
    EXPECT_EQ(moments(none).nonzero, 0U);
  }
}

TEST(EstimateDevice, WhatHasNoFormForGpusSaysSo) {
  const AnyBlock block = oracle::pattern_block(20, [](Index, Index) { return true; });
  SamplerOptions options = plain(SamplerKind::rasmussen);
  EXPECT_NE(BlockSampler(block, pruned(SamplerKind::scaling, 1, 5000), 1, 0).device_obstacle(), "");
  EXPECT_EQ(BlockSampler(block, pruned(SamplerKind::scaling, 20, 5000), 1, 0).device_obstacle(), "");
  options = plain(SamplerKind::rasmussen);
  options.strata = 4;
  EXPECT_NE(BlockSampler(block, options, 1, 0).device_obstacle(), "");
}

TEST(EstimateDevice, AStopIsHeard) {
  const AnyBlock block = oracle::pattern_block(20, [](Index, Index) { return true; });
  const BlockSampler sampler(block, plain(SamplerKind::rasmussen), 1, 0);
  StopSignal stop;
  stop.request();
  EXPECT_THROW(sampler.on_device(emulated_gpu(0))->run(0, 10, stop), Stopped);
}

/// Samples of any kind, on a device, against SampleMoments::add.
template <class Device>
void expect_moments(const Device& device, const std::vector<Scaled>& samples) {
  SampleMoments expected;
  for (const Scaled& sample : samples) expected.add(sample);
  const DeviceMoments<Device> moments(device);
  expect_equal(moments.of(device.upload(samples), 0, samples.size()), expected);
}

TEST(EstimateDevice, SmallWhatIsDrawnAheadIsKept) {
  const AnyBlock block = diagonal_and_more<std::int64_t>(4, 20, 4, 3);
  SamplerOptions options;
  for (const SamplerKind kind : {SamplerKind::bethe, SamplerKind::scaling_plus, SamplerKind::population}) {
    options.kind = kind;
    const BlockSampler sampler(block, options, 7, 1);
    for (const GpuInfo& gpu : testing::all_gpus()) {
      const auto device = sampler.on_device(gpu);
      device->may_draw_ahead(90);
      const std::uint64_t few = device->few();
      // On and on, before what there is, in it and beyond, and beyond what may be drawn ahead.
      for (const auto& [first, count] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
               {5, 2}, {7, 1}, {8, few + 3}, {6, 1}, {80, 9}, {88, 5}, {95, 2}, {0, 1}}) {
        SCOPED_TRACE(first);
        expect_equal(device->run(first, count, never), sampler.run(first, count, never));
      }
      // Others may be dealt what is beyond.
      device->may_draw_ahead(0);
      expect_equal(device->run(9, 2, never), sampler.run(9, 2, never));
      // After a stop it goes on.
      StopSignal stop;
      stop.request();
      EXPECT_THROW(device->run(40, 2, stop), Stopped);
      expect_equal(device->run(40, 2, never), sampler.run(40, 2, never));
    }
  }
}

TEST(EstimateDevice, MomentsAreExact) {
  const CpuDevice device(emulated_gpu(0));
  oracle::Random random(3);
  expect_moments(device, {{0, 0}});
  expect_moments(device, {{1, 0}});
  expect_moments(device, {{0, 5}, {0x1.fffffffffffffp-1, -3}, {0, 0}, {0x1.fffffffffffffp+400, 1000000}});
  // Exponents within the window of shared memory, and beyond it.
  for (const std::int64_t spread : {1, 40, 800, 100000}) {
    std::vector<Scaled> samples;
    for (int k = 0; k < 700; ++k) {
      const double mantissa = std::ldexp(1 + static_cast<double>(oracle::uniform(random, 0, 1 << 30)) / 1e9,
                                         static_cast<int>(oracle::uniform(random, -400, 400) % spread));
      samples.push_back({k % 7 == 0 ? 0 : mantissa, oracle::uniform(random, -spread, spread)});
    }
    expect_moments(device, samples);
  }
  expect_moments(device, std::vector<Scaled>(70000, Scaled{0x1.fffffffffffffp0, 9}));
}

}  // namespace
}  // namespace countpm::estimate_device_test
