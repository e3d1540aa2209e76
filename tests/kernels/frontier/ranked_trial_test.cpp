// What tables without keys are predicted to take: by nominal rates, and by trials, whose rates no test knows.
#include "kernels/frontier/ranked/ranked_trial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "kernels/frontier/frontier.hpp"
#include "kernels/frontier/ranked/step_runner.hpp"
#include "tests/kernels/frontier/banded_matrix.hpp"

namespace countpm::ranked_trial_test {
namespace {

using namespace countpm::testing;

RankedProgram program_of(const Band& band) {
  auto program = make_ranked_program(band.graph, integer_weights(band.block), band.elimination,
                                     ~std::uint32_t{0}, AlikeRule::apart);
  EXPECT_TRUE(program);
  return *std::move(program);
}

// Steps that threads share take the less the more of them there are, and pages, too; the rest does not.
TEST(RankedTrial, RatesAddUp) {
  const RankedProgram program = program_of(make_band(28, 10, false));
  const RankedRates nominal = nominal_rates(program);
  const double alone = ranked_seconds(program);
  EXPECT_DOUBLE_EQ(ranked_seconds(program, nominal), alone);
  double shared = nominal.page_byte_ns * 1e-9 * ranked_bytes(program);
  std::size_t largest = 0;
  for (std::size_t k = 0; k < program.steps.size(); ++k) {
    if (program.steps[k].to_states > program.steps[largest].to_states) largest = k;
    if (program.steps[k].to_states >= states_for_threads) shared += step_seconds(program.steps[k]);
  }
  ASSERT_GE(program.steps[largest].to_states, states_for_threads);
  EXPECT_LT(shared, alone);
  RankedRates four = nominal;
  four.threads = 4;
  EXPECT_NEAR(ranked_seconds(program, four), alone - shared * 3 / 4, alone * 1e-9);
  four.slower[largest] = 3;
  EXPECT_NEAR(ranked_seconds(program, four),
              alone - shared * 3 / 4 + 2 * step_seconds(program.steps[largest]) / 4, alone * 1e-9);
}

bool is_positive(double number) {
  return std::isfinite(number) && number > 0;
}

// Of tables beyond the rings of a trial; with several threads, words and codes.
TEST(RankedTrial, GivesARateForEveryStep) {
  const StopSignal never;
  for (const bool general : {false, true}) {
    const RankedProgram program = program_of(make_band(general ? 36 : 30, general ? 24 : 12, general));
    ASSERT_GT(program.peak_states * sizeof(std::uint64_t), std::uint64_t{16} << 20);
    for (const RunCode code : {RunCode::best, RunCode::portable}) {
      const RankedRates rates = try_ranked(program, never, {2, 0.002, code});
      EXPECT_EQ(rates.threads, 2);
      ASSERT_EQ(rates.slower.size(), program.steps.size());
      EXPECT_TRUE(std::all_of(rates.slower.begin(), rates.slower.end(), is_positive));
      EXPECT_TRUE(is_positive(rates.page_byte_ns));
      EXPECT_TRUE(is_positive(rates.listing_ns));
      EXPECT_TRUE(is_positive(ranked_seconds(program, rates)));
    }
    StopSignal stopped;
    stopped.request();
    EXPECT_THROW(try_ranked(program, stopped, {2, 0.002}), Stopped);
  }
  // Where no step is shared by threads there is nothing to try.
  const RankedProgram small = program_of(make_band(12, 3, false));
  EXPECT_DOUBLE_EQ(ranked_seconds(small, try_ranked(small, never, {})), ranked_seconds(small));
}

// A plan that takes a second and more is tried, with as many threads as there are here at most.
TEST(RankedTrial, IsWhatTheMethodMeasures) {
  const AnyBlock block = make_band(48, 12, false).block;
  MethodOptions options;
  const Arithmetic words = residues_modulo({first_prime, second_prime});
  const auto job = frontier_method().make_job(block, words, options);
  ASSERT_NE(job->describe().find("without keys"), std::string::npos) << job->describe();
  const double rate = job->measured_rate(0.002);
  EXPECT_TRUE(is_positive(rate));
  EXPECT_NE(rate, job->nominal_rate());
  options.threads = 1024;
  const auto assumed = frontier_method().make_job(block, words, options);
  EXPECT_EQ(assumed->measured_rate(0.002), assumed->nominal_rate());
}

// However the places of a step are cut into stretches, they are the same.
TEST(RankedTrial, StretchesAreThePlaces) {
  Random random(75);
  const StopSignal never;
  for (const bool general : {false, true}) {
    const RankedProgram program = program_of(make_band(general ? 24 : 20, general ? 12 : 7, general));
    RankedTable from;
    from.values.ensure(1);
    from.values[0] = 1;
    for (const RankedStep& step : program.steps) {
      const std::uint64_t size = step.to_states * step.to_words;
      RankedTable whole, pieces;
      for (RankedTable* const table : {&whole, &pieces}) {
        table->stride = step.to_states;
        table->values.ensure(size);
        std::fill_n(table->values.data(), size, ~std::uint64_t{0});
      }
      StepRunner(program, step, from, whole, RunCode::best, never).run(1, [](double) {});
      const StepRunner runner(program, step, from, pieces, RunCode::best, never);
      const std::uint64_t count = 1 + below(random, 40);
      std::vector<std::uint64_t> order;
      for (std::uint64_t k = 0; k < count; ++k) order.push_back(k);
      std::shuffle(order.begin(), order.end(), random);
      for (const std::uint64_t k : order) runner.run_stretch(k, count);
      ASSERT_TRUE(std::equal(whole.values.data(), whole.values.data() + size, pieces.values.data()));
      std::swap(from, whole);
    }
  }
}

}  // namespace
}  // namespace countpm::ranked_trial_test
