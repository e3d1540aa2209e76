#include "kernels/estimate/population/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "graph/errors.hpp"
#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/counter_random.hpp"
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

}  // namespace

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
