#include "kernels/estimate/population/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/counter_random.hpp"
#include "kernels/estimate/population/fit_guess.hpp"
#include "kernels/estimate/samples/sample_work.hpp"
#include "kernels/estimate/walks/pilot_spread.hpp"
#include "kernels/support/parallel_ranges.hpp"
#include "kernels/support/spare_threads.hpp"

namespace countpm {
namespace {

constexpr double most_pilot_spread = 1;
// Populations grow until samples are spread by no more than this, in ln.
constexpr double steady_spread = 0.06;
// Where they are spread further than this, more members lower the variance by more than their number: samples
// may then take so many times as long.
constexpr double far_spread = 0.25;
constexpr std::uint32_t affordable_where_far = 16;
constexpr std::uint32_t first_members = 128;
constexpr std::uint32_t growth = 4;
// Few pilots tell no better than this whether more members help; of as good ones the larger is the safer.
constexpr double not_worse = 1.25;
constexpr double much_worse = 2;

// Pilots that take less than this together, in nanoseconds, are not worth a thread's start.
constexpr double least_work_of_threads = 2e6;

std::uint32_t most_members(const ChosenPopulation& chosen) {
  if (!(chosen.spread > far_spread)) return chosen.affordable;
  return std::max(chosen.affordable, std::min(affordable_where_far * chosen.affordable, largest_affordable));
}

void set_members(ChosenPopulation& chosen, std::uint32_t members, std::uint64_t seed, std::uint64_t stream,
                 int pilots = few_pilots) {
  chosen.members = members;
  chosen.work = population_work(chosen.plan, members);
  std::array<Scaled, many_pilots> sample;
  const int threads = pilots * chosen.work < least_work_of_threads ? 1 : SpareThreads::here();
  const auto all = static_cast<std::uint64_t>(pilots);
  const std::uint64_t a_thread =
      (all + static_cast<std::uint64_t>(threads) - 1) / static_cast<std::uint64_t>(threads);
  parallel_ranges(threads, all, a_thread, [&](std::uint64_t first, std::uint64_t last) {
    const auto walk = make_population_walk(chosen.plan, members);
    for (std::uint64_t k = first; k < last; ++k) {
      CounterRandom random(seed, stream, pilot_substream + k);
      sample[k] = walk->draw(random, stop_signal_here());
    }
  });
  chosen.spread = spread_of(pilots, [&](std::uint64_t k) { return sample[k]; });
}

// A guess is fitted to so many states of each step, fewer where these would take too much room or time, but
// no fewer than so many.
constexpr std::uint32_t most_fitted_states = 2048;
constexpr std::uint32_t fewest_fitted_states = 512;
constexpr std::uint64_t most_trace_bytes = std::uint64_t{128} << 20;
// A fit may take such a part of the samples' time, and where trials are limited as long as so many of them.
// One to a thousand states is about as good as one to 2,000 (bench/results/estimates.md): more than the
// fewest may take no more than this smaller part.
constexpr double share_of_fit = 0.25;
constexpr double share_of_larger_fit = 0.03;
constexpr double trials_of_fit = 4;
// How far columns may be from a step's row, in rows, that a fit looks at.
constexpr unsigned fitted_rows = 2;

/// 0: there is no time for a fit.
std::uint32_t states_to_fit(const ChosenPopulation& chosen, double most_work) {
  const PopulationPlan& plan = chosen.plan;
  // Samples that are not steady say nothing of how long they take.
  const double goal =
      steady_population(chosen) ? work_to_goal(chosen) : std::numeric_limits<double>::infinity();
  const double a_state = guess_fit_work(plan, 1);
  if (fewest_fitted_states * a_state > std::min(most_work, share_of_fit * goal)) return 0;
  const std::uint64_t bytes_a_state = 8 * (plan.width / 64 + std::uint64_t{2}) * (plan.steps() + 1);
  const std::uint64_t room = std::min<std::uint64_t>(most_fitted_states, most_trace_bytes / bytes_a_state);
  if (room < fewest_fitted_states) return 0;
  const double states = std::min(most_work, share_of_larger_fit * goal) / a_state;
  return static_cast<std::uint32_t>(
      std::clamp<double>(states, fewest_fitted_states, static_cast<double>(room)));
}

/// Some states of a population that is twice as large; nothing where all of them met a dead end.
std::optional<PopulationTrace> trace_of(const PopulationPlan& plan, std::uint32_t states, std::uint64_t seed,
                                        std::uint64_t stream) {
  constexpr std::uint64_t substream = std::uint64_t{1} << 63;  // neither a sample nor a pilot has it
  PopulationTrace trace;
  trace.most_states = states;
  CounterRandom random(seed, stream, substream);
  const Scaled sample = make_population_walk(plan, 2 * states)->record(random, stop_signal_here(), trace);
  if (!(sample.mantissa > 0)) return std::nullopt;
  return trace;
}

/// Of a sample whose logarithm is spread so far, as if by the normal law.
double variance_of(double spread) {
  return std::expm1(spread * spread);
}

void improve_guess(ChosenPopulation& chosen, double most_work, std::uint64_t seed, std::uint64_t stream) {
  const double begin = seconds_now();
  const double goal = work_to_goal(chosen);
  const std::uint32_t states = states_to_fit(chosen, most_work);
  if (states == 0) return;
  const std::optional<PopulationTrace> trace = trace_of(chosen.plan, states, seed, stream);
  if (!trace) return;
  GuessFit fit(chosen.plan, fitted_rows);
  if (!fit.fit(*trace, stop_signal_here(), SpareThreads::here())) return;
  FittedGuess guess;
  guess.states = states;
  guess.factors = fit.factors().of_steps.low.size() + fit.factors().of_entries.low.size();
  guess.seconds = seconds_now() - begin;
  guess.pilot_states = chosen.members;
  ChosenPopulation fitted = chosen;
  fitted.plan.fitted = fit.factors();
  set_members(fitted, chosen.members, seed, stream);
  if (about_as_fast(work_to_goal(fitted), goal)) {
    look_closer(chosen, seed, stream);
    look_closer(fitted, seed, stream);
  }
  guess.variance_before = variance_of(chosen.spread);
  guess.variance_after = variance_of(fitted.spread);
  guess.kept = work_to_goal(fitted) < work_to_goal(chosen);
  if (guess.kept) chosen = std::move(fitted);
  chosen.guess = guess;
}

}  // namespace

void fit_guess(ChosenPopulation& chosen, double most_work, std::uint64_t seed, std::uint64_t stream) {
  // Where the members are given, pilots have no more than a fit has; the time to the goal is about the same.
  const bool given = chosen.affordable == 0;
  const std::uint32_t members = chosen.members;
  if (given) set_members(chosen, std::min(members, most_fitted_states), seed, stream);
  improve_guess(chosen, most_work, seed, stream);
  if (given) {
    chosen.members = members;
    chosen.work = population_work(chosen.plan, members);
  }
}

double work_of_fit(const ChosenPopulation& chosen) {
  const double unlimited = std::numeric_limits<double>::infinity();
  const std::uint32_t states = states_to_fit(chosen, unlimited);
  return states == 0 ? unlimited : guess_fit_work(chosen.plan, states);
}

std::optional<ChosenPopulation> begin_population(const AnyBlock& block, const SampleMatrix& matrix,
                                                 const std::vector<double>& row_factor,
                                                 const SamplerOptions& options, std::uint32_t most_width,
                                                 std::uint64_t seed, std::uint64_t stream) {
  const bool asked = options.kind || options.population;
  if (asked) most_width = most_population_width;
  std::optional<PopulationPlan> plan = plan_population(block, matrix, row_factor, most_width);
  if (!plan) {
    if (!asked) return std::nullopt;
    throw UnableError(
        fmt::format("a population's states have bits for {} columns, and more are live at a time",
                    most_width),
        "another --sampler has no such limit");
  }
  ChosenPopulation chosen;
  chosen.plan = std::move(*plan);
  if (options.population) {
    chosen.members = *options.population;
    chosen.work = population_work(chosen.plan, chosen.members);
    return chosen;
  }
  chosen.affordable = affordable_population(chosen.plan);
  set_members(chosen, std::min(first_members, chosen.affordable), seed, stream);
  return chosen;
}

void grow_population(ChosenPopulation& chosen, double most_work, std::uint64_t seed, std::uint64_t stream) {
  const bool limited = !std::isinf(most_work);
  const double without_fit = work_to_goal(chosen);
  fit_guess(chosen, trials_of_fit * most_work, seed, stream);
  if (limited && work_to_goal(chosen) < without_fit)
    most_work = std::max(most_work * work_to_goal(chosen) / without_fit, most_work_of_trial(0));
  ChosenPopulation now = chosen;
  while ((limited || now.spread > steady_spread) && now.members < most_members(now)) {
    const std::uint32_t members = std::min(growth * now.members, most_members(now));
    if (few_pilots * population_work(now.plan, members) > most_work) return;
    set_members(now, members, seed, stream);
    const double goal = work_to_goal(chosen);
    if (!limited || !steady_population(chosen) || work_to_goal(now) < not_worse * goal) {
      chosen = now;
    } else if (work_to_goal(now) > much_worse * goal) {
      return;
    }
  }
}

void look_closer(ChosenPopulation& chosen, std::uint64_t seed, std::uint64_t stream) {
  const int pilots = closer_pilots(work_to_goal(chosen), chosen.work);
  if (pilots > few_pilots) set_members(chosen, chosen.members, seed, stream, pilots);
}

double work_to_goal(const ChosenPopulation& population) {
  return work_to_goal(population.spread, population.work, population.members);
}

bool steady_population(const ChosenPopulation& chosen) {
  return chosen.spread <= most_pilot_spread;
}

}  // namespace countpm
