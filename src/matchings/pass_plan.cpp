#include "src/matchings/pass_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "kernels/frontier/frontier.hpp"
#include "kernels/frontier/order/elimination_cost.hpp"
#include "kernels/frontier/order/order_search.hpp"
#include "kernels/frontier/order/sampled_forecast.hpp"
#include "kernels/planar/planar.hpp"
#include "src/machine/channel.hpp"
#include "src/machine/resources.hpp"
#include "src/structure/blocks.hpp"
#include "src/text/format_duration.hpp"
#include "src/text/format_quantity.hpp"

namespace countpm {
namespace {

// Counted twice (states, then values) and once backwards: an estimate for a (state, stream) pair of all
// three, from single runs on a busy machine (2 cores of an AMD EPYC, Zen 4, 2026-11-21). It decides, and what
// is predicted to take long is measured.
constexpr double seconds_a_transition = 2e-8;
// The search for an order may take that share of the predicted passes.
constexpr double search_share = 0.2;
constexpr double search_slice_seconds = 0.05;
constexpr double most_search_seconds = 2;
// Beyond that many bits of transitions (10^4 years) no search brings an order within reach.
constexpr double hopeless_bits = 64;
constexpr std::uint64_t order_seed = 20261121;
// Frontier passes of a piece that are predicted to take no longer than that are not compared with anything:
// small graphs have the same draws however many are asked for.
constexpr double short_seconds = 0.002;
// planar: multiplications a second, passes in terms of one elimination (a draw, or the edges' uses), and what
// the bookkeeping of a row takes, of the uses and of a draw, for each orientation. The first is that of 8
// lanes on one core, whatever the machine: the choice must not depend on it. Square lattices and tori of 8 x
// 8 to 20 x 20, one core of an AMD EPYC (Zen 4), 2026-11-25.
constexpr double planar_rate = 6e9;
constexpr double planar_eliminations = 3;
constexpr double uses_seconds_a_row = 6e-6;
constexpr double draw_seconds_a_row = 1.5e-5;
// A draw's walk through the frontier's layers, for each row.
constexpr double walk_seconds_a_row = 4e-7;
// Layers of more transitions, some 16 bytes each, are taken for too large to keep between draws, whatever the
// machine's memory.
constexpr double most_kept_bits = 27;

// By the bound on states, which is mostly several times too much, what takes less than this is not looked at
// more closely.
constexpr double seconds_worth_sampling = 0.05;
// Of the time that the bound predicts, for testing which states are reachable: that share, and at most so
// many seconds. A thousand tests of a table are right within some 5 %.
constexpr double sampling_share = 0.05;
constexpr double most_sampling_seconds = 0.4;
constexpr double tests_a_second = 1e8;  // looks at edges
// Trials of the rate: for what is predicted to take so long, that share of it, and at most so many seconds.
constexpr double seconds_worth_a_trial = 0.3;
constexpr double trial_share = 0.05;
constexpr double most_trial_seconds = 0.25;
// Tested shares of states are right within some 15 %: what needs that much more than the memory limit by them
// is refused before it begins.
constexpr double memory_slack = 1.25;
// Of the forward pass, what the backward pass of the edges' uses takes.
constexpr double backward_share = 1;
// A draw of planar for an explanation.
constexpr double most_explained_trial_seconds = 2;
// Forecasts beyond are cut to what a double holds.
constexpr double most_bits = 1000;

/// A piece's order of elimination, found by the same search everywhere: the draws depend on it.
struct PiecePlan {
  ClassGraph graph;
  ClassLines lines;
  Elimination elimination;
  EliminationForecast bound;
};

double predicted_seconds(const OrderSearch& search) {
  return std::exp2(search.linear_forecast().log2_transitions) * seconds_a_transition;
}

/// Of the uses, or of all the draws; both by the piece and its use alone.
double frontier_seconds(const OrderSearch& search, const Piece& piece, PassUse use) {
  const bool kept = search.linear_forecast().log2_transitions < most_kept_bits;
  const double walks = static_cast<double>(use.draws) * static_cast<double>(rows_of(piece.block));
  return predicted_seconds(search) * (kept || use.draws == 0 ? 1.0 : static_cast<double>(use.draws)) +
         walks * walk_seconds_a_row;
}

/// Of one draw, or of the edges' uses.
double planar_seconds_once(const PlanarPasses& passes, const Piece& piece, PassUse use) {
  const double rows = static_cast<double>(rows_of(piece.block)) * passes.orientations();
  return passes.work() * planar_eliminations / planar_rate +
         rows * (use.draws == 0 ? uses_seconds_a_row : draw_seconds_a_row);
}

double planar_seconds(const PlanarPasses& passes, const Piece& piece, PassUse use) {
  return planar_seconds_once(passes, piece, use) * static_cast<double>(std::max<std::uint64_t>(use.draws, 1));
}

void improve(OrderSearch& search, const StopSignal& stop) {
  for (double spent = 0; search.improvable() && search.linear_forecast().log2_transitions < hopeless_bits &&
                         spent + search_slice_seconds / 2 <
                             std::min(most_search_seconds, search_share * predicted_seconds(search));
       spent += search_slice_seconds) {
    search.improve(search_slice_seconds, stop);
  }
}

LayerLimits layer_limits(const Resources& resources, PassUse use) {
  return {static_cast<std::uint64_t>(static_cast<double>(resources.memory_bytes) * use.memory_share),
          resources.threads};
}

/// Those of planar, where they are predicted to be faster than frontier's by this first order: how far a
/// search for a better one gets depends on the machine.
std::optional<PlanarPasses> planar_if_faster(const Piece& piece, const OrderSearch& first, PassUse use,
                                             const LayerLimits& limits,
                                             const std::function<void(double)>& on_progress) {
  if (predicted_seconds(first) <= short_seconds || PlanarPasses::obstacle(piece.block)) return std::nullopt;
  PlanarPasses passes(piece.block, limits, on_progress);
  if (planar_seconds(passes, piece, use) < frontier_seconds(first, piece, use)) return passes;
  return std::nullopt;
}

/// The bound, or where that says that it takes long, an estimate of what is really reached.
EliminationForecast likely_forecast(const PiecePlan& plan, double bytes_per_state, const LayerLimits& limits,
                                    const StopSignal& stop) {
  const double seconds = std::exp2(plan.bound.log2_transitions) * seconds_a_transition;
  const bool fits = plan.bound.log2_states + std::log2(bytes_per_state) <
                    std::log2(static_cast<double>(limits.memory_bytes));
  if (seconds < seconds_worth_sampling && fits) return plan.bound;
  const double testing = std::min(most_sampling_seconds, sampling_share * seconds);
  return sampled_forecast(plan.graph, plan.elimination, static_cast<std::uint64_t>(testing * tests_a_second),
                          order_seed, stop);
}

PassForecast forecast_frontier(const Piece& piece, const PiecePlan& plan, FrontierPasses& passes, PassUse use,
                               const LayerLimits& limits, const StopSignal& stop) {
  const auto bytes_per_state = static_cast<double>(passes.bytes_per_state());
  const EliminationForecast likely = likely_forecast(plan, bytes_per_state, limits, stop);
  const double transitions = std::exp2(std::min(likely.log2_transitions, most_bits));
  double rate = 1 / seconds_a_transition;
  PassForecast forecast;
  if (transitions / rate > seconds_worth_a_trial) {
    const double measured =
        passes.measured_rate(std::min(most_trial_seconds, trial_share * transitions / rate), stop);
    forecast.measured = measured > 0;
    if (forecast.measured) rate = measured;
  }
  forecast.bytes = std::exp2(std::min(likely.log2_states, most_bits)) * bytes_per_state;
  forecast.least_bytes = std::exp2(std::min(likely.log2_likely_peak, most_bits)) * bytes_per_state;
  const double forward = transitions / rate;
  const double again = forecast.bytes > static_cast<double>(limits.memory_bytes) ? forward : 0;
  forecast.prepare_seconds = forward + again;
  if (use.draws == 0) {
    forecast.prepare_seconds += forward * backward_share;
    return forecast;
  }
  forecast.again_seconds = 2 * again;
  forecast.draw_seconds = walk_seconds_a_row * static_cast<double>(rows_of(piece.block)) / limits.threads;
  return forecast;
}

/// A draw beside others runs on one thread, and takes longer.
double seconds_of_each(double one, PassUse use, const LayerLimits& limits) {
  const double beside = static_cast<double>(std::min<std::uint64_t>(
      static_cast<std::uint64_t>(std::max(limits.threads, 1)), std::max<std::uint64_t>(use.draws, 1)));
  return one / beside;
}

/// A trial is the first draw of the piece's stream.
PassForecast forecast_planar(const Piece& piece, PlanarPasses& passes, const CountOptions& options,
                             PassUse use, const LayerLimits& limits, double most_seconds,
                             const StopSignal& stop) {
  PassForecast forecast;
  double once = planar_seconds_once(passes, piece, use);
  if (use.draws == 0) {
    forecast.prepare_seconds = once;
    return forecast;
  }
  if (once <= most_seconds) {
    const double begin = seconds_now();
    passes.draw(options.seed, 0, 0, 1, stop);
    once = seconds_now() - begin;
    forecast.measured = true;
    forecast.bytes = forecast.least_bytes = static_cast<double>(passes.draw_bytes());
  }
  forecast.draw_seconds = seconds_of_each(once, use, limits);
  return forecast;
}

struct PlannedFrontier {
  FrontierPasses passes;
  PassForecast forecast;
  std::shared_ptr<LayerShares> shares;
};

/// `shares`: what the progress of the passes goes through.
PlannedFrontier plan_frontier(const Piece& piece, OrderSearch& search, PiecePlan plan, PassUse use,
                              const LayerLimits& limits, std::function<void(double)> on_progress,
                              const StopSignal& stop) {
  improve(search, stop);
  plan.elimination = search.best_linear();
  plan.bound = search.linear_forecast();
  std::vector<double> work;
  for (const StepForecast& step : forecast_steps(plan.graph, plan.elimination)) {
    if (!std::isinf(step.log2_transitions))
      work.push_back(std::exp2(step.log2_transitions - plan.bound.log2_transitions));
  }
  auto shares = std::make_shared<LayerShares>(work);
  std::function<void(double)> shown;
  if (on_progress)
    shown = [shares, on_progress = std::move(on_progress)](double layers) {
      on_progress(shares->of(layers));
    };
  PlannedFrontier planned{
      {piece.block, plan.graph, plan.lines, plan.elimination, limits, std::move(shown)}, {}, shares};
  planned.forecast = forecast_frontier(piece, plan, planned.passes, use, limits, stop);
  return planned;
}

std::string bytes_text(double bytes) {
  return bytes < 0x1p60 ? format_bytes(static_cast<std::uint64_t>(bytes))
                        : fmt::format("2^{:.0f} bytes", std::log2(bytes));
}

std::string other_ways(PassUse use) {
  return use.draws > 0 ? other_draws : "--sampled finds them by weighted samples, each with its error";
}

std::string work_text(const Piece& piece, PassUse use) {
  return fmt::format("{} of a piece with {} rows and {} entries by the passes of frontier",
                     use.draws > 0 ? "random matchings" : "the edge probabilities", rows_of(piece.block),
                     entries_of(piece.block));
}

/// Empty where the memory is enough.
std::string beyond_memory(const PassForecast& forecast, const Resources& resources,
                          const LayerLimits& limits) {
  if (forecast.least_bytes <= memory_slack * static_cast<double>(limits.memory_bytes)) return "";
  std::string text =
      fmt::format("predicted to need {} of memory, for the largest layers alone, and the limit is {}",
                  bytes_text(forecast.least_bytes), format_bytes(resources.memory_bytes));
  if (limits.memory_bytes < resources.memory_bytes)
    text += fmt::format(", of which they have {}", format_bytes(limits.memory_bytes));
  return text;
}

void refuse_beyond(const Piece& piece, const PassForecast& forecast, PassUse use, const Resources& resources,
                   const LayerLimits& limits, const CountOptions& options) {
  if (const std::string beyond = beyond_memory(forecast, resources, limits); !beyond.empty()) {
    throw UnableError(fmt::format("{} are {}; planar passes cannot: {}", work_text(piece, use), beyond,
                                  PlanarPasses::obstacle(piece.block).value_or("they are slower yet")),
                      other_ways(use));
  }
  const double seconds = forecast.seconds(use.draws, 1, true);
  if (seconds > options.time_limit_seconds) {
    throw UnableError(
        fmt::format("{} are predicted to take {} and the time limit is {}", work_text(piece, use),
                    format_log10_duration(std::log10(seconds)), format_duration(options.time_limit_seconds)),
        fmt::format("{}; {}", advised_time_limit(0, seconds), other_ways(use)));
  }
}

/// Draws are shared among ranks, and the primes of planar's uses; layers are not.
void share_among_ranks(PassForecast& forecast, const CountOptions& options, bool planar) {
  const double ranks = options.channel != nullptr ? options.channel->ranks() : 1;
  forecast.draw_seconds /= ranks;
  if (planar) forecast.prepare_seconds /= ranks;
}

}  // namespace

LayerShares::LayerShares(const std::vector<double>& work) : done_{0} {
  for (const double one : work) done_.push_back(done_.back() + one);
  if (done_.back() <= 0) done_.assign(1, 0);
}

double LayerShares::before(double layers) const {
  if (done_.size() < 2) return layers;
  const double at = std::clamp(layers, 0.0, 1.0) * static_cast<double>(done_.size() - 1);
  const auto whole = std::min(static_cast<std::size_t>(at), done_.size() - 2);
  const double part = at - static_cast<double>(whole);
  return (done_[whole] + part * (done_[whole + 1] - done_[whole])) / done_.back();
}

double LayerShares::of(double layers) const {
  switch (way) {
    case Way::forward:
      return before(layers);
    case Way::back_through_made_again:
      return 1 - before(1 - layers);
    case Way::back_through_kept:
      break;
  }
  return layers;
}

std::string PlannedPasses::method() const {
  const bool planar = std::holds_alternative<PlanarPasses>(passes);
  return std::string((planar ? planar_method() : frontier_method()).name());
}

PlannedPasses plan_passes(const Piece& piece, const CountOptions& options, PassUse use,
                          std::function<void(double)> on_progress, const StopSignal& stop) {
  const Resources resources = resources_for(options);
  const LayerLimits limits = layer_limits(resources, use);
  PiecePlan plan;
  plan.graph = class_graph(piece.block, true, &plan.lines);
  OrderSearch search(plan.graph, order_seed);
  if (auto planar = planar_if_faster(piece, search, use, limits, on_progress)) {
    const double all = planar_seconds(*planar, piece, use);
    PassForecast forecast = forecast_planar(piece, *planar, options, use, limits,
                                            all > seconds_worth_a_trial ? trial_share * all : 0, stop);
    share_among_ranks(forecast, options, true);
    refuse_beyond(piece, forecast, use, resources, limits, options);
    return {*std::move(planar), forecast, nullptr};
  }
  PlannedFrontier planned =
      plan_frontier(piece, search, std::move(plan), use, limits, std::move(on_progress), stop);
  share_among_ranks(planned.forecast, options, false);
  refuse_beyond(piece, planned.forecast, use, resources, limits, options);
  return {std::move(planned.passes), planned.forecast, std::move(planned.shares)};
}

bool planar_is_faster(const Piece& piece, const CountOptions& options, PassUse use) {
  const ClassGraph graph = class_graph(piece.block, true, nullptr);
  return planar_if_faster(piece, OrderSearch(graph, order_seed), use,
                          layer_limits(resources_for(options), use), {})
      .has_value();
}

std::vector<PassOption> pass_options(const Piece& piece, const CountOptions& options, PassUse use,
                                     const StopSignal& stop) {
  const Resources resources = resources_for(options);
  const LayerLimits limits = layer_limits(resources, use);
  PassOption planar{std::string(planar_method().name()), {}, {}, false};
  PassOption frontier{std::string(frontier_method().name()), {}, {}, false};
  PiecePlan plan;
  plan.graph = class_graph(piece.block, true, &plan.lines);
  OrderSearch search(plan.graph, order_seed);
  if (const auto obstacle = PlanarPasses::obstacle(piece.block)) {
    planar.obstacle = *obstacle;
  } else {
    PlanarPasses passes(piece.block, limits);
    planar.chosen = predicted_seconds(search) > short_seconds &&
                    planar_seconds(passes, piece, use) < frontier_seconds(search, piece, use);
    planar.forecast =
        forecast_planar(piece, passes, options, use, limits, most_explained_trial_seconds, stop);
  }
  frontier.chosen = !planar.chosen;
  try {
    frontier.forecast = plan_frontier(piece, search, std::move(plan), use, limits, {}, stop).forecast;
    frontier.obstacle = beyond_memory(frontier.forecast, resources, limits);
  } catch (const UnableError& error) {
    frontier.obstacle = error.what();
  }
  return {frontier, planar};
}

}  // namespace countpm
