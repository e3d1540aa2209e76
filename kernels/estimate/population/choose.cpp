#include "kernels/estimate/population/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "graph/errors.hpp"
#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/counter_random.hpp"
#include "kernels/estimate/population/fit_guess.hpp"
#include "kernels/estimate/samples/sample_work.hpp"
#include "kernels/estimate/walks/pilot_spread.hpp"

namespace countpm {
namespace {

constexpr double most_pilot_spread = 1;
// Populations grow until samples are spread by no more than this, in ln.
constexpr double steady_spread = 0.06;
constexpr std::uint32_t first_members = 128;
constexpr std::uint32_t growth = 4;
// Few pilots tell no better than this whether more members help; of as good ones the larger is the safer.
constexpr double not_worse = 1.25;
constexpr double much_worse = 2;

void set_members(ChosenPopulation& chosen, std::uint32_t members, std::uint64_t seed, std::uint64_t stream,
                 int pilots = few_pilots) {
  const StopSignal& stop = stop_signal_here();
  chosen.members = members;
  chosen.work = population_work(chosen.plan, members);
  const auto walk = make_population_walk(chosen.plan, members);
  chosen.spread = pilot_spread<CounterRandom>(
      seed, stream, [&](CounterRandom& random) { return walk->draw(random, stop); }, pilots);
}

// A guess is fitted to so many states of each step, fewer where these would take too much room or time, but
// no fewer than so many.
constexpr std::uint32_t most_fitted_states = 2048;
constexpr std::uint32_t fewest_fitted_states = 512;
constexpr std::uint64_t most_trace_bytes = std::uint64_t{128} << 20;
// A fit may take such a part of the samples' time, and where trials are limited as long as so many of them.
constexpr double share_of_fit = 0.25;
constexpr double trials_of_fit = 4;
// How far columns may be from a step's row, in rows, that a fit looks at.
constexpr unsigned fitted_rows = 2;

/// 0: there is no time for a fit.
std::uint32_t states_to_fit(const PopulationPlan& plan, double most_work) {
  const std::uint64_t bytes_a_state = 8 * (plan.width / 64 + std::uint64_t{2}) * (plan.steps() + 1);
  const std::uint64_t room = std::min<std::uint64_t>(most_fitted_states, most_trace_bytes / bytes_a_state);
  const double states = std::min(static_cast<double>(room), most_work / guess_fit_work(plan, 1));
  return states < fewest_fitted_states ? 0 : static_cast<std::uint32_t>(states);
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

void improve_guess(ChosenPopulation& chosen, double most_work, std::uint64_t seed, std::uint64_t stream) {
  const double goal = work_to_goal(chosen);
  // Samples that are not steady say nothing of the goal.
  const double most = steady_population(chosen) ? std::min(most_work, share_of_fit * goal) : most_work;
  const std::uint32_t states = states_to_fit(chosen.plan, most);
  if (states == 0) return;
  const std::optional<PopulationTrace> trace = trace_of(chosen.plan, states, seed, stream);
  if (!trace) return;
  GuessFit fit(chosen.plan, fitted_rows);
  if (!fit.fit(*trace, stop_signal_here())) return;
  ChosenPopulation fitted = chosen;
  fitted.plan.fitted = fit.factors();
  set_members(fitted, chosen.members, seed, stream);
  if (work_to_goal(fitted) < goal) chosen = std::move(fitted);
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
  while ((limited || now.spread > steady_spread) && now.members < now.affordable) {
    const std::uint32_t members = std::min(growth * now.members, now.affordable);
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
