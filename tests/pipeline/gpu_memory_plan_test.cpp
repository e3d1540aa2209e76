// Plans where GPUs are to count alone and have little memory.
#include <gtest/gtest.h>

#include "src/plan/plan.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {
namespace {

// 18 rows without a diagonal, whose tables are the same in every order: modulo 2^64 they do not fit, modulo
// one prime of 31 bits at a time they do, or are said not to.
TEST(Refusals, AreOfTheNarrowestValuesThatGpusWouldHold) {
  Block<std::int64_t> block;
  constexpr Index n = 18;
  block.matrix.rows = block.matrix.columns = n;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      if (i == j) continue;
      block.matrix.column.push_back(j);
      block.matrix.value.push_back(1);
    }
    block.matrix.row_start.push_back(block.matrix.column.size());
  }
  CountOptions options;
  options.time_limit_seconds = 1;  // and a tenth of it for the search
  Resources resources{1, std::uint64_t{1} << 30};
  resources.cpu = false;
  resources.assumed_gpus = true;
  GpuInfo& gpu = resources.gpus.emplace_back();
  gpu.name = "NVIDIA H200";
  gpu.multiprocessors = 132;
  gpu.clock_ghz = 1.98;
  PlanRequest request;
  request.candidates.method = "frontier";
  const auto planned = [&](std::uint64_t gpu_bytes) {
    gpu.memory_bytes = gpu_bytes;
    Monitor monitor(options);
    return plan_block(block, WeightKind::none, options, resources, request, monitor);
  };
  const BlockPlan fits = planned(500'000);
  ASSERT_NE(fits.job, nullptr);
  EXPECT_TRUE(fits.job->is_for_gpus_alone());
  EXPECT_EQ(fits.choice.arithmetic.moduli.size(), 2U);
  resources.memory_bytes = 65536;  // nor has the host room for tables that wait
  const BlockPlan refused = planned(200'000);
  EXPECT_EQ(refused.job, nullptr);
  ASSERT_TRUE(refused.forecast.methods.at(0).obstacle);
  const std::string& why = refused.forecast.methods[0].obstacle->text;
  EXPECT_EQ(
      why.find("it does not run on a GPU: whole tables of 2^16.5 values of 4 bytes (one modulus at a time) "
               "may be in use at once, and NVIDIA H200 has memory for 2^15.5"),
      0U)
      << why;
}

}  // namespace
}  // namespace countpm
