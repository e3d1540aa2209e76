// The scheduler: every number once, ranges by the speed that is seen, failures, stops, and stock that comes
// later.
#include "src/run/scheduler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <random>
#include <string>

#include "graph/errors.hpp"
#include "src/units/in_order.hpp"

namespace countpm {
namespace {

/// What somebody took: of which task, by which GPU (or none).
struct TakenRange {
  std::size_t task;
  int gpu;
  UnitRange range;
};

/// Of the calling thread: it moves by what the thread's work claims to take.
thread_local double claimed_time = 0;
double claimed_clock() {
  return claimed_time;
}

/// Claims the seconds that it is told to.
class ClaimedWork : public Work {
 public:
  Pace cpu;
  Pace gpu;
  std::function<bool(std::size_t task, bool on_gpu)> taking = [](std::size_t, bool) { return true; };
  std::function<double(const TakenRange& taken)> during = [](const TakenRange&) { return 0; };
  std::function<bool()> enough = [] { return false; };
  std::atomic<int> stopped = 0;
  StopSignal stop;

  std::vector<TakenRange> ranges() {
    const std::lock_guard lock(mutex_);
    return ranges_;
  }
  std::map<std::uint64_t, int> times(std::size_t task) {
    std::map<std::uint64_t, int> result;
    for (const TakenRange& taken : ranges()) {
      for (std::uint64_t k = taken.range.first; taken.task == task && k < taken.range.last; ++k) ++result[k];
    }
    return result;
  }

  bool takes(std::size_t task, bool on_gpu) const override { return taking(task, on_gpu); }
  Pace on_cpu(std::size_t) const override { return cpu; }
  GpuRunner on_gpu(std::size_t task, std::size_t number) override {
    return {gpu, [this, task, number](const UnitRange& range) {
              note({task, static_cast<int>(number), range});
            }};
  }
  void run(std::size_t task, const UnitRange& range) override { note({task, -1, range}); }
  bool ended() override { return enough(); }
  void stop_others() override {
    ++stopped;
    stop.request();
  }

 private:
  void note(const TakenRange& taken) {
    {
      const std::lock_guard lock(mutex_);
      ranges_.push_back(taken);
    }
    claimed_time += during(taken);
  }

  std::mutex mutex_;
  std::vector<TakenRange> ranges_;
};

TEST(Scheduler, EveryNumberOnceWhateverTheMix) {
  for (const std::size_t gpus : {0U, 1U, 3U}) {
    for (const int threads : {0, 1, 4}) {
      if (gpus == 0 && threads == 0) continue;
      ClaimedWork work;
      work.gpu.seconds = 1;
      work.gpu.rate = 50;
      work.cpu.most = 3;
      work.cpu.seconds = 1;
      work.cpu.rate = 2;
      work.during = [](const TakenRange& taken) {
        return static_cast<double>(taken.range.size()) / (taken.gpu < 0 ? 2 : 50);
      };
      Scheduler scheduler(work, gpus, threads, work.stop, claimed_clock);
      scheduler.put(0, {0, 700}, 437);
      scheduler.put(1, {5, 6});
      scheduler.put(1, {6, 900});
      scheduler.run();
      for (const std::size_t task : {0U, 1U}) {
        const auto times = work.times(task);
        EXPECT_EQ(times.size(), task == 0 ? 700U : 895U);
        for (const auto& [number, count] : times) EXPECT_EQ(count, 1) << number;
      }
      for (const TakenRange& taken : work.ranges()) {
        if (taken.task == 0 && taken.range.first <= 437 && 437 < taken.range.last) {
          EXPECT_EQ(taken.range.size(), 1U);
        }
        EXPECT_LE(taken.range.size(), taken.gpu < 0 ? 3U : 50U);
      }
    }
  }
}

TEST(Scheduler, RangesTakeAsLongAsThePaceSaysAndShrinkTowardsTheEnd) {
  ClaimedWork work;
  work.gpu.seconds = 0.5;
  work.gpu.least_seconds = 1.0 / 64;
  work.gpu.rate = 10;  // in truth 1024
  work.during = [](const TakenRange& taken) { return static_cast<double>(taken.range.size()) / 1024; };
  Scheduler scheduler(work, 1, 0, work.stop, claimed_clock);
  scheduler.put(0, {0, 10000});
  scheduler.run();
  const std::vector<TakenRange> ranges = work.ranges();
  ASSERT_GT(ranges.size(), 20U);
  EXPECT_EQ(ranges[0].range.size(), 5U);  // half a second of what was expected
  std::uint64_t left = 10000;
  for (std::size_t k = 0; k < ranges.size(); ++k) {
    // Half of what is left, as it is alone; a 64th of a second at least.
    const std::uint64_t wanted = std::max<std::uint64_t>(std::min<std::uint64_t>(512, left / 2), 16);
    if (k > 0) {
      EXPECT_EQ(ranges[k].range.size(), std::min(wanted, left)) << k;
    }
    left -= ranges[k].range.size();
  }
}

TEST(Scheduler, ARateThatIsNotKnownBeginsWithTheLeast) {
  ClaimedWork work;
  work.cpu.seconds = 1;
  work.cpu.least = 7;
  work.during = [](const TakenRange& taken) { return static_cast<double>(taken.range.size()) / 128; };
  Scheduler scheduler(work, 0, 1, work.stop, claimed_clock);
  scheduler.put(0, {0, 1000});
  scheduler.run();
  ASSERT_GE(work.ranges().size(), 2U);
  EXPECT_EQ(work.ranges()[0].range.size(), 7U);
  EXPECT_EQ(work.ranges()[1].range.size(), 128U);
  EXPECT_EQ(scheduler.cpu_seconds_each(0), 1.0 / 128);
}

TEST(Scheduler, AThreadLeavesAloneWhatGpusWillHaveDone) {
  ClaimedWork work;
  work.gpu.most = 1;
  work.gpu.rate = 1000;
  work.cpu.most = 1;
  std::atomic<int> by_cpu = 0;
  std::atomic<int> by_gpu = 0;
  claimed_time = 0;
  std::atomic<bool> looked_again = false;
  work.taking = [&](std::size_t, bool on_gpu) {
    if (!on_gpu && claimed_time > 0) looked_again = true;  // this thread has run something
    return true;
  };
  work.during = [&](const TakenRange& taken) {
    if (taken.gpu >= 0) {
      ++by_gpu;
      // The second range lasts until the CPU has looked for more.
      while (by_cpu == 0 || (by_gpu == 2 && !looked_again)) std::this_thread::yield();
      return 0.001;
    }
    ++by_cpu;
    // Through with its first once the GPU is seen to be fast.
    while (by_gpu < 2) std::this_thread::yield();
    return 1e6;
  };
  Scheduler scheduler(work, 1, 1, work.stop, claimed_clock);
  scheduler.put(0, {0, 500});
  scheduler.run();
  EXPECT_EQ(by_cpu, 1);
  EXPECT_EQ(work.times(0).size(), 500U);
  // What no GPU takes it does, however long that is.
  ClaimedWork alone;
  alone.taking = [](std::size_t task, bool on_gpu) { return task == 0 || !on_gpu; };
  alone.cpu = work.cpu;
  alone.during = [](const TakenRange& taken) { return taken.gpu < 0 ? 1e6 : 0.001; };
  Scheduler with_other(alone, 1, 1, alone.stop, claimed_clock);
  with_other.put(0, {0, 5});
  with_other.put(1, {0, 5});
  with_other.run();
  EXPECT_EQ(alone.times(1).size(), 5U);
  for (const TakenRange& taken : alone.ranges()) {
    if (taken.task == 1) {
      EXPECT_EQ(taken.gpu, -1);
    }
  }
}

TEST(Scheduler, AThreadExpectsAnotherNumberAsLongAsTheLongest) {
  ClaimedWork work;
  work.gpu.most = 1;
  work.gpu.rate = 1000;
  work.cpu.most = 1;
  std::atomic<int> by_cpu = 0;
  std::atomic<int> by_gpu = 0;
  std::atomic<bool> looked_again = false;
  work.taking = [&](std::size_t, bool on_gpu) {
    if (!on_gpu && by_cpu == 4 && claimed_time > 1) looked_again = true;
    return true;
  };
  work.during = [&](const TakenRange& taken) {
    if (taken.gpu >= 0) {
      ++by_gpu;
      while (by_cpu < 4 || (by_gpu == 2 && !looked_again)) std::this_thread::yield();
      return 0.001;
    }
    const int before = by_cpu++;
    // Through with its fourth once the GPU is seen to be fast, which has half a second's work left.
    while (before == 3 && by_gpu < 2) std::this_thread::yield();
    return before == 0 ? 1.0 : 0.001;
  };
  claimed_time = 0;
  Scheduler scheduler(work, 1, 1, work.stop, claimed_clock);
  scheduler.put(0, {0, 500});
  scheduler.run();
  EXPECT_EQ(by_cpu, 4);  // 0.25 s each, one of them a whole second
  EXPECT_EQ(work.times(0).size(), 500U);
}

TEST(Scheduler, WhatIsThrownComesOutAndStopsTheOthers) {
  for (const int failing : {-1, 1}) {
    ClaimedWork work;
    work.gpu.most = 1;
    work.cpu.most = 1;
    std::atomic<int> running = 0;
    work.during = [&](const TakenRange& taken) -> double {
      ++running;
      while (running < 3) std::this_thread::yield();
      if (taken.gpu == failing) throw UnableError("it fell off the bus", "");
      while (true) work.stop.check();
    };
    Scheduler scheduler(work, 2, 1, work.stop, claimed_clock);
    scheduler.put(0, {0, 1000});
    EXPECT_THROW(scheduler.run(), UnableError);
    EXPECT_EQ(work.ranges().size(), 3U);
    EXPECT_EQ(work.stopped, 1);
  }
}

TEST(Scheduler, NothingBeginsAfterAStopNorAfterTheEndButTheFirst) {
  ClaimedWork work;
  work.cpu.most = 1;
  work.enough = [&] { return work.ranges().size() >= 3; };
  {
    Scheduler scheduler(work, 0, 1, work.stop, claimed_clock);
    scheduler.put(0, {0, 10});
    scheduler.run();
  }
  EXPECT_EQ(work.ranges().size(), 3U);
  work.enough = [] { return true; };
  {
    Scheduler scheduler(work, 0, 1, work.stop, claimed_clock);
    scheduler.put(0, {0, 10});
    scheduler.run();
  }
  EXPECT_EQ(work.ranges().size(), 4U);
  work.stop.request();
  Scheduler scheduler(work, 1, 2, work.stop, claimed_clock);
  scheduler.put(0, {0, 10});
  scheduler.run();
  EXPECT_EQ(work.ranges().size(), 4U);
}

TEST(Scheduler, StockMayComeLater) {
  ClaimedWork work;
  work.cpu.most = 1;
  work.gpu.most = 10;
  {
    Scheduler scheduler(work, 1, 2, work.stop, claimed_clock);
    scheduler.start();
    EXPECT_EQ(scheduler.cpu_threads(), 2);
    for (std::uint64_t k = 0; k < 50; ++k) {
      scheduler.put(k % 2, {10 * k, 10 * k + 10});
      if (k % 10 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    while (work.times(0).size() + work.times(1).size() < 500) std::this_thread::yield();
    scheduler.rethrow();
  }
  for (const std::size_t task : {0U, 1U}) {
    for (const auto& [number, count] : work.times(task)) EXPECT_EQ(count, 1) << number;
  }
}

TEST(Scheduler, WhatHasNotBegunIsForgotten) {
  ClaimedWork work;
  work.cpu.most = 1;
  std::atomic<bool> begun = false;
  work.during = [&](const TakenRange&) -> double {
    begun = true;
    while (true) work.stop.check();
  };
  {
    Scheduler scheduler(work, 0, 1, work.stop, claimed_clock);
    scheduler.start();
    scheduler.put(0, {0, 100});
    while (!begun) std::this_thread::yield();
    work.stop.request();
  }
  EXPECT_EQ(work.ranges().size(), 1U);
}

TEST(Scheduler, ThreadsBesideGpus) {
  EXPECT_EQ(threads_beside(0, 4), 4);
  EXPECT_EQ(threads_beside(0, 0), 1);
  EXPECT_EQ(threads_beside(3, 4), 1);
  EXPECT_EQ(threads_beside(4, 4), 0);
  EXPECT_EQ(threads_beside(8, 4), 0);
}

TEST(InOrder, HandsOnInOrderWhateverComesFirst) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 200; ++round) {
    const std::uint64_t start = random() % 5;
    std::vector<UnitRange> ranges;
    for (std::uint64_t next = start; ranges.size() < 12;) {
      const std::uint64_t last = next + 1 + random() % 4;
      ranges.push_back({next, last});
      next = last;
    }
    std::shuffle(ranges.begin(), ranges.end(), random);
    InOrder<std::string> in_order(start);
    std::uint64_t next = start;
    const auto take = [&](const UnitRange& range, const std::string& value) {
      EXPECT_EQ(range.first, next);
      EXPECT_EQ(value, std::to_string(range.first));
      next = range.last;
    };
    for (const UnitRange& range : ranges) {
      in_order.add(range, std::to_string(range.first), take);
    }
    std::uint64_t end = start;
    for (const UnitRange& range : ranges) end = std::max(end, range.last);
    EXPECT_EQ(next, end);
  }
  InOrder<int> with_gap;
  std::vector<std::uint64_t> taken;
  const auto take = [&](const UnitRange& range, int) { taken.push_back(range.first); };
  with_gap.add({7, 8}, 0, take);
  with_gap.add({3, 5}, 0, take);
  with_gap.add({0, 2}, 0, take);
  EXPECT_EQ(taken, (std::vector<std::uint64_t>{0}));
  with_gap.finish(take);
  EXPECT_EQ(taken, (std::vector<std::uint64_t>{0, 3, 7}));
}

}  // namespace
}  // namespace countpm
