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

}  // namespace
}  // namespace countpm
