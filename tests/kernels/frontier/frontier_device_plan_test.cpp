// What a GPU is predicted to make of a frontier job: the figures that the prediction is made of, counted one
// by one, and what is said where the memory is too small.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "kernels/frontier/frontier.hpp"
#include "kernels/frontier/gpu/dense_layout.hpp"
#include "kernels/frontier/gpu/plan.hpp"
#include "kernels/memory_gap.hpp"
#include "tests/kernels/frontier/frontier_device_testing.hpp"
#include "tests/kernels/gpu/gpu_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm::frontier_device_plan_test {
namespace {

using namespace countpm::testing;

/// High parts of a step's new sets, and how many sets each has.
std::map<std::uint64_t, std::uint64_t> runs_of(const DenseShape& shape) {
  std::map<std::uint64_t, std::uint64_t> runs;
  for (std::uint64_t set = 0; set < std::uint64_t{1} << shape.to_width; ++set) {
    if (std::popcount(set) == static_cast<int>(shape.to_ones)) ++runs[set >> shape.to_low];
  }
  return runs;
}

TEST(FrontierDevicePlan, CountsRunsAndStretches) {
  EXPECT_EQ(dense_stretch(4), 256U);
  EXPECT_EQ(dense_stretch(8), 256U);
  EXPECT_EQ(dense_stretch(16), 128U);
  Random random(340);
  for (int round = 0; round < repeats(12); ++round) {
    const auto block = random_pattern(random, 15, round % 2 == 0 ? 0.35 : 0.8);
    const ClassGraph graph = class_graph(block, false);
    const auto low_bits =
        static_cast<std::uint32_t>(round % 3 == 0 ? below(random, 12) : most_dense_low_bits);
    const auto program = make_dense_program(graph, random_linear_rows(graph, random), low_bits);
    ASSERT_TRUE(program);
    if (program->zero) continue;
    DenseFigures counted;
    for (const DenseStep& step : program->steps) {
      const auto runs = runs_of(step.shape);
      counted.kinds += static_cast<double>(step.pulls.size());
      counted.runs += static_cast<double>(runs.size());
      for (const DensePull& pull : step.pulls) {
        for (const auto& [high, places] : runs) {
          if ((high & pull.high_mask) != pull.high_value) continue;
          const std::uint64_t stretches = (places + 255) / 256;
          const std::uint64_t short_stretches = (places + 127) / 128;
          counted.stretches += static_cast<double>(stretches);
          counted.short_stretches += static_cast<double>(short_stretches);
        }
      }
    }
    EXPECT_EQ(program->figures.kinds, counted.kinds);
    EXPECT_EQ(program->figures.runs, counted.runs);
    EXPECT_EQ(program->figures.stretches, counted.stretches);
    EXPECT_EQ(program->figures.short_stretches, counted.short_stretches);
  }
}

/// An H200's figures, and so much memory.
GpuInfo gpu_with(std::uint64_t memory_bytes) {
  GpuInfo gpu;
  gpu.name = "NVIDIA H200";
  gpu.memory_bytes = memory_bytes;
  gpu.multiprocessors = 132;
  gpu.clock_ghz = 1.98;
  return gpu;
}

// As many values in short runs take longer, narrow ones no longer than wide ones, and each modulus its own.
TEST(FrontierDevicePlan, ShortRunsTakeLonger) {
  const GpuInfo gpu = gpu_with(std::uint64_t{100} << 30);
  DenseFigures figures;
  figures.log2_states = 27;
  figures.log2_all = 30;
  figures.log2_moves = 32;
  figures.rounds = 40;
  figures.kinds = 200;
  figures.runs = 2e6;
  figures.stretches = 2e7;
  figures.short_stretches = 3e7;
  const double seconds = dense_form(figures, gpu, {8}).seconds;
  EXPECT_LT(dense_form(figures, gpu, {4}).seconds, seconds);
  EXPECT_GT(dense_form(figures, gpu, {16}).seconds, seconds);
  EXPECT_NEAR(dense_form(figures, gpu, {8, 8, 8}).seconds, 3 * seconds, 1e-9);
  figures.runs *= 100;
  EXPECT_GT(dense_form(figures, gpu, {8}).seconds, 5 * seconds);
}

// With as much more memory as is said to be missing the job fits; a search for orders may do instead.
TEST(FrontierDevicePlan, SaysHowMuchMemoryIsMissing) {
  Random random(341);
  for (int round = 0; round < repeats(12); ++round) {
    const auto block = random_pattern(random, 14, 0.4);
    const Arithmetic arithmetic =
        round % 2 == 0 ? wrap_around(64) : residues_modulo({narrow_prime, second_prime});
    const auto job = frontier_method().make_job(block, arithmetic, {});
    for (const std::uint64_t memory : {std::uint64_t{2'000}, std::uint64_t{20'000}, std::uint64_t{1} << 30}) {
      const GpuInfo gpu = gpu_with(memory);
      const auto cut = job->for_gpus_alone(arithmetic, gpu);
      ASSERT_NE(cut, nullptr);
      const auto gap = dynamic_cast<const ShortOfGpuMemory&>(*cut).gpu_memory_gap(gpu);
      ASSERT_EQ(gap.has_value(), cut->device_obstacle(gpu).has_value());
      if (!gap) continue;
      EXPECT_GT(gap->log2_times, 0);
      EXPECT_GT(gap->seconds, 0);
      const auto more = gpu_with(
          static_cast<std::uint64_t>(static_cast<double>(memory) * std::exp2(gap->log2_times) * 1.02) + 50);
      EXPECT_FALSE(cut->device_obstacle(more)) << cut->device_obstacle(gpu)->text;
    }
  }
}

// No search helps where numbers are floating, and branches are cut for the memory of the host.
TEST(FrontierDevicePlan, NothingIsMissingWhereMemoryWouldNotHelp) {
  Random random(342);
  const auto block = random_pattern(random, 12, 0.5);
  Arithmetic floating;
  floating.kind = Arithmetic::Kind::floating;
  const auto job = frontier_method().make_job(block, floating, {});
  ASSERT_TRUE(job->device_obstacle(gpu_with(1'000)));
  EXPECT_FALSE(dynamic_cast<const ShortOfGpuMemory&>(*job).gpu_memory_gap(gpu_with(1'000)));
}

}  // namespace
}  // namespace countpm::frontier_device_plan_test
