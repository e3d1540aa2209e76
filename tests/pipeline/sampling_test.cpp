// Samples drawn by CPU threads and emulated GPUs together: the same moments whoever draws them.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "src/sampling/sampling.hpp"
#include "src/sampling/second_sampler.hpp"
#include "tests/kernels/oracle.hpp"

namespace countpm {
namespace {

struct Drawers {
  int threads;
  bool cpu;
  std::vector<GpuInfo> gpus;
};

std::vector<GpuInfo> emulated(int count) {
  std::vector<GpuInfo> gpus;
  gpus.reserve(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) gpus.push_back(emulated_gpu(k));
  return gpus;
}

std::vector<AnyBlock> blocks() {
  oracle::Random random(9);
  std::vector<AnyBlock> result;
  for (const Index n : {14U, 40U, 70U})
    result.emplace_back(oracle::make_block<std::int64_t>(n, n, [&](Index i, Index j) {
      return std::int64_t{i == j || oracle::uniform(random, 0, 9) < 5 ? 1 : 0};
    }));
  return result;
}

SamplerOptions plain_walks() {
  SamplerOptions options;
  options.kind = SamplerKind::rasmussen_plus;
  options.prune = false;
  options.tail_rows = 0;
  return options;
}

std::vector<SampledBlock> drawn(const Drawers& drawers, std::uint64_t samples, double relative_error,
                                const SamplerOptions& options = plain_walks()) {
  std::vector<SampledBlock> sampled;
  for (const AnyBlock& block : blocks())
    sampled.emplace_back(BlockSampler(block, options, 3, sampled.size()));
  SamplingLimits limits;
  limits.samples = samples;
  limits.relative_error = relative_error;
  limits.deadline_seconds = std::numeric_limits<double>::infinity();
  limits.threads = drawers.threads;
  limits.cpu = drawers.cpu;
  limits.gpus = drawers.gpus;
  CountOptions unlimited;
  unlimited.time_limit_seconds = std::numeric_limits<double>::infinity();
  Monitor monitor(unlimited);
  sample_blocks(sampled, limits, monitor);
  return sampled;
}

void expect_same(const std::vector<SampledBlock>& found, const std::vector<SampledBlock>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t b = 0; b < found.size(); ++b) {
    EXPECT_EQ(found[b].drawn.moments.samples, expected[b].drawn.moments.samples);
    EXPECT_EQ(found[b].drawn.moments.nonzero, expected[b].drawn.moments.nonzero);
    EXPECT_TRUE(found[b].drawn.moments.sum == expected[b].drawn.moments.sum);
    EXPECT_TRUE(found[b].drawn.moments.squares == expected[b].drawn.moments.squares);
    EXPECT_TRUE(found[b].drawn.moments.cubes == expected[b].drawn.moments.cubes);
    EXPECT_EQ(found[b].drawn.moments.histogram, expected[b].drawn.moments.histogram);
    EXPECT_EQ(found[b].mean.log_mean, expected[b].mean.log_mean);
    EXPECT_EQ(found[b].mean.variance, expected[b].mean.variance);
  }
}

TEST(SamplingDevices, SameNumbersWhoeverDraws) {
  const auto expected = drawn({1, true, {}}, 3000, 1);
  for (const Drawers& drawers :
       {Drawers{2, true, emulated(0)}, Drawers{1, false, emulated(1)}, Drawers{1, false, emulated(2)},
        Drawers{2, false, emulated(4)}, Drawers{2, true, emulated(1)}, Drawers{4, true, emulated(2)},
        Drawers{1, true, emulated(4)}}) {
    SCOPED_TRACE(::testing::Message() << drawers.threads << " threads, " << drawers.gpus.size() << " GPUs");
    const auto found = drawn(drawers, 3000, 1);
    expect_same(found, expected);
    if (drawers.cpu) continue;
    for (const SampledBlock& block : found) EXPECT_EQ(block.drawn_on_gpus, 3000U);
  }
}

TEST(SamplingDevices, SameDeterminantsWhoeverDraws) {
  SamplerOptions options;
  for (const SamplerKind kind : {SamplerKind::godsil_gutman, SamplerKind::godsil_gutman_quaternion}) {
    options.kind = kind;
    const auto expected = drawn({1, true, {}}, 70, 1, options);
    for (const Drawers& drawers : {Drawers{1, false, emulated(3)}, Drawers{3, true, emulated(2)}})
      expect_same(drawn(drawers, 70, 1, options), expected);
  }
}

TEST(SamplingDevices, SameNumbersOnTheGpusOfThisMachine) {
  const std::vector<GpuInfo> found = gpus();
  if (found.empty()) GTEST_SKIP() << gpu_obstacle();
  const auto expected = drawn({2, true, {}}, 50000, 1);
  expect_same(drawn({2, false, found}, 50000, 1), expected);
  expect_same(drawn({4, true, found}, 50000, 1), expected);
}

TEST(SamplingDevices, SameNumbersUntilTheIntervalIsNarrow) {
  const auto expected = drawn({1, true, {}}, 0, 0.1);
  expect_same(drawn({1, false, emulated(2)}, 0, 0.1), expected);
  expect_same(drawn({3, true, emulated(2)}, 0, 0.1), expected);
}

// Beside GPUs the second sampler's are drawn while the first's are, elsewhere after them.
TEST(SamplingDevices, SecondSamplesAreTheSameWhoeverDrawsTheFirst) {
  const auto checked = [](const Drawers& drawers, std::uint64_t samples) {
    std::vector<SampledBlock> sampled;
    for (const AnyBlock& block : blocks()) {
      SampledBlock& own = sampled.emplace_back(BlockSampler(block, plain_walks(), 3, sampled.size()));
      own.second = std::make_unique<SampledBlock>(
          second_sampler(block, SamplerKind::rasmussen_plus, 3, sampled.size() - 1));
    }
    SamplingLimits limits;
    limits.samples = samples;
    limits.relative_error = 0.1;
    limits.deadline_seconds = std::numeric_limits<double>::infinity();
    limits.threads = drawers.threads;
    limits.cpu = drawers.cpu;
    limits.gpus = drawers.gpus;
    CountOptions unlimited;
    unlimited.time_limit_seconds = std::numeric_limits<double>::infinity();
    Monitor monitor(unlimited);
    EXPECT_TRUE(sample_blocks(sampled, limits, monitor));
    return sampled;
  };
  for (const std::uint64_t samples : {0U, 2000U}) {
    const auto expected = checked({1, true, {}}, samples);
    for (const Drawers& drawers :
         {Drawers{2, false, emulated(1)}, Drawers{1, false, emulated(2)}, Drawers{3, true, emulated(2)}}) {
      const auto found = checked(drawers, samples);
      expect_same(found, expected);
      for (std::size_t b = 0; b < found.size(); ++b) {
        const SampledBlock& second = *found[b].second;
        EXPECT_EQ(second.drawn.moments.samples, expected[b].second->drawn.moments.samples);
        EXPECT_TRUE(second.drawn.moments.sum == expected[b].second->drawn.moments.sum);
        EXPECT_EQ(second.mean.log_mean, expected[b].second->mean.log_mean);
        EXPECT_EQ(second.drawn_on_gpus, 0U);
        EXPECT_GT(second.drawn.seconds, 0);
      }
    }
  }
}

// However many are asked for of the first block.
TEST(Sampling, ALimitLeavesSomethingOfEveryBlock) {
  for (const Drawers& drawers : {Drawers{1, true, {}}, Drawers{2, false, emulated(1)}}) {
    std::vector<SampledBlock> sampled;
    for (const AnyBlock& block : blocks())
      sampled.emplace_back(BlockSampler(block, plain_walks(), 3, sampled.size()));
    SamplingLimits limits;
    limits.samples = std::uint64_t{1} << 40;
    limits.deadline_seconds = 0.3;
    limits.threads = drawers.threads;
    limits.cpu = drawers.cpu;
    limits.gpus = drawers.gpus;
    CountOptions unlimited;
    unlimited.time_limit_seconds = std::numeric_limits<double>::infinity();
    Monitor monitor(unlimited);
    EXPECT_FALSE(sample_blocks(sampled, limits, monitor));
    std::uint64_t fewest = limits.samples;
    std::uint64_t most = 0;
    for (const SampledBlock& block : sampled) {
      fewest = std::min(fewest, block.drawn.moments.samples);
      most = std::max(most, block.drawn.moments.samples);
    }
    EXPECT_GT(fewest, 0U);
    // In turn, once all have their first ones.
    if (fewest >= 64) {
      EXPECT_LE(most, 2 * fewest);
    }
  }
}

// Of what is wanted after the first samples.
TEST(SamplingDevices, GpusStartWhereTheCpuSeemsToTakeLong) {
  struct Seen {
    bool reached = false;
    int started = 0;
    int asked = 0;
  };
  const auto drawn_until = [](double error, double deadline) {
    Seen seen;
    std::vector<SampledBlock> sampled;
    sampled.emplace_back(BlockSampler(blocks()[0], plain_walks(), 3, 0));
    SamplingLimits limits;
    limits.relative_error = error;
    limits.deadline_seconds = deadline;
    limits.start_gpus = [&seen] { return ++seen.started > 0; };
    limits.more_gpus = [&seen] {
      ++seen.asked;
      return emulated(1);
    };
    CountOptions unlimited;
    unlimited.time_limit_seconds = std::numeric_limits<double>::infinity();
    Monitor monitor(unlimited);
    seen.reached = sample_blocks(sampled, limits, monitor);
    return seen;
  };
  Seen slow;
  // On a busy machine the first samples may take all the time there is.
  for (double deadline = 0.1; deadline < 60 && slow.started == 0; deadline *= 4)
    slow = drawn_until(1e-9, deadline);
  EXPECT_FALSE(slow.reached);
  EXPECT_EQ(slow.started, 1);
  EXPECT_LE(slow.asked, 1);
  Seen quick = drawn_until(0.9, std::numeric_limits<double>::infinity());
  // Where a thread was late, it did seem to take long.
  for (int again = 0; again < 20 && quick.started > 0; ++again)
    quick = drawn_until(0.9, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(quick.reached);
  EXPECT_EQ(quick.started, 0);
  EXPECT_EQ(quick.asked, 0);
}

TEST(Sampling, TellsHowFarItIsAlsoWhereItGoesOn) {
  SamplerOptions options;
  options.kind = SamplerKind::rasmussen_plus;
  options.tail_rows = 0;
  std::vector<SampledBlock> sampled;
  for (const AnyBlock& block : blocks())
    sampled.emplace_back(BlockSampler(block, options, 3, sampled.size()));
  SamplingLimits limits;
  limits.deadline_seconds = std::numeric_limits<double>::infinity();
  CountOptions unlimited;
  unlimited.time_limit_seconds = std::numeric_limits<double>::infinity();
  Monitor monitor(unlimited);
  for (const std::uint64_t samples : {300U, 900U}) {
    limits.samples = samples;
    EXPECT_TRUE(sample_blocks(sampled, limits, monitor));
    EXPECT_NEAR(monitor.progress().done, 1, 1e-9);
    for (const SampledBlock& block : sampled) EXPECT_EQ(block.drawn.moments.samples, samples);
  }
  // A deadline that is over: one batch of each, of many.
  limits.samples = 1'000'000;
  limits.deadline_seconds = 0;
  EXPECT_FALSE(sample_blocks(sampled, limits, monitor));
  EXPECT_LT(monitor.progress().done, 0.5);
  limits.samples = 0;
  limits.relative_error = 0.1;
  limits.deadline_seconds = std::numeric_limits<double>::infinity();
  for (SampledBlock& block : sampled) block.drawn.goal = 0;
  EXPECT_TRUE(sample_blocks(sampled, limits, monitor));
  EXPECT_GT(monitor.progress().done, 0.9);
}

TEST(SamplingDevices, WhatFailsOnAGpuIsThrown) {
  SamplerOptions options;
  options.kind = SamplerKind::rasmussen;
  options.prune = false;
  options.tail_rows = 0;
  std::vector<SampledBlock> sampled;
  sampled.emplace_back(BlockSampler(blocks()[0], options, 3, 0));
  SamplingLimits limits;
  limits.samples = 1000;
  limits.deadline_seconds = 100;
  limits.cpu = false;
  limits.gpus.push_back(emulated_gpu(0));
  limits.gpus.front().emulated = false;  // and no such GPU
  limits.gpus.front().index = 99;
  CountOptions unlimited;
  unlimited.time_limit_seconds = std::numeric_limits<double>::infinity();
  Monitor monitor(unlimited);
  EXPECT_THROW(sample_blocks(sampled, limits, monitor), Error);
}

}  // namespace
}  // namespace countpm
