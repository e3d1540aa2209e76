// Running tasks: wide ones by themselves, the others side by side, failures and stops.
#include "src/run/executor.hpp"

#include <gtest/gtest.h>

#include <mutex>

#include "tests/pipeline/fake_methods.hpp"
#include "tests/pipeline/small_inputs.hpp"

namespace countpm {
namespace {

using testing::Diary;
using testing::FakeJob;
using testing::one_prime;
using testing::Script;

std::uint64_t value_of(const TaskResult& result) {
  return static_cast<std::uint64_t>(std::get<Residues>(result.value).residue.at(0));
}

TEST(Executor, WideUnitsRunOneAfterAnotherBeforeTheRest) {
  const Arithmetic arithmetic = one_prime();
  Diary diary;
  std::mutex mutex;
  std::vector<std::string> order;
  std::atomic<int> running{0};
  std::atomic<bool> overlapped{false};
  const auto script = [&](const char* name, std::uint64_t units, bool wide) {
    Script s;
    s.units = units;
    s.runs_on_all_threads = wide;
    s.during_run = [&, name, wide](std::uint64_t unit, const StopSignal&) {
      if (wide && ++running != 1) overlapped = true;
      const std::lock_guard lock(mutex);
      order.push_back(name + std::to_string(unit));
      if (wide) --running;
    };
    return s;
  };
  const FakeJob small(script("small", 5, false), arithmetic, diary, nullptr);
  const FakeJob wide(script("wide", 3, true), arithmetic, diary, nullptr);
  const FakeJob last(script("last", 1, true), arithmetic, diary, nullptr);
  CountOptions options;
  for (const int threads : {1, 4}) {
    order.clear();
    Monitor monitor(options);
    const std::vector<TaskResult> results = run_tasks(
        {{&small, &arithmetic, "small", 1}, {&wide, &arithmetic, "wide", 1}, {&last, &arithmetic, "last", 1}},
        threads, monitor);
    ASSERT_EQ(results.size(), 3U);
    EXPECT_EQ(value_of(results[0]), 5U);
    EXPECT_EQ(value_of(results[1]), 3U);
    EXPECT_EQ(value_of(results[2]), 1U);
    EXPECT_FALSE(overlapped);
    ASSERT_EQ(order.size(), 9U);
    EXPECT_EQ(std::vector<std::string>(order.begin(), order.begin() + 4),
              (std::vector<std::string>{"wide0", "wide1", "wide2", "last0"}));
    EXPECT_EQ(std::get<Residues>(results[1].sampled_value).residue.size(), 1U);
  }
}

TEST(Executor, AWideUnitsShareIsProgress) {
  const Arithmetic arithmetic = one_prime();
  Diary diary;
  std::atomic<bool> seen{false};
  CountOptions options;
  options.progress = [&](const Progress& progress) {
    if (progress.done > 0.2 && progress.done < 0.3) seen = true;
  };
  Script script;
  script.runs_on_all_threads = true;
  script.during_run = [&](std::uint64_t, const StopSignal& stop) {
    stop.report_share(0.5);
    while (!seen) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  const FakeJob job(script, arithmetic, diary, nullptr);
  Monitor monitor(options);
  monitor.begin_stage("count", 2);  // half of the work is this job's, half of which is told to be done
  run_tasks({{&job, &arithmetic, "wide", 1}}, 2, monitor);
  EXPECT_TRUE(seen);
}

TEST(Executor, FailuresPassThroughAndEndTheRest) {
  const Arithmetic arithmetic = one_prime();
  for (const bool wide : {false, true}) {
    Diary diary;
    std::atomic<int> ran{0};
    Script script;
    script.units = 1000;
    script.runs_on_all_threads = wide;
    script.during_run = [&](std::uint64_t unit, const StopSignal&) {
      ++ran;
      if (unit == 3) throw UnableError("no more", "");
    };
    const FakeJob job(script, arithmetic, diary, nullptr);
    const CountOptions options;
    Monitor monitor(options);
    EXPECT_THROW(run_tasks({{&job, &arithmetic, "fake", 1}}, 1, monitor), UnableError);
    EXPECT_EQ(ran, 4);
  }
}

TEST(Executor, PeakBytes) {
  const Arithmetic arithmetic = one_prime();
  Diary diary;
  const auto job = [&](bool wide, std::uint64_t shared, std::uint64_t each) {
    Script script;
    script.runs_on_all_threads = wide;
    script.bytes_shared = shared;
    script.bytes_per_thread = each;
    return std::make_unique<FakeJob>(script, arithmetic, diary, nullptr);
  };
  const auto a = job(true, 100, 10);
  const auto b = job(true, 80, 30);
  const auto c = job(false, 60, 5);
  const auto d = job(false, 50, 8);
  EXPECT_EQ(peak_bytes({}, 2), 0U);
  EXPECT_EQ(peak_bytes({a.get(), b.get()}, 2), 140U);                    // one at a time
  EXPECT_EQ(peak_bytes({a.get(), b.get(), c.get(), d.get()}, 2), 140U);  // 60 + 50 + 2 * 8 later
  EXPECT_EQ(peak_bytes({a.get(), c.get(), d.get()}, 4), 142U);
  EXPECT_EQ(threads_that_fit({a.get(), c.get(), d.get()}, 64, 142), 4);
  EXPECT_EQ(threads_that_fit({a.get(), c.get(), d.get()}, 3, 142), 3);
  EXPECT_EQ(threads_that_fit({a.get(), c.get(), d.get()}, 64, 149), 4);
  EXPECT_EQ(threads_that_fit({a.get(), c.get(), d.get()}, 64, 10), 1);
  const auto endless = job(false, 16384, ~std::uint64_t{0});
  EXPECT_EQ(peak_bytes({endless.get()}, 3), ~std::uint64_t{0});
}

}  // namespace
}  // namespace countpm
