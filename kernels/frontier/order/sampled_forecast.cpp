#include "kernels/frontier/order/sampled_forecast.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "kernels/arithmetic/log2_sum.hpp"
#include "kernels/frontier/order/elimination_cost.hpp"
#include "kernels/frontier/order/reachable_states.hpp"

namespace countpm {
namespace {

constexpr double no_states = -std::numeric_limits<double>::infinity();
// Tables smaller than the largest by more bits are not tested, and of the others no more than so many.
constexpr double bits_below_peak = 5;
constexpr std::size_t most_tables = 24;
constexpr std::uint64_t least_tests = 60;
constexpr std::uint64_t most_tests = 4000;
// Enough for a share right within 15 %.
constexpr std::uint64_t enough_hits = 50;
constexpr std::uint64_t batch = 20;

std::vector<std::size_t> tables_to_test(const std::vector<StepForecast>& steps, std::size_t most) {
  double peak = no_states;
  for (const StepForecast& step : steps) peak = std::max(peak, step.log2_states);
  std::vector<std::size_t> large;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].log2_states > 0 && steps[i].log2_states >= peak - bits_below_peak) large.push_back(i);
  }
  if (large.size() <= most) return large;
  std::vector<std::size_t> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(large[i * (large.size() - 1) / (most - 1)]);
  return some;
}

}  // namespace

EliminationForecast sampled_forecast(const ClassGraph& graph, const Elimination& elimination,
                                     std::uint64_t effort, std::uint64_t seed, const StopSignal& stop) {
  const std::vector<StepForecast> steps = forecast_steps(graph, elimination);
  EliminationForecast result = forecast_elimination(graph, elimination);
  if (graph.tiles() != 0) return result;  // whether tiles reach a state is an exact cover by itself
  const std::uint64_t effort_a_test = 8 * (graph.neighbour.size() + graph.classes()) + 1;
  const std::vector<std::size_t> tested =
      tables_to_test(steps, std::clamp<std::size_t>(effort / effort_a_test / least_tests, 3, most_tables));
  if (tested.empty()) return result;

  const std::uint64_t tests =
      std::clamp<std::uint64_t>(effort / effort_a_test / tested.size(), least_tests, most_tests);
  std::mt19937_64 random(seed);
  std::vector<double> log2_share(tested.size());
  std::size_t table = 0;
  visit_tables(graph, elimination, tested, [&](std::size_t, const TableView& view) {
    ReachableStates states(graph, view);
    std::uint64_t made = 0;
    std::uint64_t hits = 0;
    while (made < tests || (hits < enough_hits / 4 && made < 4 * tests)) {
      stop.check();
      hits += states.hits(batch, random);
      made += batch;
      if (hits >= 4 * enough_hits) break;
    }
    log2_share[table++] = std::log2((static_cast<double>(hits) + 0.5) / (static_cast<double>(made) + 0.5));
  });

  const auto share_near = [&](std::size_t step) {
    const auto at = std::lower_bound(tested.begin(), tested.end(), step);
    if (at == tested.end()) return log2_share.back();
    const std::size_t above = static_cast<std::size_t>(at - tested.begin());
    if (above == 0 || *at == step) return log2_share[above];
    return *at - step < step - tested[above - 1] ? log2_share[above] : log2_share[above - 1];
  };
  // The share of a step's input: that of the step before which did something in its table.
  const double bound = result.log2_states;
  double largest_tables =
      no_states;  // without a class's rounds but the widest: for the share of the states only
  result.log2_states = result.log2_peak_states = result.log2_transitions = result.log2_likely_peak =
      no_states;
  std::vector<std::size_t> stack;  // the steps that made the tables
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const StepForecast& step = steps[i];
    double input = 0;
    switch (elimination.steps[i].kind) {
      case EliminationStep::Kind::push:
        stack.push_back(i);
        continue;
      case EliminationStep::Kind::join:
        input = share_near(stack.back());
        stack.pop_back();
        input += share_near(stack.back());
        break;
      case EliminationStep::Kind::eliminate:
        if (step.log2_states == no_states) continue;  // closed already
        input = share_near(stack.back());
        break;
    }
    stack.back() = i;
    const double share = share_near(i);
    largest_tables = log2_sum(largest_tables, step.log2_states);
    result.log2_states = log2_sum(result.log2_states, step.log2_states + share);
    result.log2_peak_states = std::max(result.log2_peak_states, step.log2_states + share);
    result.log2_transitions = log2_sum(result.log2_transitions, step.log2_transitions + input);
    result.log2_likely_peak = std::max(result.log2_likely_peak, step.log2_alive + share);
  }
  result.log2_states += bound - largest_tables;
  for (double* figure :
       {&result.log2_states, &result.log2_peak_states, &result.log2_transitions, &result.log2_likely_peak}) {
    *figure = std::max(*figure, 0.0);
  }
  result.sampled = true;
  return result;
}

}  // namespace countpm
