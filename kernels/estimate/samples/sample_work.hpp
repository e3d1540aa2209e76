#pragma once
// About how long samples take, by what they are made of alone: so that samplers can share time out without
// asking a clock. Measured on one core to within a factor of three or so.
#include <cmath>
#include <cstdint>

#include "kernels/estimate/bethe/messages.hpp"
#include "kernels/estimate/population/population.hpp"
#include "kernels/estimate/samples/sample_matrix.hpp"
#include "kernels/estimate/walks/walk.hpp"

namespace countpm {

/// Nanoseconds of a walk by belief propagation: before every choice vertices send over their edges.
inline double bethe_work(const SampleMatrix& matrix, const BetheSettings& settings) {
  return 14.0 * settings.most_vertices * static_cast<double>(matrix.rows.column.size());
}

/// Of another walk: on average half of the entries are left.
inline double walk_work(const SampleMatrix& matrix, const WalkSettings& settings, bool prune) {
  const auto entries = static_cast<double>(matrix.rows.column.size());
  const auto rows = static_cast<double>(matrix.rows.rows);
  double work = 10 * (rows + entries);
  if (prune) work += 3 * rows * entries;
  if (settings.scaling) work += 2 * rows / settings.interval * settings.steps * entries;
  return work;
}

/// Of the exact tail of a walk.
inline double tail_work(std::uint32_t rows, std::uint32_t states) {
  return 10.0 * rows * states;
}

/// With fitted factors about half of a step's entries are looked at for a state.
inline double population_work(const PopulationPlan& plan, std::uint32_t members) {
  const auto entries = static_cast<double>(plan.entries.size());
  double state = 8 * population_price(plan) * entries;
  if (!plan.fitted.empty()) {
    state += static_cast<double>(plan.fitted.near.size()) + 1.5 * entries +
             0.2 * static_cast<double>(plan.fitted.of_steps.low.size()) +
             0.1 * static_cast<double>(plan.fitted.of_entries.low.size());
  }
  return members * state;
}
/// Of a fit of these factors to so many states of each step. Cubic lattices of 6 to 10 a side took 600 to
/// 1100 (EPYC, Zen 4, 2026-11-27).
inline double guess_fit_work(const PopulationPlan& plan, std::uint32_t states) {
  return 1000.0 * states * static_cast<double>(plan.steps());
}

/// Of elimination in numbers of 1, 2 or 4 parts.
inline double determinant_work(const SampleMatrix& matrix, unsigned parts) {
  return 0.5 * parts * parts * std::pow(matrix.rows.rows, 3);
}

}  // namespace countpm
