#include "src/estimate/guarantee.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <thread>
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
// Those of a GPU are longer, and their launches within them short.
constexpr double gpu_batch_seconds = 0.1;
constexpr double gpu_timing_seconds = 0.02;
// GPUs are looked for, which takes some tenths of a second, where threads are predicted to take so long.
constexpr double seconds_before_gpus = 1;
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

/// Makes the trials of every GPU, and measures them.
void time_on_gpus(GuaranteedBlock& block, const std::vector<GpuInfo>& gpus, const StopSignal& stop) {
  for (std::size_t g = block.on_gpus.size(); g < gpus.size(); ++g) {
    block.on_gpus.push_back(block.trials.on_device(gpus[g]));
    DeviceTrials& device = *block.on_gpus.back();
    Stopwatch watch;
    std::uint64_t first = timed_trials;
    double best = std::numeric_limits<double>::infinity();
    std::uint64_t count = device.few();
    device.successes(first, count, stop);  // loads the kernel
    for (double seconds = 0; seconds < gpu_timing_seconds; count *= 4) {
      first += count;
      watch.lap();
      device.successes(first, count, stop);
      seconds = watch.lap();
      best = std::min(best, seconds / static_cast<double>(count));
    }
    block.gpu_trial_seconds.push_back(best);
  }
}

/// Threads that draw: those that only wait for a GPU leave their cores to these, but for one each.
int drawing_threads(const TrialMeans& means) {
  if (!means.cpu) return 0;
  const int gpus = static_cast<int>(means.gpus.size());
  return std::max(means.threads - gpus, gpus > 0 ? 0 : 1);
}

/// Plans how long each block takes; of all together.
double predict_seconds(std::vector<GuaranteedBlock>& blocks, const TrialMeans& means) {
  double total = 0;
  for (GuaranteedBlock& block : blocks) {
    double trials_a_second = 0;
    if (const int threads = drawing_threads(means); threads > 0)
      trials_a_second += threads / block.trial_seconds;
    for (const double seconds : block.gpu_trial_seconds) trials_a_second += 1 / seconds;
    block.predicted_seconds =
        static_cast<double>(block.rule.successes) / block.expected_rate / trials_a_second;
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
                        "larger EPS and DELTA, or --exact-below with a longer time, would do it");
    }
  }
}

/// Finds the trial of the last success that is asked for, whatever the order in which batches come back.
class SuccessSearch {
 public:
  SuccessSearch(GuaranteedBlock& block, int threads, Monitor& monitor)
      : block_(block),
        threads_(threads),
        monitor_(monitor),
        begin_(monitor.elapsed()),
        before_(block.drawn.seconds),
        next_(block.drawn.moments.samples) {
    block.drawn.goal = block.rule.successes;
  }

  /// The next `count` trials.
  bool take(std::uint64_t& first, std::uint64_t count) {
    const std::lock_guard lock(mutex_);
    if (done() || monitor_.stop_signal().requested()) return false;
    first = next_;
    next_ += count;
    return true;
  }

  void give(std::uint64_t first, std::uint64_t count, std::vector<std::uint64_t> successes, bool by_gpu) {
    const std::lock_guard lock(mutex_);
    (by_gpu ? block_.drawn_on_gpus : block_.drawn_on_cpu) += count;
    waiting_.emplace(first, Batch{count, std::move(successes)});
    const double before = block_.done_seconds();
    SampleMoments& drawn = block_.drawn.moments;
    while (!done() && !waiting_.empty() && waiting_.begin()->first == drawn.samples) {
      const Batch& batch = waiting_.begin()->second;
      const std::uint64_t missing = block_.rule.successes - drawn.nonzero;
      // No trial counts after the last success.
      drawn.samples =
          batch.successes.size() >= missing ? batch.successes[missing - 1] + 1 : drawn.samples + batch.trials;
      drawn.nonzero += std::min<std::uint64_t>(batch.successes.size(), missing);
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
  struct Batch {
    std::uint64_t trials;
    std::vector<std::uint64_t> successes;
  };

  bool done() const { return block_.drawn.moments.nonzero >= block_.rule.successes; }

  std::mutex mutex_;
  GuaranteedBlock& block_;
  int threads_;
  Monitor& monitor_;
  double begin_;
  double before_;
  std::uint64_t next_;                      // trial
  std::map<std::uint64_t, Batch> waiting_;  // by first trial
};

/// Trials of a batch that takes `seconds` at most, and leaves some to `sharers` that draw, too.
std::uint64_t batch_size(const GuaranteedBlock& block, double trial_seconds, double seconds, double sharers) {
  const double trials = static_cast<double>(block.rule.successes) / block.expected_rate;
  const double most = std::min(seconds / trial_seconds, trials / (batches_a_thread * sharers));
  return static_cast<std::uint64_t>(std::max(most, 1.0));
}

/// All that draws a block's trials.
class Drawing {
 public:
  Drawing(GuaranteedBlock& block, std::size_t number, std::size_t blocks, const TrialMeans& means,
          Monitor& monitor)
      : block_(block),
        number_(number),
        blocks_(blocks),
        means_(means),
        monitor_(monitor),
        search_(block, means.threads, monitor) {}

  void run() {
    {
      std::vector<std::jthread> feeders;
      for (std::size_t g = 0; g < means_.gpus.size(); ++g)
        feeders.emplace_back([this, g] { guarded([&] { feed(g); }); });
      const int threads = drawing_threads(means_);
      if (threads > 0) {
        const std::uint64_t batch =
            std::min(batch_size(block_, block_.trial_seconds, batch_seconds, threads), largest_batch);
#pragma omp parallel num_threads(threads) if (threads > 1)
        {
          guarded([&] {
            draw(batch, false, [&](std::uint64_t first) {
              return block_.trials.successes(first, batch, monitor_.stop_signal());
            });
          });
        }
      }
    }
    failure_.rethrow();
    monitor_.explain_stop();
  }

 private:
  template <class Work>
  void guarded(const Work& work) {
    if (!failure_.guard(work)) monitor_.request_stop();
  }

  template <class Successes>
  void draw(std::uint64_t batch, bool by_gpu, const Successes& successes) {
    std::uint64_t first = 0;
    while (search_.take(first, batch)) {
      search_.give(first, batch, successes(first), by_gpu);
      monitor_.describe(fmt::format("rejection, {} of {} successes", search_.found(), block_.rule.successes),
                        number_, blocks_);
    }
  }

  void feed(std::size_t gpu) {
    DeviceTrials& device = *block_.on_gpus[gpu];
    const auto gpus = static_cast<double>(means_.gpus.size());
    const std::uint64_t batch =
        std::max(batch_size(block_, block_.gpu_trial_seconds[gpu], gpu_batch_seconds, gpus), device.few());
    draw(batch, true,
         [&](std::uint64_t first) { return device.successes(first, batch, monitor_.stop_signal()); });
  }

  GuaranteedBlock& block_;
  std::size_t number_;
  std::size_t blocks_;
  const TrialMeans& means_;
  Monitor& monitor_;
  SuccessSearch search_;
  FirstFailure failure_;
};

}  // namespace

double GuaranteedBlock::done_seconds() const {
  return predicted_seconds * static_cast<double>(drawn.moments.nonzero) / static_cast<double>(rule.successes);
}

RejectionTrials make_trials(const AnyBlock& block, std::uint64_t seed, std::uint64_t stream,
                            Monitor& monitor) {
  monitor.explain_stop();
  try {
    return {block, seed, stream, monitor.stop_signal()};
  } catch (const Stopped&) {
    monitor.explain_stop();
    throw;
  }
}

void plan_guarantee(std::vector<GuaranteedBlock>& blocks, const GuaranteeGoal& goal, TrialMeans& means,
                    double deadline_seconds, Monitor& monitor) {
  const auto for_blocks = [&](const auto& work) {
    try {
      for (GuaranteedBlock& block : blocks) work(block);
    } catch (const Stopped&) {
      monitor.explain_stop();
      throw;
    }
  };
  for_blocks([&](GuaranteedBlock& block) {
    block.expected_rate = predict_rate(block, monitor.stop_signal());
    if (means.cpu) block.trial_seconds = time_trials(block, monitor.stop_signal());
    time_on_gpus(block, means.gpus, monitor.stop_signal());
  });
  divide_goal(blocks, goal);
  double rarest = 1;
  for (GuaranteedBlock& block : blocks) {
    if (rounding(block, block.expected_rate) > reserve_of(block)) refuse_rounding(block.expected_rate);
    block.rule = gamma_bernoulli(epsilon_of_chance(block), block.goal.delta * (1 - delta_reserve));
    rarest = std::min(rarest, block.expected_rate);
  }
  double total = predict_seconds(blocks, means);
  if (means.more_gpus && total > seconds_before_gpus) {
    means.gpus = means.more_gpus();
    for_blocks([&](GuaranteedBlock& block) { time_on_gpus(block, means.gpus, monitor.stop_signal()); });
    total = predict_seconds(blocks, means);
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

void run_guarantee(std::vector<GuaranteedBlock>& blocks, std::uint64_t seed, const TrialMeans& means,
                   Monitor& monitor) {
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    GuaranteedBlock& block = blocks[b];
    Drawing(block, b + 1, blocks.size(), means, monitor).run();
    const double sum = exponential_sum(seed, b | toss_stream, block.drawn.moments.samples);
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
