#include "src/estimate/guarantee.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <utility>

#include "src/report/format_quantity.hpp"
#include "src/run/first_failure.hpp"
#include "src/run/stopwatch.hpp"

namespace countpm {
namespace {

// Walks that predict the rate: so many entries are looked at, or twice as many again while every walk ends
// nowhere.
constexpr double walk_work = 4e6;
constexpr double most_walk_work = 2e8;
constexpr std::uint64_t fewest_walks = 128;
constexpr std::uint64_t most_walks = 4096;
// Trials that are timed come from the end of the numbers, where no run gets to.
constexpr std::uint64_t timed_trials = std::uint64_t{1} << 62;
constexpr double timing_seconds = 0.002;
constexpr int timings = 5;
constexpr double batch_seconds = 0.02;
constexpr std::uint64_t largest_batch = 1 << 20;
constexpr double batches_a_thread = 4;
// Streams of the exponential variables, told from those of the trials.
constexpr std::uint64_t toss_stream = std::uint64_t{5} << 60;
// Of epsilon and of delta, for roundings.
constexpr double epsilon_reserve = 1.0 / 2000;
constexpr double delta_reserve = 1.0 / 1000;
// What exponential_sum promises, and the logarithms of all factors, up to 2^20 each.
constexpr double sum_error = 0x1p-29 + 0x1p-30;

double reserve_of(const GuaranteedBlock& block) {
  return epsilon_reserve * block.goal.epsilon;
}

/// The share of `epsilon` that is left for chance: (1 + rest)(1 + reserve) = 1 + epsilon.
double epsilon_of_chance(const GuaranteedBlock& block) {
  return (block.goal.epsilon - reserve_of(block)) / (1 + reserve_of(block));
}

/// Where a rate of success is at least `rate`: how far everything that is no chance may move the value.
double rounding(const GuaranteedBlock& block, double rate) {
  return block.trials.bias(rate) + block.trials.factor_error() + sum_error;
}

[[noreturn]] void refuse_rounding(double rate) {
  throw UnableError(
      fmt::format("one trial in {:.2g} succeeds: so rarely, or with weights of a column so far apart, that "
                  "roundings in doubles could break the guarantee",
                  1 / rate),
      "a larger EPS, or an estimate without --guarantee, would do");
}

double predict_rate(const GuaranteedBlock& block, const StopSignal& stop) {
  const auto entries = static_cast<double>(block.entries);
  auto walks = static_cast<std::uint64_t>(
      std::clamp(walk_work / entries, static_cast<double>(fewest_walks), static_cast<double>(most_walks)));
  double rate = block.trials.expected_rate(walks, stop);
  while (rate == 0 && static_cast<double>(walks) * entries < most_walk_work)
    walks *= 2, rate = block.trials.expected_rate(walks, stop);
  // No walk of many came through: the rate may be anything; this much at least can be said of the time.
  return rate > 0 ? std::min(rate, 1.0) : 1 / static_cast<double>(walks);
}

/// Seconds of one trial: the least of several batches, since others may use the processor meanwhile.
double time_trials(const GuaranteedBlock& block, const StopSignal& stop) {
  Stopwatch watch;
  std::uint64_t first = timed_trials;
  const auto seconds_of = [&](std::uint64_t count) {
    watch.lap();
    block.trials.successes(std::exchange(first, first + count), count, stop);
    return watch.lap();
  };
  std::uint64_t count = 1;
  while (seconds_of(count) < timing_seconds) count *= 2;
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0; k < timings; ++k) best = std::min(best, seconds_of(count));
  return best / static_cast<double>(count);
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
                        "larger EPS and DELTA, or --exact-below with a longer time, would do it");
    }
  }
}

/// Finds the trial of the last success that is asked for, whatever the order in which batches come back.
class SuccessSearch {
 public:
  SuccessSearch(GuaranteedBlock& block, std::uint64_t batch, int threads, Monitor& monitor)
      : block_(block),
        batch_(batch),
        threads_(threads),
        monitor_(monitor),
        begin_(monitor.elapsed()),
        before_(block.drawn.seconds),
        next_(block.drawn.moments.samples) {
    block.drawn.goal = block.rule.successes;
  }

  bool take(std::uint64_t& first) {
    const std::lock_guard lock(mutex_);
    if (done() || monitor_.stop_signal().requested()) return false;
    first = next_;
    next_ += batch_;
    return true;
  }

  void give(std::uint64_t first, std::vector<std::uint64_t> successes) {
    const std::lock_guard lock(mutex_);
    waiting_.emplace(first, std::move(successes));
    const double before = block_.done_seconds();
    SampleMoments& drawn = block_.drawn.moments;
    while (!done() && !waiting_.empty() && waiting_.begin()->first == drawn.samples) {
      const std::vector<std::uint64_t>& batch = waiting_.begin()->second;
      const std::uint64_t missing = block_.rule.successes - drawn.nonzero;
      // No trial counts after the last success.
      drawn.samples = batch.size() >= missing ? batch[missing - 1] + 1 : drawn.samples + batch_;
      drawn.nonzero += std::min<std::uint64_t>(batch.size(), missing);
      waiting_.erase(waiting_.begin());
    }
    block_.drawn.seconds = before_ + (monitor_.elapsed() - begin_) * threads_;
    if (block_.ledger != nullptr) block_.ledger->put(block_.drawn);
    monitor_.finish(block_.done_seconds() - before);
  }

  std::uint64_t found() {
    const std::lock_guard lock(mutex_);
    return block_.drawn.moments.nonzero;
  }

 private:
  bool done() const { return block_.drawn.moments.nonzero >= block_.rule.successes; }

  std::mutex mutex_;
  GuaranteedBlock& block_;
  std::uint64_t batch_;
  int threads_;
  Monitor& monitor_;
  double begin_;
  double before_;
  std::uint64_t next_;  // trial
  std::map<std::uint64_t, std::vector<std::uint64_t>> waiting_;
};

std::uint64_t batch_size(const GuaranteedBlock& block, int threads) {
  const double trials = static_cast<double>(block.rule.successes) / block.expected_rate;
  const double most = std::min(batch_seconds / block.trial_seconds, trials / (batches_a_thread * threads));
  return static_cast<std::uint64_t>(std::clamp(most, 1.0, static_cast<double>(largest_batch)));
}

void draw(GuaranteedBlock& block, std::size_t number, std::size_t blocks, int threads, Monitor& monitor) {
  const std::uint64_t batch = batch_size(block, threads);
  SuccessSearch search(block, batch, threads, monitor);
  FirstFailure failure;
#pragma omp parallel num_threads(threads) if (threads > 1)
  {
    std::uint64_t first = 0;
    const bool fine = failure.guard([&] {
      while (search.take(first)) {
        search.give(first, block.trials.successes(first, batch, monitor.stop_signal()));
        monitor.describe(fmt::format("rejection, {} of {} successes", search.found(), block.rule.successes),
                         number, blocks);
      }
    });
    if (!fine) monitor.request_stop();
  }
  failure.rethrow();
  monitor.explain_stop();
}

double exponential_sum_or_stop(std::uint64_t seed, std::uint64_t stream, std::uint64_t tosses,
                               const Monitor& monitor) {
  try {
    return exponential_sum(seed, stream, tosses, monitor.stop_signal());
  } catch (const Stopped&) {
    monitor.explain_stop();
    throw;
  }
}

}  // namespace

double GuaranteedBlock::done_seconds() const {
  return predicted_seconds * static_cast<double>(drawn.moments.nonzero) / static_cast<double>(rule.successes);
}

void plan_guarantee(std::vector<GuaranteedBlock>& blocks, const GuaranteeGoal& goal, int threads,
                    double deadline_seconds, Monitor& monitor) {
  try {
    for (GuaranteedBlock& block : blocks) {
      block.expected_rate = predict_rate(block, monitor.stop_signal());
      block.trial_seconds = time_trials(block, monitor.stop_signal());
    }
  } catch (const Stopped&) {
    monitor.explain_stop();
    throw;
  }
  divide_goal(blocks, goal);
  double total = 0;
  double rarest = 1;
  for (GuaranteedBlock& block : blocks) {
    if (rounding(block, block.expected_rate) > reserve_of(block)) refuse_rounding(block.expected_rate);
    block.rule = gamma_bernoulli(epsilon_of_chance(block), block.goal.delta * (1 - delta_reserve));
    block.predicted_seconds =
        static_cast<double>(block.rule.successes) / block.expected_rate * block.trial_seconds / threads;
    total += block.predicted_seconds;
    rarest = std::min(rarest, block.expected_rate);
  }
  const double left = deadline_seconds - monitor.elapsed();
  if (total > left) {
    throw UnableError(
        fmt::format("the guarantee is predicted to take {}: {} successes, one in {:.2g} trials; {} left",
                    format_seconds(total), blocks.front().rule.successes, 1 / rarest,
                    format_seconds(std::max(left, 0.0))),
        fmt::format("--time-limit {:.0f}s, a larger EPS (half the EPS takes four times as long), or an "
                    "estimate without --guarantee, would do",
                    std::ceil(1.5 * total + monitor.elapsed())));
  }
}

void run_guarantee(std::vector<GuaranteedBlock>& blocks, std::uint64_t seed, int threads, Monitor& monitor) {
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    GuaranteedBlock& block = blocks[b];
    draw(block, b + 1, blocks.size(), threads, monitor);
    const double sum = exponential_sum_or_stop(seed, b | toss_stream, block.drawn.moments.samples, monitor);
    const double rate = block.rule.factor / sum;
    // Where the rule has not failed the coin's rate is at least rate / (1 + epsilon). Were permanent / bound
    // below half of that, the coin's rate would be below that half times 1 + its bias, far below 2: it is
    // not.
    const double least = rate / (1 + block.goal.epsilon) / 2;
    if (rounding(block, least) > reserve_of(block)) refuse_rounding(rate);
    block.log2_value = std::log2(std::min(rate, 1.0)) + block.trials.log2_bound();
  }
}

}  // namespace countpm
