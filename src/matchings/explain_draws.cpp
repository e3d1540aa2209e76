#include "src/matchings/explain_draws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "kernels/planar/passes/aztec_shuffle.hpp"
#include "src/input/sound_options.hpp"
#include "src/input/with_graph.hpp"
#include "src/machine/resources.hpp"
#include "src/matchings/approximate_draws.hpp"
#include "src/matchings/matching_assembly.hpp"
#include "src/matchings/passes.hpp"
#include "src/structure/blocks.hpp"
#include "src/text/format_duration.hpp"

namespace countpm {
namespace {

// Exact draws that take no longer need no other way.
constexpr double seconds_worth_another_way = 1;
// Of approximate draws: the trial samples of a sampler, with the first draw, for so long, and then draws for
// so long.
constexpr double most_approximate_seconds = 20;
constexpr double trial_draws_seconds = 1;
// Shuffling takes time in proportion to the cube of the order; smaller orders say too little.
constexpr std::uint64_t trial_order = 160;
constexpr double bytes_a_cell = 2;      // the tiling, and the one before it
constexpr double bytes_a_domino = 128;  // its two labels

/// Draws some, and says what that took.
class ApproximateTrial {
 public:
  ApproximateTrial(const CountOptions& options, std::string sampler,
                   double most_seconds = most_approximate_seconds)
      : options_(options), sampler_(std::move(sampler)) {
    options_.time_limit_seconds = std::min(options.time_limit_seconds, most_seconds);
    options_.progress = {};
  }

  ApproximateForecast of(const ReadResult& read, std::uint64_t draws) {
    ApproximateForecast forecast;
    SampleOptions some;
    some.count = draws;
    const double begin = seconds_now();
    double started = begin;
    some.started = [&](const ListStart&) { started = seconds_now(); };
    try {
      const DrawnApproximately drawn = sample_approximately(
          ReadResult(read), options_, sampler_, some,
          [&](const std::vector<Edge>&) { return seconds_now() - started < trial_draws_seconds; });
      const double now = seconds_now();
      forecast.sampler = drawn.sampler;
      forecast.trials = drawn.draws;
      forecast.off = drawn.off;
      forecast.doubt = drawn.doubt;
      forecast.seconds = started - begin;
      if (drawn.draws > 0)
        forecast.seconds += (now - started) / static_cast<double>(drawn.draws) * static_cast<double>(draws);
    } catch (const UnableError& error) {
      forecast.sampler = sampler_;
      forecast.obstacle = error.what();
    } catch (const std::bad_alloc&) {
      forecast.sampler = sampler_;
      forecast.obstacle = "it takes more memory than there is";
    }
    return forecast;
  }

 private:
  CountOptions options_;
  std::string sampler_;
};

/// The limit is of the draws; what is found out of them takes its time.
CountOptions without_limit(const CountOptions& options) {
  CountOptions own = options;
  own.time_limit_seconds = std::numeric_limits<double>::infinity();
  return own;
}

DrawForecast explain_exact(Monitor& monitor, ReadResult read, const CountOptions& options,
                           std::uint64_t draws) {
  PassInput input = prepare_passes(std::move(read), options, monitor, Trees::apart);
  refuse_negative(input.instance);
  DrawForecast forecast = begin_draw_forecast(input.start, options, draws);
  if (input.start.violator || draws == 0) return forecast;
  monitor.enter("planning how to draw");
  const std::uint64_t most = most_draws_held(resources_for(options), input.instance.pattern.rows);
  const std::uint64_t batches = (draws + most - 1) / most;
  for (const Piece& piece : input.pieces.pieces) {
    add_to_forecast(
        piece,
        explained(monitor,
                  [&] {
                    return pass_options(piece, options, {sample_layers_share, draws}, monitor.stop_signal());
                  }),
        batches, input.pieces.pieces.size() == 1, forecast);
  }
  add_to_forecast(input.trees, forecast);
  return forecast;
}

}  // namespace

DrawForecast begin_draw_forecast(const ListStart& start, const CountOptions& options, std::uint64_t draws) {
  DrawForecast forecast;
  static_cast<InputSummary&>(forecast) = static_cast<const InputSummary&>(start);
  forecast.draws = draws;
  forecast.time_limit_seconds = options.time_limit_seconds;
  const Resources resources = resources_for(options);
  forecast.memory_limit_bytes = resources.memory_bytes;
  forecast.threads = resources.threads;
  forecast.seed = options.seed;
  forecast.violator = start.violator;
  forecast.notes = start.notes;
  return forecast;
}

void add_to_forecast(const Piece& piece, const std::vector<PassOption>& options, std::uint64_t batches,
                     bool kept, DrawForecast& forecast) {
  DrawPiece added;
  added.rows = rows_of(piece.block);
  added.entries = entries_of(piece.block);
  added.general = is_general(piece.block);
  const double room = static_cast<double>(forecast.memory_limit_bytes) * sample_layers_share;
  for (const PassOption& option : options) {
    DrawMethod method;
    method.method = option.method;
    method.chosen = option.chosen;
    method.seconds = option.forecast.seconds(forecast.draws, batches, kept);
    // Of layers that do not fit, what is computed again is not kept.
    method.bytes = std::max(std::min(option.forecast.bytes, room), option.forecast.least_bytes);
    method.measured = option.forecast.measured;
    method.obstacle = option.obstacle;
    if (method.chosen) {
      forecast.seconds += method.seconds;
      forecast.bytes = std::max(forecast.bytes, method.bytes);
      forecast.feasible = forecast.feasible && method.obstacle.empty();
    }
    added.methods.push_back(std::move(method));
  }
  forecast.pieces.push_back(std::move(added));
  forecast.feasible = forecast.feasible && forecast.seconds <= forecast.time_limit_seconds;
}

void add_to_forecast(const std::vector<TreePiece>& trees, DrawForecast& forecast) {
  if (trees.empty()) return;
  DrawPiece added;
  added.general = true;
  DrawMethod method;
  method.method = tree_method;
  method.chosen = true;
  for (const TreePiece& tree : trees) {
    added.rows += tree.line.size();
    added.entries += tree.line.size() - 1;
    method.seconds += seconds_of_draws(tree, forecast.draws);
    method.bytes += bytes_of_draws(tree);
  }
  forecast.seconds += method.seconds;
  forecast.bytes = std::max(forecast.bytes, method.bytes);
  forecast.feasible = forecast.feasible && forecast.seconds <= forecast.time_limit_seconds;
  added.methods.push_back(std::move(method));
  forecast.pieces.push_back(std::move(added));
}

DrawForecast forecast_aztec(const AztecDiamond& diamond, const CountOptions& options, std::uint64_t draws,
                            const StopSignal& stop) {
  DrawForecast forecast = begin_draw_forecast(start_of_aztec(diamond), options, draws);
  DrawMethod shuffling;
  shuffling.method = "shuffling";
  shuffling.chosen = shuffling.measured = true;
  const std::uint64_t order = std::min(diamond.order, trial_order);
  const double begin = seconds_now();
  CounterRandom random(options.seed, 0, 0);
  shuffle_aztec(order, diamond.horizontal, diamond.vertical, random, stop);
  const double times = std::pow(static_cast<double>(diamond.order) / static_cast<double>(order), 3);
  shuffling.seconds = (seconds_now() - begin) * times * static_cast<double>(draws);
  const auto side = 2 * static_cast<double>(diamond.order);
  shuffling.bytes = bytes_a_cell * side * side + bytes_a_domino * static_cast<double>(forecast.vertices) / 2;
  forecast.seconds = shuffling.seconds;
  forecast.bytes = shuffling.bytes;
  forecast.feasible = forecast.seconds <= forecast.time_limit_seconds;
  forecast.pieces.push_back({forecast.vertices / 2, forecast.edges, false, {shuffling}});
  return forecast;
}

void refuse_beyond_time(const DrawForecast& forecast, double elapsed_seconds) {
  if (forecast.seconds <= forecast.time_limit_seconds - elapsed_seconds) return;
  throw UnableError(
      fmt::format("the draws are predicted to take {} and the time limit is {}, of which {} is used",
                  format_log10_duration(std::log10(forecast.seconds)),
                  format_duration(forecast.time_limit_seconds), format_duration(elapsed_seconds)),
      fmt::format("{}; {}", advised_time_limit(elapsed_seconds, forecast.seconds), other_draws));
}

DrawForecast explain_draws(const ReadResult& read, const CountOptions& options,
                           const SampleOptions& sample_options, const std::string& sampler) {
  const std::uint64_t draws = sample_options.count;
  const CountOptions own = without_limit(options);
  DrawForecast forecast =
      with_graph(GraphQuestion::sample, ReadResult(read), own, [&](Monitor& monitor, ReadResult checked) {
        if (sampler.empty()) return explain_exact(monitor, std::move(checked), options, draws);
        PassInput input = prepare_passes(std::move(checked), options, monitor);
        refuse_negative(input.instance);
        return begin_draw_forecast(input.start, options, draws);
      });
  if (forecast.violator || draws == 0) return forecast;
  if (!sampler.empty()) {
    forecast.asked_approximate = true;
    forecast.approximate = ApproximateTrial(options, sampler).of(read, draws);
    forecast.seconds = forecast.approximate->seconds;
    forecast.feasible =
        forecast.approximate->obstacle.empty() && forecast.seconds <= forecast.time_limit_seconds;
  } else if (!forecast.feasible) {
    forecast.approximate = ApproximateTrial(options, "auto").of(read, draws);
  } else if (forecast.seconds > seconds_worth_another_way) {
    // Samples that are not there when exact draws are done are no other way.
    const double most = std::min(forecast.seconds, most_approximate_seconds);
    ApproximateForecast approximate = ApproximateTrial(options, "auto", most).of(read, draws);
    if (approximate.obstacle.empty()) forecast.approximate = std::move(approximate);
  }
  return forecast;
}

DrawForecast explain_draws(const Source& source, const ReadOptions& read_options, const CountOptions& options,
                           const SampleOptions& sample_options, const std::string& sampler) {
  if (sampler.empty()) {
    if (const std::optional<AztecDiamond> diamond = aztec_diamond(source, read_options)) {
      check_options(options);
      const CountOptions own = without_limit(options);
      const Monitor monitor(own);
      return monitor.explained(
          [&] { return forecast_aztec(*diamond, options, sample_options.count, monitor.stop_signal()); });
    }
  }
  const ReadResult read = with_graph(GraphQuestion::sample, source, read_options, without_limit(options),
                                     [](Monitor&, ReadResult one) { return one; });
  return explain_draws(read, options, sample_options, sampler);
}

}  // namespace countpm
