// Frontier where one part's memory does not suffice: the table of all parts together.
#include <gtest/gtest.h>

#include <cmath>

#include "graph/errors.hpp"
#include "kernels/frontier/frontier.hpp"
#include "kernels/frontier/tables/spread_program.hpp"
#include "kernels/spread_form.hpp"
#include "kernels/support/plan_text.hpp"
#include "tests/kernels/frontier/frontier_testing.hpp"
#include "tests/kernels/frontier/thread_exchange.hpp"
#include "tests/repeats.hpp"

namespace countpm::frontier_spread_test {
namespace {

using namespace countpm::testing;

constexpr std::uint64_t fixed_bytes = std::uint64_t{1} << 20U;

/// Dense, so that branches cost much.
AnyBlock dense_case(Random& random, int kind) {
  switch (kind) {
    case 0:
      return random_pattern(random, static_cast<Index>(17 + below(random, 2)), 0.8);
    case 1:
      return random_graph(random, 18, 0.95);
    default:
      return random_block<std::int64_t>(random, 17, 0.8, true,
                                        [&] { return static_cast<std::int64_t>(1 + below(random, 9)); });
  }
}

SpreadForm& form_of(Job& job) {
  auto* const form = dynamic_cast<SpreadForm*>(&job);
  if (form == nullptr) throw std::logic_error("frontier shares no tables");
  return *form;
}

Residues run_shared(const std::vector<const SpreadForm*>& jobs, std::uint64_t units,
                    const Arithmetic& arithmetic) {
  const StopSignal never;
  const auto results = on_all_parts(static_cast<int>(jobs.size()), [&](Exchange& exchange) {
    Partial sum = zero(arithmetic);
    for (std::uint64_t unit = 0; unit < units; ++unit)
      add(sum, jobs[static_cast<std::size_t>(exchange.part())]->run_part(unit, exchange, never), arithmetic);
    return std::get<Residues>(std::move(sum));
  });
  for (const Residues& result : results) EXPECT_EQ(result, results.front());
  return results.front();
}

TEST(FrontierSpread, WhatDoesNotFitOnePart) {
  Random random(471);
  int shared = 0;
  int in_passes = 0;
  for (int round = 0; round < repeats(18) && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const AnyBlock block = dense_case(random, round % 3);
    Arithmetic arithmetic;
    arithmetic.moduli = choose_primes(static_cast<unsigned>(1 + below(random, 3)));
    const auto whole = frontier_method().make_job(block, arithmetic, {});
    const Residues expected = run_residues(*whole, arithmetic);
    EXPECT_EQ(parts_of(*whole), 1);
    const std::uint64_t needed = whole->bytes_shared() + whole->bytes_per_thread() - fixed_bytes;
    MethodOptions options;
    options.memory_bytes = fixed_bytes + (std::uint64_t{1} << 18U) + needed * (10 + below(random, 40)) / 100;
    const auto job = frontier_method().make_job(block, arithmetic, options);
    SpreadForm& form = form_of(*job);
    const int parts = static_cast<int>(2 + below(random, 4));
    const bool wanted = form.wants_parts();
    form.offer_parts({parts, options.memory_bytes});
    EXPECT_LE(job->bytes_shared() + job->bytes_per_thread(), options.memory_bytes) << job->describe();
    if (form.parts() == 1) {
      EXPECT_EQ(run_residues(*job, arithmetic), expected) << job->describe();
      continue;
    }
    EXPECT_TRUE(wanted);
    ++shared;
    if (job->units() > 1) ++in_passes;
    EXPECT_EQ(form.parts(), parts);
    EXPECT_TRUE(job->runs_on_all_threads());
    EXPECT_NE(job->describe().find("spread over " + std::to_string(parts) + " ranks"), std::string::npos)
        << job->describe();
    // The others make it of its plan.
    MethodOptions elsewhere = options;
    elsewhere.plan = job->plan();
    const auto planned = make_planned_job(frontier_method(), block, arithmetic, elsewhere);
    ASSERT_EQ(planned->units(), job->units());
    EXPECT_EQ(form_of(*planned).parts(), 1);
    form_of(*planned).offer_parts({parts, options.memory_bytes});
    EXPECT_EQ(form_of(*planned).parts(), parts);
    EXPECT_EQ(planned->bytes_shared(), job->bytes_shared());
    std::vector<const SpreadForm*> jobs{&form};
    while (jobs.size() < static_cast<std::size_t>(parts)) jobs.push_back(&form_of(*planned));
    EXPECT_EQ(run_shared(jobs, job->units(), arithmetic), expected) << job->describe();
    // One with the memory of all counts by itself.
    MethodOptions large;
    large.plan = job->plan();
    const auto alone = make_planned_job(frontier_method(), block, arithmetic, large);
    EXPECT_EQ(run_residues(*alone, arithmetic), expected);
  }
  EXPECT_GE(shared, fewest(4));
  EXPECT_LE(in_passes, shared);
}

TEST(FrontierSpread, WhatIsNotShared) {
  Random random(472);
  const AnyBlock block = random_pattern(random, 14, 0.8);
  // What fits and takes no time.
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(2);
  const auto small = frontier_method().make_job(block, arithmetic, {});
  EXPECT_FALSE(form_of(*small).wants_parts());
  form_of(*small).offer_parts({4, ~std::uint64_t{0} >> 8U});
  EXPECT_EQ(parts_of(*small), 1);
  // Floating point, whose last digits would depend on the parts.
  Arithmetic floating;
  floating.kind = Arithmetic::Kind::floating;
  MethodOptions little;
  little.memory_bytes = fixed_bytes + (std::uint64_t{1} << 16U);
  const auto rounded = frontier_method().make_job(block, floating, little);
  EXPECT_FALSE(form_of(*rounded).wants_parts());
  form_of(*rounded).offer_parts({4, little.memory_bytes});
  EXPECT_EQ(parts_of(*rounded), 1);
  // A plan with joins.
  MethodOptions forged;
  PlanWriter writer;
  writer.put_all("steps", std::vector<std::uint64_t>{no_index, no_index, std::uint64_t{no_index} + 1});
  writer.put("shared", 1);
  forged.plan = writer.text();
  EXPECT_THROW(frontier_method().make_job(block, arithmetic, forged), PlanError);
}

// So large that one part would be at it for minutes: it is shared though it fits.
TEST(FrontierSpread, WhatTakesOnePartLong) {
  const AnyBlock block = [] {
    Random random(473);
    return AnyBlock(random_pattern(random, 36, 0.3));
  }();
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(3);
  const auto job = frontier_method().make_job(block, arithmetic, {});
  ASSERT_TRUE(form_of(*job).wants_parts());
  const double by_one = std::exp2(job->log2_work()) / job->nominal_rate();
  form_of(*job).offer_parts({1024, std::uint64_t{1} << 50U});
  ASSERT_EQ(parts_of(*job), 1024) << job->describe();
  // Of all together, more than one takes, and of each far less.
  const double by_all = std::exp2(job->log2_work()) / job->nominal_rate();
  EXPECT_GT(by_all, by_one);
  EXPECT_LT(by_all / 1024, by_one / 2);
  // Two would hardly be faster than one.
  form_of(*job).offer_parts({2, std::uint64_t{1} << 50U});
  EXPECT_EQ(parts_of(*job), 1) << job->describe();
}

}  // namespace
}  // namespace countpm::frontier_spread_test
