// Who gets how much search, with scripted methods.
#include "src/plan/search_plans.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/pipeline/scripted_table.hpp"
#include "tests/pipeline/small_inputs.hpp"

namespace countpm::search_plans_test {
namespace {

using testing::all_ones;
using testing::plain;
using testing::Script;
using testing::searching;
using testing::Table;
using testing::work_of;

std::vector<Candidate> candidates_of(const Table& table, const AnyBlock& block, const Resources& resources) {
  CandidateRequest request;
  request.methods = &table.methods;
  request.ask_all = true;
  return set_up_candidates(block, bound_of(block), WeightKind::none, {}, resources, request);
}

// The search alone, on the table's clock. Yields the seconds searched.
double search(Table& table, double seconds_left, const StopSignal& stop = StopSignal(),
              double planned_seconds = 0) {
  const AnyBlock block = all_ones(4);
  const Resources resources{1, std::uint64_t{1} << 30};
  CandidateRequest request;
  request.methods = &table.methods;
  request.ask_all = true;
  std::vector<Candidate> candidates = candidates_of(table, block, resources);
  SearchContext context;
  context.seconds_left = seconds_left;
  context.planned_seconds = planned_seconds;
  context.resources = &resources;
  context.stop = &stop;
  context.clock = [&table] { return table.clock; };
  context.join = [&](double spent) {
    return add_slow_candidates(candidates, block, bound_of(block), WeightKind::none, {}, resources, request,
                               spent);
  };
  return search_plans(candidates, context);
}

TEST(SearchPlans, NothingIsSearchedForWhereTheCountIsShort) {
  Table table({plain("a", 0.02), searching("b", 0.5, 0.01, 1e-6)});
  EXPECT_EQ(search(table, 3600), 0);
}

TEST(SearchPlans, TakesAShareOfTheCountAtMost) {
  // It never stands still, but each halving takes longer than it saves.
  for (const double seconds : {1.0, 10.0, 1000.0}) {
    Table table({searching("a", seconds, seconds / 10, 1e-9)});
    const double searched = search(table, 3600);
    EXPECT_GT(searched, 0.05 * seconds);
    EXPECT_LT(searched, 0.21 * seconds);
  }
}

// But for the first rounds, which find most.
TEST(SearchPlans, WhatWasPlannedBeforeLeavesLess) {
  for (const double before : {0.0, 15.0, 25.0, 31.0, 1000.0}) {
    Table table({searching("a", 100, 10, 1e-9)});
    const double searched = search(table, 3600, {}, before);
    EXPECT_LE(searched, std::max(30 - before, 12.0) + 0.01) << before;
    EXPECT_GT(searched, 0) << before;
  }
}

TEST(SearchPlans, StopsWhereSearchingPaysNoMore) {
  Table idle({searching("a", 1000, 1, 1000)});
  EXPECT_LT(search(idle, 3600), 10);  // three slices without a gain
  EXPECT_GE(idle.diary(0).slices.size(), 2U);
  Table slow({searching("a", 1000, 2000, 1)});  // a second of search saves a third of a second
  EXPECT_LT(search(slow, 3600), 10);
}

TEST(SearchPlans, GoesOnWhileItSavesMoreThanItTakes) {
  Table table({searching("a", 1000, 1, 0.1)});
  const double searched = search(table, 3600);
  EXPECT_GT(searched, 5);  // 1000 s down to some 20 s
  EXPECT_LT(searched, 15);
}

/// The one candidate of a table where GPUs count alone, after the search.
std::vector<Candidate> searched_on_gpus(Table& table) {
  const AnyBlock block = all_ones(4);
  Resources resources{1, std::uint64_t{1} << 30};
  resources.cpu = false;
  resources.gpus = {emulated_gpu(0)};
  std::vector<Candidate> candidates = candidates_of(table, block, resources);
  SearchContext context;
  context.seconds_left = 3600;
  context.resources = &resources;
  const StopSignal never;
  context.stop = &never;
  context.clock = [&table] { return table.clock; };
  search_plans(candidates, context);
  return candidates;
}

// Of an order that gets smaller, down to what fits; of one that does not; and of one that no search changes.
TEST(SearchPlans, MayBringTablesWithinTheMemoryOfGpus) {
  Script script = searching("a", 100, 1, 90);
  script.device_rate = 1e6;
  script.gpu_memory_gap = [](double searched) { return 2 - searched; };
  Table shrinking({script});
  const std::vector<Candidate> fits = searched_on_gpus(shrinking);
  EXPECT_TRUE(fits.at(0).can());
  EXPECT_EQ(fits[0].processors.gpus.size(), 1U);
  EXPECT_FALSE(fits[0].obstacle);
  EXPECT_GT(shrinking.diary(0).searched(), 2);

  script.gpu_memory_gap = [](double) { return 2.0; };
  Table large({script});
  const std::vector<Candidate> refused = searched_on_gpus(large);
  EXPECT_FALSE(refused.at(0).can());
  EXPECT_EQ(refused[0].obstacle,
            (Refusal{RefusalKind::gpu_memory, "it does not run on a GPU: the GPU is full"}));
  EXPECT_NEAR(refused[0].log10_too_large, 2 * std::log10(2), 1e-12);
  EXPECT_GT(large.diary(0).searched(), 0);

  script.search = nullptr;
  Table fixed({script});
  EXPECT_EQ(searched_on_gpus(fixed).at(0).job, nullptr);
}

TEST(SearchPlans, WhoIsSlowToSetUpJoinsALongSearch) {
  Script slow = plain("slow", 0.01);
  slow.setup_seconds = 0.1;
  Table table({slow, searching("a", 1000, 5, 0.1)});
  const double searched = search(table, 3600);
  EXPECT_EQ(table.diary(0).jobs, 1);
  EXPECT_GE(searched, 1);  // ten times as long as asking takes
  EXPECT_LT(searched, 3);  // and what it says ends the search
  Script slow_searcher = searching("slow", 100, 1, 0.1);
  slow_searcher.setup_seconds = 0.1;
  Table both({slow_searcher, searching("a", 1000, 2, 0.1)});
  search(both, 3600);
  EXPECT_EQ(both.diary(0).jobs, 1);
  EXPECT_GE(both.diary(0).slices.size(), 2U);
  EXPECT_GE(both.diary(1).slices.size(), 2U);
}

TEST(SearchPlans, SlicesGrow) {
  Table table({searching("a", 1000, 5, 0.1)});
  search(table, 3600);
  const std::vector<double>& slices = table.diary(0).slices;
  ASSERT_GE(slices.size(), 4U);
  EXPECT_LE(slices.front(), 0.25);
  for (std::size_t k = 1; k + 1 < slices.size(); ++k) EXPECT_EQ(slices[k], 2 * slices[k - 1]);
}

TEST(SearchPlans, TheHopelessGetNothing) {
  // 10^5 times slower: worth one look; it gains nothing and gets no second slice.
  Table far({searching("a", 100, 1000, 90), searching("b", 1e7, 1, 1e7)});
  search(far, 3600);
  EXPECT_EQ(far.diary(1).slices.size(), 1U);
  EXPECT_GT(far.diary(0).slices.size(), 1U);
  // 10^15 times slower: not even that.
  Table astronomic({searching("a", 100, 1000, 90), searching("b", 1e17, 1, 1e17)});
  search(astronomic, 3600);
  EXPECT_EQ(astronomic.diary(1).slices.size(), 0U);
}

TEST(SearchPlans, WhoCatchesUpIsSearchedOn) {
  // 10^5 times slower at first, and ten thousand times faster in the end.
  Table table({plain("a", 100), searching("b", 1e7, 0.02, 0.01)});
  search(table, 3600);
  EXPECT_LT(table.diary(1).searched(), 21);
  EXPECT_GT(table.diary(1).searched(), 0.02 * 30);  // more than 30 halvings
}

TEST(SearchPlans, BeyondTheLimitSearchesLongerWhileThereIsHope) {
  Table hope({searching("a", 1e6, 0.5, 1)});
  const double searched = search(hope, 100);
  EXPECT_GT(searched, 3);
  EXPECT_LE(searched, 10);
  EXPECT_LT(std::exp2(work_of(1e6) - searched / 0.5), 1e6 * 100);  // it is within the limit now
  Table none({searching("a", 1e9, 1e9, 1)});
  EXPECT_LE(search(none, 3600), 6);
  Table astronomic({searching("a", 1e40, 1e9, 1)});
  EXPECT_LE(search(astronomic, 3600), 2);
}

TEST(SearchPlans, WhatDoesNotFitIsSearchedOnInHope) {
  // A million times beyond the memory and beyond the limit, and it loses a bit of both every 0.2 s.
  Script wide = searching("wide", 1e6, 0.2, 1e-3);
  wide.bytes_shared = std::uint64_t{1} << 50;
  Table table({plain("a", 1e30), wide});
  EXPECT_GT(search(table, 3600), 5);
}

TEST(SearchPlans, ShortButTooLargeIsRefusedSoon) {
  // Milliseconds of counting, 64 times the memory, and every slice gains next to nothing.
  Script large = searching("large", 0.005, 1e3, 1e-6);
  large.bytes_shared = std::uint64_t{1} << 36;
  Table table({large});
  EXPECT_LE(search(table, 3600), 6);
}

TEST(SearchPlans, NoLimitIsNoEndlessSearch) {
  Table table({searching("a", 1e60, 1e9, 1)});
  EXPECT_LT(search(table, std::numeric_limits<double>::infinity()), 2);
}

TEST(SearchPlans, CanBeStopped) {
  StopSignal stop;
  stop.request();
  Table table({searching("a", 1000, 1, 0.1)});
  EXPECT_THROW(search(table, 3600, stop), Stopped);
}

}  // namespace
}  // namespace countpm::search_plans_test
