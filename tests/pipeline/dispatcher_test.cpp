// The policy that hands units out to ranks, driven by hand and at random.
#include "src/distributed/dispatcher.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace countpm {
namespace {

DispatchTask units(std::uint64_t number, double unit_seconds = 1) {
  return {number, unit_seconds, {}};
}

/// All that a worker is given before it has enough.
std::vector<Assignment> fill(Dispatcher& dispatcher, std::size_t worker, double now) {
  std::vector<Assignment> given;
  while (const auto next = dispatcher.next(worker, now)) given.push_back(*next);
  return given;
}

std::uint64_t units_of(const std::vector<Assignment>& given) {
  std::uint64_t sum = 0;
  for (const Assignment& assignment : given) sum += assignment.range.size();
  return sum;
}

TEST(Dispatcher, AWorkerHoldsItsSlotsAndItsLead) {
  Dispatcher dispatcher({units(10'000, 0.1)});
  // 4 slots of one unit each, and half a second at 8 units' work in 0.1 s: 0.5 * 8 / 0.1 = 40 units more.
  const std::size_t worker = dispatcher.add_worker({4, 0.5, 8}, 0);
  EXPECT_EQ(units_of(fill(dispatcher, worker, 0)), 44U);
  EXPECT_EQ(units_of(fill(dispatcher, worker, 0)), 0U);
  EXPECT_TRUE(dispatcher.finish(worker, {0, {0, 10}}, 0.125));
  EXPECT_EQ(dispatcher.units_left(), 9990U);
  EXPECT_EQ(units_of(fill(dispatcher, worker, 0.125)), 10U);
}

TEST(Dispatcher, NobodyHoldsMoreThanItsShare) {
  Dispatcher dispatcher({units(10)});
  for (int k = 0; k < 4; ++k) dispatcher.add_worker({8, 1, 1}, 0);
  std::vector<std::uint64_t> given;
  for (std::size_t worker = 0; worker < 4; ++worker) given.push_back(units_of(fill(dispatcher, worker, 0)));
  EXPECT_EQ(given, (std::vector<std::uint64_t>{3, 3, 3, 1}));
}

TEST(Dispatcher, TheLastUnitIsNotForTheSlow) {
  Dispatcher dispatcher({units(2)});
  const std::size_t fast = dispatcher.add_worker({1, 0.1, 100}, 0);
  const std::size_t slow = dispatcher.add_worker({1, 0.1, 1}, 0);
  EXPECT_EQ(units_of(fill(dispatcher, slow, 0)), 0U);
  EXPECT_GE(units_of(fill(dispatcher, fast, 0)), 1U);
  // Without the fast one it is for whoever is there.
  dispatcher.lose(fast);
  EXPECT_EQ(units_of(fill(dispatcher, slow, 1)), 1U);
}

TEST(Dispatcher, WhatALostWorkerHeldIsFreeAgain) {
  Dispatcher dispatcher({units(8)});
  const std::size_t lost = dispatcher.add_worker({8, 1, 1}, 0);
  const std::uint64_t held = units_of(fill(dispatcher, lost, 0));
  EXPECT_EQ(held, 8U);
  dispatcher.lose(lost);
  EXPECT_FALSE(dispatcher.next(lost, 0));
  const std::size_t other = dispatcher.add_worker({8, 1, 1}, 0);
  EXPECT_EQ(units_of(fill(dispatcher, other, 0)), 8U);
  // The lost one was only slow: what it says first counts, and the other's is dropped where it overlaps.
  EXPECT_TRUE(dispatcher.finish(lost, {0, {0, 2}}, 1));
  EXPECT_FALSE(dispatcher.finish(other, {0, {1, 4}}, 1));
  EXPECT_EQ(dispatcher.units_left(), 6U);
  // Units 2 and 3 were the other's, and are nobody's now.
  EXPECT_TRUE(dispatcher.finish(other, {0, {4, 8}}, 1));
  EXPECT_EQ(units_of(fill(dispatcher, other, 1)) + units_of(fill(dispatcher, lost, 1)), 2U);
}

TEST(Dispatcher, StuckWorkersLoseTheirUnitsToIdleOnes) {
  Dispatcher dispatcher({units(4)}, {2, 4, 10});
  const std::size_t stuck = dispatcher.add_worker({2, 0.1, 2}, 0);
  const std::size_t other = dispatcher.add_worker({2, 0.1, 2}, 0);
  fill(dispatcher, stuck, 0);
  for (const Assignment& given : fill(dispatcher, other, 0)) dispatcher.finish(other, given, 1);
  EXPECT_EQ(dispatcher.reclaim(1), 0U);
  // It holds 1 s of work: 2 s of patience and 4 times that.
  EXPECT_EQ(dispatcher.reclaim(5.5), 0U);
  EXPECT_EQ(dispatcher.reclaim(6.5), 2U);
  for (const Assignment& given : fill(dispatcher, other, 7)) EXPECT_TRUE(dispatcher.finish(other, given, 8));
  EXPECT_TRUE(dispatcher.done());
  EXPECT_FALSE(dispatcher.finish(stuck, {0, {0, 2}}, 9));
}

TEST(Dispatcher, DoneUnitsAreNotGivenAndNonsenseIsRefused) {
  Dispatcher dispatcher({{10, 1, {{0, 3}, {5, 10}}}, {2, 1, {}}});
  EXPECT_EQ(dispatcher.units_left(), 4U);
  const std::size_t worker = dispatcher.add_worker({64, 1, 1}, 0);
  const std::vector<Assignment> given = fill(dispatcher, worker, 0);
  ASSERT_EQ(given.size(), 2U);  // a range is of one task
  EXPECT_EQ(given[0].range.first, 3U);
  EXPECT_EQ(given[0].range.last, 5U);
  EXPECT_EQ(given[1].task, 1U);
  EXPECT_FALSE(dispatcher.finish(worker, {0, {2, 4}}, 1));
  EXPECT_FALSE(dispatcher.finish(worker, {1, {0, 3}}, 1));
  EXPECT_FALSE(dispatcher.finish(worker, {2, {0, 1}}, 1));
  EXPECT_FALSE(dispatcher.finish(worker, {1, {1, 1}}, 1));
  EXPECT_EQ(dispatcher.units_left(), 4U);
}

/// Workers that finish parts of what they hold in any order, repeat themselves, fall silent and come back:
/// every unit is accepted once.
TEST(Dispatcher, NoUnitIsLostOrCountedTwiceWhateverFails) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const auto below = [&](std::uint64_t n) { return random() % n; };
    std::vector<DispatchTask> tasks;
    std::vector<std::vector<int>> times;
    for (std::uint64_t t = 0, n = 1 + below(4); t < n; ++t) {
      tasks.push_back(units(1 + below(200), 0.1 + static_cast<double>(below(30)) / 10));
      if (tasks[t].units > 20) tasks[t].done = {{5, 9}, {12, 13}};
      times.emplace_back(tasks[t].units, 0);
      for (const UnitRange& range : tasks[t].done) {
        for (std::uint64_t unit = range.first; unit < range.last; ++unit) times[t][unit] = 1;
      }
    }
    Dispatcher dispatcher(tasks, {1, 2, 10});
    std::vector<std::vector<Assignment>> holds;
    double now = 0;
    for (int steps = 0; !dispatcher.done(); ++steps) {
      ASSERT_LT(steps, 200'000);
      now += static_cast<double>(below(100)) / 1000;
      if (holds.empty() || (holds.size() < 8 && below(50) == 0)) {
        dispatcher.add_worker({static_cast<unsigned>(1 + below(4)), 0.3, 0.5 + static_cast<double>(below(8))},
                              now);
        holds.emplace_back();
      }
      const std::size_t worker = below(holds.size());
      for (const Assignment& given : fill(dispatcher, worker, now)) holds[worker].push_back(given);
      if (below(40) == 0) dispatcher.lose(worker);
      if (below(10) == 0) dispatcher.find(worker);
      if (below(20) == 0) dispatcher.reclaim(now);
      if (holds[worker].empty() || below(5) == 0) continue;
      Assignment& some = holds[worker][below(holds[worker].size())];
      const std::uint64_t first = some.range.first + below(some.range.size());
      const Assignment part{some.task, {first, first + 1 + below(some.range.last - first)}};
      if (dispatcher.finish(worker, part, now)) {
        for (std::uint64_t unit = part.range.first; unit < part.range.last; ++unit) ++times[part.task][unit];
      }
      if (below(3) == 0) {
        std::swap(some, holds[worker].back());
        holds[worker].pop_back();
        if (holds[worker].empty()) dispatcher.lose(worker);  // it forgot the rest: it was started anew
      }
    }
    for (const std::vector<int>& task : times)
      EXPECT_TRUE(std::all_of(task.begin(), task.end(), [](int n) { return n == 1; }));
  }
}

}  // namespace
}  // namespace countpm
