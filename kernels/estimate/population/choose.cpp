#include "kernels/estimate/population/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "graph/errors.hpp"
#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/counter_random.hpp"
#include "kernels/estimate/walks/pilot_spread.hpp"

namespace countpm {
namespace {

constexpr double most_pilot_spread = 1;
// Populations grow until samples are spread by no more than this, in ln.
constexpr double steady_spread = 0.06;
constexpr std::uint32_t first_members = 128;
constexpr std::uint32_t growth = 4;

/// Of a population of so many.
double spread_of(const PopulationPlan& plan, std::uint32_t members, std::uint64_t seed,
                 std::uint64_t stream) {
  const StopSignal& stop = stop_signal_here();
  const auto walk = make_population_walk(plan, members);
  return pilot_spread<CounterRandom>(seed, stream,
                                     [&](CounterRandom& random) { return walk->draw(random, stop); });
}

}  // namespace

std::optional<ChosenPopulation> choose_population(const AnyBlock& block, const SampleMatrix& matrix,
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
  ChosenPopulation chosen{std::move(*plan), options.population.value_or(0), 0};
  if (options.population) return chosen;
  const std::uint32_t affordable = affordable_population(chosen.plan);
  chosen.members = std::min(first_members, affordable);
  double spread = spread_of(chosen.plan, chosen.members, seed, stream);
  while (spread > steady_spread && chosen.members < affordable) {
    chosen.members = std::min(growth * chosen.members, affordable);
    spread = spread_of(chosen.plan, chosen.members, seed, stream);
  }
  if (!asked && spread > most_pilot_spread) return std::nullopt;
  chosen.spread = spread;
  return chosen;
}

}  // namespace countpm
