#include "kernels/estimate/choose_population.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "graph/errors.hpp"

namespace countpm {
namespace {

// Where populations are chosen unasked: for so many live columns, or more if they are few of all.
constexpr std::uint32_t narrow_width = 64;
constexpr std::uint32_t moderate_width = 256;
constexpr double most_pilot_spread = 1;
// Populations grow until samples are spread by no more than this, in ln.
constexpr double steady_spread = 0.06;
constexpr std::uint32_t first_members = 128;
constexpr std::uint32_t growth = 4;
constexpr int pilots = 8;
// Substreams from here on belong to pilots; samples are numbered from 0.
constexpr std::uint64_t pilot_substream = std::uint64_t{1} << 62;

/// The standard deviation of ln of pilot samples; infinity where one is 0.
double pilot_spread(const PopulationPlan& plan, std::uint32_t members, std::uint64_t seed,
                    std::uint64_t stream) {
  const StopSignal never;
  const auto walk = make_population_walk(plan, members);
  double sum = 0;
  double squares = 0;
  double first = 0;
  for (int k = 0; k < pilots; ++k) {
    CounterRandom random(seed, stream, pilot_substream + static_cast<std::uint64_t>(k));
    const double log2 = walk->draw(random, never).log2();
    if (!std::isfinite(log2)) return std::numeric_limits<double>::infinity();
    if (k == 0) first = log2;
    const double value = (log2 - first) * std::log(2.0);
    sum += value;
    squares += value * value;
  }
  return std::sqrt(std::max(0.0, (squares - sum * sum / pilots) / (pilots - 1)));
}

}  // namespace

std::optional<ChosenPopulation> choose_population(const AnyBlock& block, const SampleMatrix& matrix,
                                                  const std::vector<double>& row_factor,
                                                  const SamplerOptions& options, std::uint64_t seed,
                                                  std::uint64_t stream) {
  const std::uint32_t n = matrix.rows.rows;
  const bool asked = options.kind || options.population;
  const std::uint32_t most_width =
      asked ? most_population_width : std::max(narrow_width, std::min(moderate_width, n / 2));
  std::optional<PopulationPlan> plan = plan_population(block, matrix, row_factor, most_width);
  if (!plan) {
    if (!asked) return std::nullopt;
    throw UnableError(
        fmt::format("a population's states have bits for {} columns, and more are live at a time",
                    most_width),
        "another --sampler has no such limit");
  }
  ChosenPopulation chosen{std::move(*plan), options.population.value_or(0)};
  if (options.population) return chosen;
  const std::uint32_t affordable = affordable_population(chosen.plan);
  chosen.members = std::min(first_members, affordable);
  double spread = pilot_spread(chosen.plan, chosen.members, seed, stream);
  while (spread > steady_spread && chosen.members < affordable) {
    chosen.members = std::min(growth * chosen.members, affordable);
    spread = pilot_spread(chosen.plan, chosen.members, seed, stream);
  }
  if (!asked && spread > most_pilot_spread) return std::nullopt;
  return chosen;
}

}  // namespace countpm
