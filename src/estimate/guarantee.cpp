#include "src/estimate/guarantee.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "graph/errors.hpp"
#include "src/sampling/block_key.hpp"
#include "src/structure/blocks.hpp"
#include "src/text/format_duration.hpp"
#include "src/watch/stopwatch.hpp"

namespace countpm {
namespace {

// Walks that predict the rate: so many entries are looked at, or twice as many again while every walk ends
// nowhere.
constexpr double walk_work = 4e6;
constexpr double most_walk_work = 2e8;
constexpr std::uint64_t fewest_walks = 128;
constexpr std::uint64_t most_walks = 16384;
// Trials that are timed come from the end of the numbers, where no run gets to.
constexpr std::uint64_t timed_trials = std::uint64_t{1} << 62;
constexpr double timing_seconds = 0.002;
constexpr int timings = 5;
constexpr double gpu_timing_seconds = 0.02;
// GPUs are looked for, which takes some tenths of a second, where threads are predicted to take so long.
constexpr double trial_seconds_before_gpus = 1;
// Streams of the exponential variables, told from those of the trials.
constexpr std::uint64_t toss_stream = std::uint64_t{5} << 60;
// Of epsilon and of delta, for roundings.
constexpr double epsilon_reserve = 1.0 / 2000;
constexpr double delta_reserve = 1.0 / 1000;
// Of epsilon: what printing the value's digits may move it by (estimate_line).
constexpr double printing = 1e-4;
// What exponential_sum promises, and the logarithms of all factors, up to 2^20 each.
constexpr double sum_error = 0x1p-50 + 0x1p-30;

double reserve_of(const GuaranteedBlock& block) {
  return epsilon_reserve * block.goal.epsilon;
}

/// The share of `epsilon` that is left for chance: (1 + rest)(1 + reserve) = 1 + epsilon.
double epsilon_of_chance(const GuaranteedBlock& block) {
  return (block.goal.epsilon - reserve_of(block)) / (1 + reserve_of(block));
}

/// Where a rate of success is at least `rate`: how far everything that is no chance may move the value.
double rounding(const GuaranteedBlock& block, double rate) {
  return block.trials.bias(rate) + block.trials.factor_error() + sum_error + printing * block.goal.epsilon;
}

[[noreturn]] void refuse_rounding(double rate) {
  throw UnableError(
      fmt::format("one trial in {:.2g} succeeds: so rarely, or with weights of a column so far apart, that "
                  "roundings in doubles could break the guarantee",
                  1 / rate),
      "try a larger EPS, or an estimate without --guarantee");
}

/// What trials are like, by walks; sets the expected rate.
std::vector<TrialForecast> forecast(GuaranteedBlock& block, const StopSignal& stop) {
  const auto entries = static_cast<double>(block.entries);
  auto walks = static_cast<std::uint64_t>(
      std::clamp(walk_work / entries, static_cast<double>(fewest_walks), static_cast<double>(most_walks)));
  std::vector<TrialForecast> forecasts = block.trials.forecast(walks, stop);
  while (forecasts.front().mean == 0 && static_cast<double>(walks) * entries < most_walk_work)
    walks *= 2, forecasts = block.trials.forecast(walks, stop);
  // No walk of many came through: the rate may be anything; this much at least can be said of the time.
  const double rate = forecasts.front().mean;
  block.expected_rate = rate > 0 ? std::min(rate, 1.0) : 1 / static_cast<double>(walks);
  return forecasts;
}

/// Seconds of one trial: the least of several batches, since others may use the processor meanwhile.
double time_trials(const GuaranteedBlock& block, const StopSignal& stop) {
  Stopwatch watch;
  std::uint64_t first = timed_trials;
  const auto seconds_of = [&](std::uint64_t count) {
    watch.lap();
    block.trials.hits(std::exchange(first, first + count), count, block.rule.share_bits(), stop);
    return watch.lap();
  };
  std::uint64_t count = 1;
  while (seconds_of(count) < timing_seconds) count *= 2;
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0; k < timings; ++k) best = std::min(best, seconds_of(count));
  return best / static_cast<double>(count);
}

/// Makes the trials of every GPU, and measures them.
void time_on_gpus(GuaranteedBlock& block, const TrialMeans& means, const StopSignal& stop) {
  for (std::size_t g = block.on_gpus.size(); g < means.gpus.size(); ++g) {
    block.on_gpus.push_back(block.trials.on_device(means.gpus[g], block.rule.share_bits()));
    Stopwatch watch;
    std::uint64_t first = timed_trials;
    double best = std::numeric_limits<double>::infinity();
    std::uint64_t count = block.on_gpus[g]->few();
    block.on_gpus[g]->successes(first, count, stop);  // loads the kernel
    for (double seconds = 0; seconds < gpu_timing_seconds; count *= 4) {
      first += count;
      watch.lap();
      hits_on_gpu(block, g, first, count, block.rule.share_bits(), means, stop);
      seconds = watch.lap();
      best = std::min(best, seconds / static_cast<double>(count));
    }
    block.gpu_trial_seconds.push_back(best);
  }
}

/// Plans how long each block takes; of all together.
double predict_seconds(std::vector<GuaranteedBlock>& blocks, const TrialMeans& means) {
  double total = 0;
  for (GuaranteedBlock& block : blocks) {
    double trials_a_second = 0;
    if (const int threads = means.drawing_threads(); threads > 0)
      trials_a_second += threads / block.trial_seconds;
    for (const double seconds : block.gpu_trial_seconds) trials_a_second += 1 / seconds;
    trials_a_second *= means.ranks;
    block.predicted_seconds = block.rule.expected_trials() / trials_a_second;
    total += block.predicted_seconds;
  }
  return total;
}

void divide_goal(std::vector<GuaranteedBlock>& blocks, const GuaranteeGoal& goal) {
  double total = 0;
  std::vector<double> share;
  for (const GuaranteedBlock& block : blocks) {
    share.push_back(std::cbrt(static_cast<double>(block.entries) / block.expected_rate));
    total += share.back();
  }
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    GuaranteeGoal& part = blocks[b].goal;
    part = goal;
    if (blocks.size() > 1) {
      // A 2^-40th less, for the roundings of this division.
      part.epsilon = std::expm1(std::log1p(goal.epsilon) * share[b] / total) * (1 - 0x1p-40);
      part.delta = goal.delta / static_cast<double>(blocks.size());
    }
    if (part.epsilon < least_epsilon || part.delta < least_delta) {
      throw UnableError(fmt::format("the guarantee would have to be divided among {} blocks", blocks.size()),
                        "try larger EPS and DELTA, or --exact-below with a longer time");
    }
  }
}

}  // namespace

RejectionTrials make_trials(const AnyBlock& block, std::uint64_t key, std::uint64_t stream, int threads,
                            Monitor& monitor) {
  monitor.throw_if_stopped();
  return monitor.explained(
      [&] { return RejectionTrials(block, key, stream, monitor.stop_signal(), threads); });
}

std::vector<GuaranteedBlock> guaranteed_blocks(const std::vector<AnyBlock>& hard, std::uint64_t seed,
                                               int threads, Monitor& monitor) {
  std::vector<GuaranteedBlock> blocks;
  blocks.reserve(hard.size());
  for (const AnyBlock& block : hard) {
    const std::uint64_t key = block_key(block, seed);
    blocks.emplace_back(make_trials(block, key, blocks.size(), threads, monitor));
    blocks.back().entries = entries_of(block);
    blocks.back().key = key;
  }
  return blocks;
}

void plan_guarantee(std::vector<GuaranteedBlock>& blocks, const GuaranteeGoal& goal, TrialMeans& means,
                    double deadline_seconds, Monitor& monitor) {
  const auto for_blocks = [&](const auto& work) {
    monitor.explained([&] { std::for_each(blocks.begin(), blocks.end(), work); });
  };
  std::vector<std::vector<TrialForecast>> forecasts;
  for_blocks([&](GuaranteedBlock& block) { forecasts.push_back(forecast(block, monitor.stop_signal())); });
  divide_goal(blocks, goal);
  double rarest = 1;
  double trials = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    GuaranteedBlock& block = blocks[b];
    if (rounding(block, block.expected_rate) > reserve_of(block)) refuse_rounding(block.expected_rate);
    block.rule = {epsilon_of_chance(block), block.goal.delta * (1 - delta_reserve), forecasts[b],
                  block.expected_rate};
    rarest = std::min(rarest, block.expected_rate);
    trials += block.rule.expected_trials();
  }
  for_blocks([&](GuaranteedBlock& block) {
    if (means.cpu) block.trial_seconds = time_trials(block, monitor.stop_signal());
    time_on_gpus(block, means, monitor.stop_signal());
  });
  double total = predict_seconds(blocks, means);
  if (means.more_gpus && total > trial_seconds_before_gpus) {
    means.gpus = means.more_gpus();
    for_blocks([&](GuaranteedBlock& block) { time_on_gpus(block, means, monitor.stop_signal()); });
    total = predict_seconds(blocks, means);
  }
  const double left = deadline_seconds - monitor.elapsed();
  if (total > left) {
    throw UnableError(
        fmt::format("the guarantee is predicted to take {}: {:.2g} trials, under a bound of {:.2g} times a "
                    "block's count; {} left",
                    format_duration(total), trials, 1 / rarest, format_duration(std::max(left, 0.0))),
        fmt::format("{}; a larger EPS (half the EPS takes two to four times as long), or an estimate without "
                    "--guarantee",
                    advised_time_limit(monitor.elapsed(), total)));
  }
}

void take_trials_of_parts(std::vector<GuaranteedBlock>& blocks, const std::string& journal) {
  for (GuaranteedBlock& block : blocks) {
    if (!block.drawn.trials) continue;
    const DrawnSamples given = std::exchange(block.drawn, {});
    if (given.share_bits != block.rule.share_bits())
      throw InputError(journal, 0, trials_plan(block.rule.share_bits()),
                       trials_plan(given.share_bits) + ": another machine plans the guarantee otherwise");
    block.drawn.goal = block.rule.goal();
    block.drawn.share_bits = given.share_bits;
    block.drawn.seconds = given.seconds;
    block.rule.add(block.drawn, given.moments.samples, *given.trials);
    if (block.ledger != nullptr) block.ledger->put(block.drawn);
  }
}

void refuse_other_rules(const std::vector<GuaranteedBlock>& blocks, const std::string& journal) {
  const auto text = [](unsigned share_bits, std::uint64_t goal) {
    return share_bits == 0 ? fmt::format("trials up to {} successes", goal)
                           : fmt::format("some {} trials with hits of 2^-{}", goal, share_bits);
  };
  for (const GuaranteedBlock& block : blocks) {
    const std::string own = text(block.rule.share_bits(), block.rule.goal());
    const std::string journaled = text(block.drawn.share_bits, block.drawn.goal);
    // Coins end with their last success.
    const std::uint64_t successes = block.drawn.moments.nonzero;
    if (block.rule.share_bits() == 0 && successes > block.rule.goal())
      throw InputError(journal, 0, own, fmt::format("{} successes", successes));
    if ((block.drawn.goal == 0 && block.drawn.moments.samples == 0) || own == journaled) continue;
    throw InputError(journal, 0, own, journaled + ": another machine plans the guarantee otherwise");
  }
}

void run_guarantee(std::vector<GuaranteedBlock>& blocks, const TrialMeans& means, Monitor& monitor) {
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    GuaranteedBlock& block = blocks[b];
    draw_trials(block, b + 1, blocks.size(), means, monitor);
    const double rate = block.rule.rate(block.drawn, block.key, b | toss_stream);
    // Where the rule has not failed the trials' mean is at least rate / (1 + epsilon). Were permanent / bound
    // below half of that, their mean would be below that half times 1 + its bias, far below 2: it is not.
    const double least = rate / (1 + block.goal.epsilon) / 2;
    if (rounding(block, least) > reserve_of(block)) refuse_rounding(rate);
    block.log2_value = std::log2(std::min(rate, 1.0)) + block.trials.log2_bound();
  }
}

}  // namespace countpm
