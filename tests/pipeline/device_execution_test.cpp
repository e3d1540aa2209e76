// Units on GPUs and on the CPU beside them, and the planner's choice among them; the GPUs are fakes or
// emulated.
#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <set>
#include <string>

#include "graph/instance.hpp"
#include "graph/lattices/lattice.hpp"
#include "src/plan/plan.hpp"
#include "src/run/executor.hpp"
#include "src/units/unit_queue.hpp"
#include "tests/pipeline/fake_methods.hpp"
#include "tests/pipeline/random_instances.hpp"
#include "tests/pipeline/small_inputs.hpp"

namespace countpm {
namespace {

using testing::Diary;
using testing::FakeJob;
using testing::FakeMethod;
using testing::one_prime;
using testing::Script;

std::uint64_t value_of(const Partial& value) {
  return static_cast<std::uint64_t>(std::get<Residues>(value).residue.at(0));
}

Processors processors(int gpus, bool cpu) {
  Processors result;
  result.cpu = cpu;
  for (int k = 0; k < gpus; ++k) result.gpus.push_back(emulated_gpu(k));
  return result;
}

TEST(UnitQueue, EveryUnitOnceAndTheLoneOneByItself) {
  for (const std::uint64_t alone : {0U, 1U, 7U, 19U}) {
    UnitQueue queue;
    queue.put(0, {0, 20}, alone);
    std::uint64_t next = 0;
    bool by_itself = false;
    for (std::uint64_t most = 0; queue.left() > 0; ++most) {
      const UnitRange range = queue.take(0, most);
      EXPECT_EQ(range.first, next);
      EXPECT_GE(range.size(), 1U);
      EXPECT_LE(range.size(), std::max<std::uint64_t>(most, 1));
      if (range.first == alone) by_itself = range.size() == 1;
      EXPECT_FALSE(range.first < alone && alone < range.last);
      next = range.last;
    }
    EXPECT_EQ(next, 20U);
    EXPECT_TRUE(by_itself);
    EXPECT_FALSE(queue.next([](std::size_t) { return true; }));
  }
}

TEST(DeviceExecution, EveryUnitOnceWhateverTheMix) {
  const Arithmetic arithmetic = one_prime();
  for (const int gpus : {1, 2, 4}) {
    for (const bool cpu : {false, true}) {
      Diary diary;
      std::mutex mutex;
      std::map<std::uint64_t, int> times;
      std::set<int> seen;
      bool sampled_alone = false;
      Script script;
      script.units = 400;
      script.device_rate = 1e6;
      script.during_run = [&](std::uint64_t unit, const StopSignal&) {
        const std::lock_guard lock(mutex);
        ++times[unit];
      };
      script.during_range = [&](int gpu, std::uint64_t first, std::uint64_t last, const StopSignal&) {
        const std::lock_guard lock(mutex);
        seen.insert(gpu);
        if (first == 250) sampled_alone = last == 251;
      };
      const FakeJob job(script, arithmetic, diary, nullptr);
      const CountOptions options;
      Monitor monitor(options);
      const Task task{&job, &arithmetic, "fake", 1, processors(gpus, cpu)};
      const std::vector<TaskResult> results = run_tasks({task}, cpu ? gpus + 3 : 1, monitor);
      EXPECT_EQ(value_of(results.at(0).value), 400U) << gpus << " GPUs";
      EXPECT_EQ(value_of(results[0].sampled_value), 1U);
      EXPECT_EQ(results[0].sampled_unit, 250U);
      ASSERT_EQ(times.size(), 400U);
      for (const auto& [unit, count] : times) EXPECT_EQ(count, 1) << "unit " << unit;
      if (!cpu) {
        EXPECT_TRUE(sampled_alone);
        EXPECT_FALSE(seen.empty());
      }
      for (const int gpu : seen) EXPECT_LT(gpu, gpus);  // beside the CPU a GPU may come too late for any
    }
  }
}

TEST(DeviceExecution, AllGpusWorkWhereThereIsWork) {
  const Arithmetic arithmetic = one_prime();
  Diary diary;
  std::atomic<int> started{0};
  Script script;
  script.units = 100;
  script.device_rate = 1;  // so that the first range is one unit
  script.during_range = [&](int, std::uint64_t, std::uint64_t, const StopSignal&) {
    // Nobody goes on before all three have a range.
    ++started;
    while (started < 3) std::this_thread::yield();
  };
  const FakeJob job(script, arithmetic, diary, nullptr);
  const CountOptions options;
  Monitor monitor(options);
  const Task task{&job, &arithmetic, "fake", 1, processors(3, false)};
  EXPECT_EQ(value_of(run_tasks({task}, 1, monitor).at(0).value), 100U);
}

TEST(DeviceExecution, TasksOnGpusAndOnTheCpuSideBySide) {
  const Arithmetic arithmetic = one_prime();
  Diary diary;
  Script script;
  script.units = 9;
  script.device_rate = 1e6;
  const FakeJob on_gpu(script, arithmetic, diary, nullptr);
  const FakeJob on_cpu(script, arithmetic, diary, nullptr);
  script.runs_on_all_threads = true;
  const FakeJob wide(script, arithmetic, diary, nullptr);
  const CountOptions options;
  Monitor monitor(options);
  const std::vector<TaskResult> results = run_tasks({{&on_cpu, &arithmetic, "cpu", 1, {}},
                                                     {&on_gpu, &arithmetic, "gpu", 1, processors(2, false)},
                                                     {&wide, &arithmetic, "wide", 1, {}}},
                                                    2, monitor);
  for (const TaskResult& result : results) EXPECT_EQ(value_of(result.value), 9U);
}

TEST(DeviceExecution, FailuresPassThrough) {
  const Arithmetic arithmetic = one_prime();
  for (const bool on_gpu : {false, true}) {
    Diary diary;
    Script script;
    script.units = 1000;
    script.device_rate = 1;
    if (on_gpu) {
      script.during_range = [](int gpu, std::uint64_t, std::uint64_t, const StopSignal& stop) {
        if (gpu == 1) throw UnableError("a GPU fell off the bus", "");
        // The other waits to be stopped.
        while (true) stop.check();
      };
    } else {
      script.during_run = [](std::uint64_t unit, const StopSignal&) {
        if (unit == 500) throw UnableError("no more", "");
      };
    }
    const FakeJob job(script, arithmetic, diary, nullptr);
    const CountOptions options;
    Monitor monitor(options);
    // No CPU beside GPUs that fail: it could take all units before the second GPU has one.
    const Task task{&job, &arithmetic, "fake", 1, processors(2, !on_gpu)};
    EXPECT_THROW(run_tasks({task}, 4, monitor), UnableError);
  }
}

TEST(DeviceExecution, StopsWhereItIsAskedTo) {
  const Arithmetic arithmetic = one_prime();
  Diary diary;
  std::atomic<bool> interrupted{false};
  Script script;
  script.units = 1000;
  script.device_rate = 1;
  script.during_range = [&](int, std::uint64_t, std::uint64_t, const StopSignal& stop) {
    interrupted = true;
    while (true) {
      stop.check();
      std::this_thread::yield();
    }
  };
  const FakeJob job(script, arithmetic, diary, nullptr);
  CountOptions options;
  options.interrupted = [&] { return interrupted.load(); };
  Monitor monitor(options);
  EXPECT_THROW(run_tasks({{&job, &arithmetic, "fake", 1, processors(2, false)}}, 1, monitor),
               InterruptedError);
}

// A planner's table of one method.
class DevicePlan : public ::testing::Test {
 protected:
  static BlockPlan plan(const Script& script, const CountOptions& options) {
    const FakeMethod method(script);
    const std::vector<const Method*> methods{&method};
    PlanRequest request;
    request.candidates.methods = &methods;
    const Resources resources = resources_for(options);
    Monitor monitor(options);
    return plan_block(testing::all_ones(12), WeightKind::none, options, resources, request, monitor);
  }

  static Script script(double log2_work, double device_rate, std::uint64_t units = 16) {
    Script result;
    result.units = units;
    result.log2_work = log2_work;
    result.device_rate = device_rate;
    return result;
  }
};

TEST_F(DevicePlan, AutoTakesTheGpuWhereItIsFaster) {
  CountOptions options;
  options.threads = 1;
  options.emulated_gpus = 2;
  // 2^23 steps at 10^6 a second: 8.4 s.
  EXPECT_EQ(plan(script(23, 5e6, 4096), options).processors.name(), "gpu+cpu");
  // A thread would do 1 / 200 of what the GPUs do.
  EXPECT_EQ(plan(script(23, 1e8, 4096), options).processors.name(), "gpu");
  // One of 16 units takes the CPU 0.5 s, and the two GPUs are through with all in 0.04.
  EXPECT_EQ(plan(script(23, 1e8), options).processors.name(), "gpu");
  EXPECT_EQ(plan(script(23, 3e6), options).processors.name(), "gpu");        // 0.5 beside 1.4 s
  EXPECT_EQ(plan(script(23, 1.5e6), options).processors.name(), "gpu+cpu");  // 0.5 beside 2.8 s
  EXPECT_EQ(plan(script(23, 5e6), options).processors.gpus.size(), 2U);      // 0.8 s with both, 1.7 with one
  EXPECT_EQ(plan(script(23, 1e8), options).processors.gpus.size(),
            1U);  // 0.08 with one, and 0.2 to start both
  // What the two GPUs save, 0.2 %, is less than the 0.1 s that they need to start.
  EXPECT_EQ(plan(script(23, 1e3), options).processors.name(), "cpu");
  EXPECT_EQ(plan(script(23, 0), options).processors.name(), "cpu");
  // Short counts are not worth a GPU, however fast.
  EXPECT_EQ(plan(script(18, 1e12), options).processors.name(), "cpu");
  options.gpus = 1;
  EXPECT_EQ(plan(script(23, 1e8), options).processors.gpus.size(), 1U);
  options.gpus = 0;
  options.device = "cpu";
  EXPECT_EQ(plan(script(23, 1e8), options).processors.name(), "cpu");
}

TEST_F(DevicePlan, ThePredictionAddsUpTheRates) {
  CountOptions options;
  options.threads = 1;
  options.emulated_gpus = 2;
  const double work = 8388608;
  EXPECT_NEAR(plan(script(23, 1e6), options).seconds, 0.3 + work / 3e6, 0.01);
  options.device = "gpu";
  EXPECT_NEAR(plan(script(23, 1e6), options).seconds, 0.3 + work / 2e6, 0.01);
}

TEST_F(DevicePlan, NothingButGpus) {
  CountOptions options;
  options.device = "gpu";
  options.emulated_gpus = 1;
  EXPECT_EQ(plan(script(10, 1), options).processors.name(), "gpu");
  const BlockPlan none = plan(script(10, 0), options);
  EXPECT_EQ(none.job, nullptr);
  EXPECT_EQ(none.forecast.methods.at(0).obstacle,
            (Refusal{RefusalKind::no_gpu_form, "it does not run on a GPU"}));
}

// The whole way with a real kernel: from a graph to a checked number.
TEST(DeviceExecution, RyserCountsOnGpusWhatItCountsOnTheCpu) {
  for (const Index n : {Index{6}, Index{12}, Index{15}}) {
    testing::TestMatrix matrix;
    matrix.n = n;
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        if (i == j || (3 * i * i + 5 * j + i * j) % 7 < 5) matrix.entries.push_back({i, j, {1, 0}});
      }
    }
    CountOptions options;
    options.method = "ryser";
    options.rules.enabled.fill(false);
    const CountResult expected = count(testing::to_graph(matrix), options);
    EXPECT_EQ(expected.device, "cpu");
    options.device = "gpu";
    for (const int gpus : {1, 2, 3}) {
      options.emulated_gpus = gpus;
      const CountResult result = count(testing::to_graph(matrix), options);
      EXPECT_EQ(result.count, expected.count) << n << " rows, " << gpus << " GPUs";
      EXPECT_EQ(result.device, "gpu");
      EXPECT_TRUE(result.proved);
    }
  }
}

// planar counts modulo primes of its own on GPUs: other residues, the same number.
TEST(DeviceExecution, PlanarCountsOnGpusWhatItCountsOnTheCpu) {
  for (const char* spec : {"square:2x3", "square:8x8", "square:20x20", "aztec:9", "triangular:10x11"}) {
    CountOptions options;
    options.method = "planar";
    options.rules.enabled.fill(false);
    const CountResult expected = count(lattice_graph(spec), options);
    EXPECT_EQ(expected.device, "cpu");
    options.device = "gpu";
    for (const int gpus : {1, 3}) {
      options.emulated_gpus = gpus;
      const CountResult result = count(lattice_graph(spec), options);
      EXPECT_EQ(result.count, expected.count) << spec << ", " << gpus << " GPUs";
      EXPECT_EQ(result.device, "gpu");
      EXPECT_TRUE(result.proved);
    }
  }
}

// The four terms of a torus, too.
TEST(DeviceExecution, CondensationCountsOnGpusWhatItCountsOnTheCpu) {
  for (const char* spec : {"square:2x3", "square:12x12", "triangular:6x7", "torus:6x8"}) {
    CountOptions options;
    options.method = "condensation";
    options.rules.enabled.fill(false);
    const CountResult expected = count(lattice_graph(spec), options);
    options.device = "gpu";
    for (const int gpus : {1, 2}) {
      options.emulated_gpus = gpus;
      const CountResult result = count(lattice_graph(spec), options);
      EXPECT_EQ(result.count, expected.count) << spec << ", " << gpus << " GPUs";
      EXPECT_EQ(result.device, "gpu");
      EXPECT_TRUE(result.proved);
    }
  }
}

/// Where GPUs are there but not worth it, the CPU keeps its own primes.
TEST_F(DevicePlan, PrimesOfTheDeviceThatCounts) {
  const auto bits = [](const std::string& device) {
    Instance instance = to_instance(lattice_graph("square:16x16"));
    Block<std::int64_t> block;
    static_cast<SparsePattern&>(block.matrix) = std::move(instance.pattern);
    block.matrix.value.assign(block.matrix.column.size(), 1);
    CountOptions options;
    options.device = device;
    options.emulated_gpus = 1;
    PlanRequest request;
    request.candidates.method = "planar";
    Monitor monitor(options);
    const AnyBlock any = block;
    const BlockPlan plan =
        plan_block(any, WeightKind::none, options, resources_for(options), request, monitor);
    mpz_class prime(std::to_string(plan.choice.arithmetic.moduli.at(0).prime));
    return mpz_sizeinbase(prime.get_mpz_t(), 2);
  };
  EXPECT_EQ(bits("cpu"), 50U);
  EXPECT_EQ(bits("auto"), 50U);
  EXPECT_EQ(bits("gpu"), 29U);
}

TEST_F(DevicePlan, GpusThatAreNotThere) {
  CountOptions options;
  options.device = "gpu";
  options.emulated_gpus = 2;
  options.gpus = 3;
  try {
    choose_gpus(options);
    ADD_FAILURE() << "there are two";
  } catch (const UnableError& error) {
    EXPECT_NE(std::string(error.what()).find("3 GPUs asked for, and there are 2"), std::string::npos)
        << error.what();
  }
  options.gpus = 2;
  EXPECT_EQ(choose_gpus(options).size(), 2U);
  options.device = "cpu";
  EXPECT_TRUE(choose_gpus(options).empty());
}

}  // namespace
}  // namespace countpm
