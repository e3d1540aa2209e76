// The planner where memory is short: the same method modulo smaller primes, and for the memory of GPUs.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "src/number/number.hpp"
#include "src/plan/plan.hpp"

namespace countpm {
namespace {

/// Each row has 9 at five distances from the diagonal, around the corner.
AnyBlock circulant(Index n) {
  Block<std::int64_t> block;
  block.matrix.rows = block.matrix.columns = n;
  for (Index row = 0; row < n; ++row) {
    std::vector<Index> columns;
    for (const Index distance : {0U, 1U, 3U, 7U, 12U}) columns.push_back((row + distance) % n);
    std::sort(columns.begin(), columns.end());
    block.matrix.column.insert(block.matrix.column.end(), columns.begin(), columns.end());
    block.matrix.value.insert(block.matrix.value.end(), columns.size(), 9);
    block.matrix.row_start.push_back(block.matrix.column.size());
  }
  return block;
}

// 2^128, then primes of 61 bits, then of 31, and the GPU's memory where the CPU's does not suffice for that.
TEST(ShortMemory, SmallerPrimesAndTheMemoryOfGpus) {
  const AnyBlock block = circulant(24);
  CountOptions options;
  options.method = "frontier";
  Resources resources{1, std::uint64_t{1} << 30};
  PlanRequest request;
  request.candidates.method = "frontier";
  request.nominal = true;
  const auto plan = [&] {
    Monitor monitor(options);
    return plan_block(block, WeightKind::integer, options, resources, request, monitor);
  };
  const BlockPlan whole = plan();
  ASSERT_EQ(whole.choice.arithmetic.moduli, (std::vector<Modulus>{{0, 128}}));
  const auto number = [](const BlockPlan& chosen) {
    const StopSignal never;
    Partial sum = zero(chosen.choice.arithmetic);
    for (std::uint64_t unit = 0; unit < chosen.job->units(); ++unit)
      add(sum, chosen.job->run(unit, never), chosen.choice.arithmetic);
    return std::get<mpq_class>(to_number(sum, chosen.choice));
  };
  const mpq_class count = number(whole);
  constexpr std::uint64_t fixed = std::uint64_t{1} << 20;
  const std::uint64_t needed = whole.job->bytes_shared() + whole.job->bytes_per_thread() - fixed;
  // Of a state's 21 bytes ever fewer, with ever other orders: each size of primes has its turn.
  std::vector<int> sizes;
  for (unsigned bytes = 20; bytes > 5; --bytes) {
    resources.memory_bytes = fixed + needed * bytes / 21;
    const BlockPlan chosen = plan();
    ASSERT_TRUE(chosen.job) << bytes;
    EXPECT_LE(chosen.job->bytes_shared() + chosen.job->bytes_per_thread(), resources.memory_bytes);
    const auto size = static_cast<int>(std::bit_width(chosen.choice.arithmetic.moduli.front().prime));
    if (std::find(sizes.begin(), sizes.end(), size) != sizes.end()) continue;
    sizes.push_back(size);
    EXPECT_EQ(number(chosen), count) << chosen.job->describe();
  }
  EXPECT_NE(std::find(sizes.begin(), sizes.end(), 61), sizes.end());
  EXPECT_NE(std::find(sizes.begin(), sizes.end(), 31), sizes.end());
  GpuInfo gpu;
  gpu.name = "imagined";
  gpu.memory_bytes = 4 * needed;
  gpu.multiprocessors = 100;
  gpu.clock_ghz = 1;
  resources.memory_bytes = fixed + needed / 21;
  resources.gpus = {gpu};
  const BlockPlan alone = plan();
  ASSERT_TRUE(alone.job);
  EXPECT_TRUE(alone.job->is_for_gpus_alone()) << alone.job->describe();
  EXPECT_EQ(alone.processors.name(), "gpu");
  // As a journal has it: on GPUs again, and nowhere else.
  request.candidates.plan = alone.job->plan();
  request.candidates.arithmetic = alone.choice.arithmetic;
  EXPECT_EQ(plan().processors.name(), "gpu");
  resources.gpus.clear();
  const BlockPlan none = plan();
  EXPECT_FALSE(none.job);
  EXPECT_NE(none.forecast.methods.front().obstacle.value().text.find("memory of GPUs"), std::string::npos);
}

/// All ones but on the diagonal.
AnyBlock derangements(Index n) {
  Block<std::int64_t> block;
  block.matrix.rows = block.matrix.columns = n;
  for (Index row = 0; row < n; ++row) {
    for (Index column = 0; column < n; ++column) {
      if (column != row) block.matrix.column.push_back(column);
    }
    block.matrix.value.resize(block.matrix.column.size(), 1);
    block.matrix.row_start.push_back(block.matrix.column.size());
  }
  return block;
}

// One by one where a table fits one GPU; in pairs where it fits two; all together, modulo smaller primes,
// where that alone helps; and the reason where nothing does.
TEST(ShortMemory, TeamsOfGpus) {
  const AnyBlock block = derangements(18);
  CountOptions options;
  options.method = "frontier";
  options.device = "gpu";
  options.order = OrderKind::rows;
  Resources resources{1, std::uint64_t{1} << 34};
  resources.cpu = false;
  resources.all_gpus = true;  // some milliseconds of work
  PlanRequest request;
  request.candidates.method = "frontier";
  request.nominal = true;
  const auto plan = [&](std::uint64_t memory_bytes, const char* name = "imagined") {
    GpuInfo gpu;
    gpu.name = "imagined";
    gpu.memory_bytes = memory_bytes;
    gpu.multiprocessors = 100;
    gpu.clock_ghz = 1;
    gpu.link_bytes_a_second = nvlink_bytes_a_second;
    resources.gpus.assign(4, gpu);
    resources.gpus.back().name = name;
    Monitor monitor(options);
    return plan_block(block, WeightKind::integer, options, resources, request, monitor);
  };
  // 92,378 values at once, of 8 bytes modulo 2^64; slabs may be a few runs larger than their share.
  const BlockPlan alone = plan(1 << 20);
  ASSERT_EQ(alone.processors.gpus.size(), 4U);
  EXPECT_TRUE(alone.processors.gpus[0].others.empty());
  EXPECT_EQ(alone.forecast.methods.front().gpus_together, 1);
  const BlockPlan pairs = plan(460'000);
  ASSERT_EQ(pairs.processors.gpus.size(), 2U);
  for (const GpuInfo& team : pairs.processors.gpus) EXPECT_EQ(team.others.size(), 1U);
  EXPECT_EQ(pairs.forecast.methods.front().gpus_together, 2);
  EXPECT_NE(pairs.forecast.methods.front().plan.find("each table on 2 GPUs together, 2^16.5 values at once"),
            std::string::npos)
      << pairs.forecast.methods.front().plan;
  EXPECT_GT(pairs.seconds, alone.seconds);
  const BlockPlan all = plan(180'000);
  ASSERT_EQ(all.processors.gpus.size(), 1U);
  EXPECT_EQ(all.processors.gpus[0].others.size(), 3U);
  EXPECT_TRUE(all.job->is_for_gpus_alone());
  EXPECT_EQ(std::bit_width(all.choice.arithmetic.moduli.front().prime), 31);
  EXPECT_GT(all.seconds, pairs.seconds);
  // As a journal has it: by the GPUs that there are then.
  request.candidates.plan = all.job->plan();
  request.candidates.arithmetic = all.choice.arithmetic;
  const BlockPlan again = plan(180'000);
  ASSERT_EQ(again.processors.gpus.size(), 1U);
  EXPECT_EQ(again.processors.gpus[0].others.size(), 3U);
  EXPECT_EQ(again.job->units(), all.job->units());
  EXPECT_EQ(plan(1 << 20).processors.gpus.size(), 4U);
  request.candidates.plan.reset();
  request.candidates.arithmetic.reset();
  // Slabs of what fits not even all of them wait in the host's memory, for the one that has something to do.
  const BlockPlan waiting = plan(80'000);
  ASSERT_EQ(waiting.processors.gpus.size(), 1U);
  EXPECT_GT(waiting.processors.gpus[0].host_bytes, 0U);
  const MethodForecast& forecast = waiting.forecast.methods.front();
  EXPECT_GT(forecast.waiting_bytes, 0U);
  EXPECT_GE(forecast.memory_bytes, forecast.waiting_bytes);
  EXPECT_NE(forecast.plan.find("wait in host memory"), std::string::npos) << forecast.plan;
  EXPECT_GT(waiting.seconds, all.seconds);
  const BlockPlan none = plan(10'000);
  EXPECT_FALSE(none.job);
  const std::string why = none.forecast.methods.front().obstacle.value().text;
  EXPECT_NE(why.find("4 imagined together have memory for"), std::string::npos) << why;
  // GPUs of different kinds work one by one.
  EXPECT_TRUE(plan(400'000).job);
  const BlockPlan apart = plan(400'000, "another");
  ASSERT_TRUE(apart.job);
  EXPECT_TRUE(apart.processors.gpus[0].others.empty());
  EXPECT_GT(apart.forecast.methods.front().waiting_bytes, 0U);
}

}  // namespace
}  // namespace countpm
