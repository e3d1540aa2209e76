#include "kernels/estimate/annealed/walk.hpp"

#include <algorithm>
#include <cmath>

namespace countpm {
namespace {

/// e^log.
Scaled scaled_exp(double log) {
  const double log2 = log / std::log(2.0);
  const double whole = std::floor(log2);
  return {std::exp2(log2 - whole), static_cast<std::int64_t>(whole)};
}

}  // namespace

AnnealedWalk::AnnealedWalk(const SampleGraph& graph, const AnnealingSchedule& schedule,
                           const AnnealingStart& start)
    : graph_(graph),
      schedule_(schedule),
      start_(start),
      first_(start.graph, start.messages),
      chain_(graph),
      step_(graph.vertices()),
      factor_(graph.vertices()),
      last_(graph.vertices()) {
  const std::vector<double>& activity = schedule.stages.back().log_activity;
  for (std::uint32_t v = 0; v < graph.vertices(); ++v)
    last_[v] = graph.alone[v] > 0 ? std::exp(std::log(graph.alone[v]) + activity[v]) : 0;
}

Scaled AnnealedWalk::draw(BulkRandom& random, const StopSignal& stop) {
  chain_.clear();
  Scaled sample = first_.draw(random, [this](std::uint32_t v, std::uint32_t partner) {
    if (partner != RestGraph::nobody) chain_.match(v, partner);
  });
  double log = start_.log_factor;
  const std::uint32_t n = graph_.vertices();
  for (std::size_t k = 0; k + 1 < schedule_.stages.size(); ++k) {
    const AnnealingSchedule::Stage& stage = schedule_.stages[k];
    // Changing the activities takes a step for every vertex.
    const std::uint64_t steps = std::max<std::uint64_t>(1, 4 * stage.moves / n);
    const std::uint64_t moves = stage.moves / steps + 1;
    for (std::uint32_t v = 0; v < n; ++v) {
      step_[v] =
          (schedule_.stages[k + 1].log_activity[v] - stage.log_activity[v]) / static_cast<double>(steps);
      factor_[v] = std::exp(-step_[v]);
    }
    chain_.settle(stage.log_activity, stage.share);
    for (std::uint64_t s = 0; s < steps; ++s) {
      stop.check();
      for (const std::uint32_t v : chain_.holes()) log -= step_[v];
      chain_.shrink(factor_);
      chain_.run(moves, random);
    }
  }
  const double mean = mean_at_last(random, stop);
  if (mean == 0) return {0, 0};
  sample.multiply(scaled_exp(log));
  sample.multiply(mean);
  return sample;
}

double AnnealedWalk::mean_at_last(BulkRandom& random, const StopSignal& stop) {
  const AnnealingSchedule::Stage& stage = schedule_.stages.back();
  chain_.settle(stage.log_activity, stage.share);
  const auto stride = static_cast<std::uint64_t>(std::max(1.0, stage.share * graph_.vertices()));
  const std::uint64_t looks = std::max<std::uint64_t>(1, stage.moves / stride);
  double sum = 0;
  matching_.clear();
  constexpr std::uint64_t looks_a_check = 4096;
  for (std::uint64_t k = 0; k < looks; ++k) {
    if (k % looks_a_check == 0) stop.check();
    chain_.run(stride, random);
    double weight = 1;
    for (const std::uint32_t v : chain_.holes()) weight *= last_[v];
    sum += weight;
    // Of those so far each is then kept with a chance in proportion to its weight.
    if (keeps_ && weight > 0 && unit_interval(random.next()) * sum < weight) keep();
  }
  return sum / static_cast<double>(looks);
}

void AnnealedWalk::keep() {
  matching_.clear();
  for (std::uint32_t v = 0; v < graph_.vertices(); ++v) {
    const std::uint32_t partner = chain_.partner(v);
    if (partner == MatchingChain::nobody) {
      matching_.emplace_back(v, v);
    } else if (v < partner) {
      matching_.emplace_back(v, partner);
    }
  }
}

}  // namespace countpm
