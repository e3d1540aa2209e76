// What refusals for time and memory say would do: of plans whose work, units and memory are a script.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "src/api/entries.hpp"
#include "src/count/advise_estimate.hpp"
#include "src/plan/what_would_do.hpp"
#include "tests/pipeline/fake_methods.hpp"

namespace countpm {
namespace {

using testing::Diary;
using testing::FakeJob;
using testing::Script;

/// A plan of `seconds` on one thread.
BlockPlan plan_of(Script script, double seconds, Diary& diary) {
  script.nominal_rate = 1e6;
  script.log2_work = std::log2(seconds * script.nominal_rate);
  BlockPlan plan;
  plan.seconds = seconds;
  plan.job = std::make_unique<FakeJob>(std::move(script), Arithmetic(), diary, nullptr);
  return plan;
}

MethodForecast needs_memory(double seconds, std::uint64_t bytes) {
  MethodForecast forecast;
  forecast.method = "roomy";
  forecast.log10_seconds = std::log10(seconds);
  forecast.memory_bytes = bytes;
  forecast.obstacle = Refusal{RefusalKind::memory, "it needs much"};
  return forecast;
}

std::string in_time(const BlockPlan& plan, double limit, int cores = 1, const std::string& device = "auto") {
  CountOptions options;
  options.time_limit_seconds = limit;
  options.device = device;
  Resources resources;
  resources.threads = 1;
  resources.cores = cores;
  return what_would_be_in_time({&plan}, options, resources, 0);
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(WhatWouldDo, IsMoreTimeAndMoreCores) {
  Diary diary;
  Script many;
  many.units = 1000;
  const BlockPlan plan = plan_of(many, 100, diary);
  // A fifth of the limit is left for what forecasts are off by: 8 cores would take 12.5 of 16 seconds.
  const std::string here = in_time(plan, 20, 64);
  EXPECT_TRUE(says(here, "try --time-limit 2m30s")) << here;
  EXPECT_TRUE(says(here, "8 cores would do (--threads 8), in 12.5 s")) << here;
  const std::string elsewhere = in_time(plan, 20, 4);
  EXPECT_TRUE(says(elsewhere, "8 cores would do, in 12.5 s")) << elsewhere;
  // One unit is the work of one core.
  const BlockPlan single = plan_of({}, 100, diary);
  EXPECT_FALSE(says(in_time(single, 20, 64), "cores"));
}

TEST(WhatWouldDo, IsAGpuWhereItsFormIsInTime) {
  Diary diary;
  Script script;
  script.device_rate = 1e8;
  const BlockPlan plan = plan_of(script, 100, diary);
  EXPECT_TRUE(says(in_time(plan, 20), "an H100 would do, in 1.1 s")) << in_time(plan, 20);
  EXPECT_TRUE(says(in_time(plan, 20, 1, "cpu"), "an H100 (without --device cpu) would do"));
  EXPECT_FALSE(says(in_time(plan, 1), "H100"));
  const BlockPlan none = plan_of({}, 100, diary);
  EXPECT_FALSE(says(in_time(none, 20), "H100"));
}

TEST(WhatWouldDo, IsTheMemoryOfAFasterMethod) {
  Diary diary;
  BlockPlan plan = plan_of({}, 100, diary);
  plan.forecast.methods.push_back(needs_memory(5, std::uint64_t{3} << 30U));
  plan.forecast.methods.push_back(needs_memory(7, std::uint64_t{2} << 30U));
  EXPECT_TRUE(says(in_time(plan, 20), "of memory would do, by roomy in 5 s")) << in_time(plan, 20);
  EXPECT_FALSE(says(in_time(plan, 6), "of memory"));
  EXPECT_TRUE(says(what_memory_would_do(plan.forecast, 20), "of memory would do, by roomy in 5 s"));
  EXPECT_EQ(what_memory_would_do(plan.forecast, 4), "");
  EXPECT_EQ(what_memory_would_do({}, 20), "");
}

TEST(WhatWouldDo, IsNothingWhereTimeIsBeyondALife) {
  Diary diary;
  EXPECT_EQ(in_time(plan_of({}, 1e12, diary), 20), "");
}

std::string refusal_of(const std::string& input, const CountOptions& options, bool bytes = false) {
  try {
    if (bytes) {
      ReadOptions reading;
      reading.format = Format::dense;
      reading.weights = true;
      count(Source::from_bytes(input), reading, options);
    } else {
      count(Source::from_argument(input), {}, options);
    }
  } catch (const UnableError& error) {
    EXPECT_TRUE(std::string(error.what()).ends_with(error.remedy()));
    return error.remedy();
  }
  return "none";
}

TEST(WhatWouldDo, IsAnEstimateOfWhatCanBeEstimated) {
  CountOptions options;
  options.time_limit_seconds = 2;
  options.method = "ryser";
  EXPECT_TRUE(says(refusal_of("lattice:cubic:6x6x6", options), advised_estimate));
  std::string negative;
  for (int i = 0; i < 60; ++i) {
    for (int j = 0; j < 60; ++j)
      negative += std::to_string(1 + (i * i + 7 * i * j + j * j * j) % 101 - 50) + " ";
    negative += '\n';
  }
  const std::string without = refusal_of(negative, options, true);
  EXPECT_NE(without, "none");
  EXPECT_FALSE(says(without, "estimate")) << without;
  options.method = "frontier";
  options.memory_limit_bytes = std::uint64_t{48} << 20U;
  const std::string memory = refusal_of("lattice:cubic:6x8x8", options);
  EXPECT_TRUE(says(memory, advised_estimate)) << memory;
}

}  // namespace
}  // namespace countpm
