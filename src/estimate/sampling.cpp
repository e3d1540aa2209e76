#include "src/estimate/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "src/estimate/second_sampler.hpp"
#include "src/watch/first_failure.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t first_samples = 64;
// Batches take about so long: stops are prompt and threads evenly busy.
constexpr double batch_seconds = 0.05;
constexpr std::uint64_t largest_batch = 1 << 16;
// The time limit ends the hand-out of batches at once, and those under way so much later.
constexpr double grace_seconds = 2 * batch_seconds;
// Those of a GPU are longer, and their launches within them short.
constexpr double gpu_batch_seconds = 0.2;
// GPUs are looked for, which takes some tenths of a second, once the CPU has drawn for so long.
constexpr double seconds_before_gpus = 1;
// A block's samples grow by at least and at most these factors at a time: fewer looks at the interval mean
// fewer chances to stop when it happens to be narrow.
constexpr double least_growth = 1.25;
constexpr double most_growth = 2;
constexpr double growth_margin = 1.05;
// Of the time up to the deadline, for the second samplers.
constexpr double time_of_second = 0.1;

/// Hands out batches in order, none after the deadline or a failure.
class Batches {
 public:
  Batches(std::uint64_t first, std::uint64_t end, double deadline, Monitor& monitor)
      : next_(first), end_(end), deadline_(deadline), monitor_(monitor) {}

  /// At most `wanted`, at least 1; and where `sharers` such workers are left, no more than evens the end out,
  /// but for `few`, which take such a worker as long as one.
  bool take(std::uint64_t& first, std::uint64_t& count, double wanted, std::uint64_t sharers = 0,
            std::uint64_t few = 1) {
    const std::lock_guard lock(mutex_);
    if (next_ == end_ || monitor_.stop_signal().requested()) return false;
    if (taken_ && monitor_.elapsed() > deadline_) return false;
    taken_ = true;
    first = next_;
    const std::uint64_t left = end_ - next_;
    const std::uint64_t most =
        sharers == 0 ? left : std::min(left, std::max(few, (left + sharers - 1) / sharers));
    count = std::max<std::uint64_t>(
        1, wanted < static_cast<double>(most) ? static_cast<std::uint64_t>(wanted) : most);
    next_ += count;
    return true;
  }

 private:
  std::mutex mutex_;
  std::uint64_t next_;
  std::uint64_t end_;
  double deadline_;
  Monitor& monitor_;
  bool taken_ = false;
};

/// How many times as many samples make an interval of this variance and what may not have been seen narrow
/// enough, the skewness aside: g with z sqrt(variance / g) + unseen / g = ln(1 + relative error).
double wanted_growth(double variance, double unseen, const SamplingLimits& limits) {
  const double error = std::log1p(limits.relative_error);
  const double normal = two_sided_quantile(limits.confidence) * std::sqrt(variance);
  const double root = (normal + std::sqrt(normal * normal + 4 * error * unseen)) / (2 * error);
  return root * root;
}

/// Tells the monitor how far sampling is: the share of the samples, or of those that seem to be wanted. The
/// share never falls.
class Advance {
 public:
  Advance(const std::vector<SampledBlock>& blocks, const SamplingLimits& limits, Monitor& monitor)
      : blocks_(blocks), limits_(limits), monitor_(monitor) {
    told_ = share();
    monitor.begin_stage("estimate", 1, told_);
  }

  void tell() {
    const double now = share();
    if (now > told_) monitor_.finish(now - std::exchange(told_, now));
  }

 private:
  double share() const {
    double drawn = 0;
    double variance = 0;
    double unseen = 0;
    for (const SampledBlock& block : blocks_) {
      drawn += static_cast<double>(block.drawn.moments.samples);
      // One that was not looked at yet is not known at all.
      const bool known = block.mean.effective > 0 && block.mean.doubt.empty();
      variance += known ? block.mean.variance : std::numeric_limits<double>::infinity();
      unseen += block.mean.unseen;
    }
    if (limits_.samples == 0) return std::min(1 / wanted_growth(variance, unseen, limits_), 1.0);
    return std::min(drawn / (static_cast<double>(limits_.samples) * static_cast<double>(blocks_.size())),
                    1.0);
  }

  const std::vector<SampledBlock>& blocks_;
  const SamplingLimits& limits_;
  Monitor& monitor_;
  double told_ = 0;
};

/// One round of drawing: samples of a block, by the CPU's threads and GPUs.
class Round {
 public:
  Round(SampledBlock& block, std::uint64_t end, const SamplingLimits& limits, Advance& advance,
        Monitor& monitor)
      : block_(block),
        limits_(limits),
        advance_(advance),
        monitor_(monitor),
        begin_(monitor.elapsed()),
        before_(block.drawn.seconds),
        batches_(block.drawn.moments.samples, std::max(end, block.drawn.moments.samples),
                 limits.deadline_seconds, monitor) {}

  void draw() {
    const bool on_gpus = !limits_.gpus.empty() && block_.sampler.device_obstacle().empty();
    {
      std::vector<std::jthread> feeders;
      if (on_gpus) {
        block_.on_gpus.resize(limits_.gpus.size());
        for (std::size_t g = 0; g < limits_.gpus.size(); ++g)
          feeders.emplace_back([this, g] { guarded([&] { feed(g); }); });
      }
      if (limits_.cpu || !on_gpus) {
        // Threads that only wait for a GPU leave their cores to these, but for one each.
        const int gpus = on_gpus ? static_cast<int>(limits_.gpus.size()) : 0;
        const int threads = std::max(limits_.threads - gpus, on_gpus ? 0 : 1);
        double each = block_.cpu_seconds_a_sample;
        if (threads > 0) {
#pragma omp parallel num_threads(threads) if (threads > 1) firstprivate(each)
          {
            guarded([&] { take_batches(each); });
          }
        }
      }
    }
    failure_.rethrow();
    // A sample that the time limit ended is dropped; what there is before it is worth having.
    if (!monitor_.limit_is_over()) monitor_.throw_if_stopped();
    if (block_.drawn.moments.samples == 0) return;
    block_.mean = sampled_mean(block_.drawn.moments, block_.sampler.walks());
    advance_.tell();
    if (cpu_samples_ > 0) block_.cpu_seconds_a_sample = cpu_seconds_ / static_cast<double>(cpu_samples_);
  }

 private:
  template <class Work>
  void guarded(const Work& work) {
    if (!failure_.guard(work)) monitor_.request_stop();
  }

  void take_batches(double each) {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    double seconds = 0;
    std::uint64_t samples = 0;
    const auto wanted = [&each] {
      return each > 0 ? std::clamp(batch_seconds / each, 1.0, static_cast<double>(largest_batch)) : 1.0;
    };
    while (batches_.take(first, count, wanted())) {
      const double start = monitor_.elapsed();
      give(first, block_.sampler.run(first, count, monitor_.stop_signal()));
      seconds += monitor_.elapsed() - start;
      samples += count;
      each = std::max(seconds / static_cast<double>(samples), 1e-9);
    }
    const std::lock_guard lock(mutex_);
    cpu_seconds_ += seconds;
    cpu_samples_ += samples;
  }

  void feed(std::size_t gpu) {
    std::unique_ptr<DeviceSampler>& device = block_.on_gpus[gpu];
    if (!device) device = block_.sampler.on_device(limits_.gpus[gpu]);
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    const std::uint64_t few = device->few();
    auto wanted = static_cast<double>(few);
    while (batches_.take(first, count, wanted, 2 * limits_.gpus.size(), few)) {
      const double start = monitor_.elapsed();
      give(first, device->run(first, count, monitor_.stop_signal()), count);
      wanted = std::max(static_cast<double>(few),
                        paced(static_cast<double>(count), monitor_.elapsed() - start, gpu_batch_seconds, 16));
    }
  }

  /// Joins batches in the order of their samples, in whatever order they come: nothing is ever missing
  /// between those that the block, and a journal, has.
  void give(std::uint64_t first, SampleMoments batch, std::uint64_t by_gpu = 0) {
    const std::lock_guard lock(mutex_);
    block_.drawn_on_gpus += by_gpu;
    waiting_.emplace(first, std::move(batch));
    SampleMoments& moments = block_.drawn.moments;
    while (!waiting_.empty() && waiting_.begin()->first == moments.samples) {
      moments.join(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
    }
    block_.drawn.seconds = before_ + (monitor_.elapsed() - begin_) * limits_.threads;
    if (block_.ledger != nullptr) block_.ledger->put(block_.drawn);
    advance_.tell();
  }

  SampledBlock& block_;
  const SamplingLimits& limits_;
  Advance& advance_;
  Monitor& monitor_;
  double begin_;
  double before_;  // seconds
  Batches batches_;
  FirstFailure failure_;
  std::mutex mutex_;
  std::map<std::uint64_t, SampleMoments> waiting_;  // by first sample
  double cpu_seconds_ = 0;
  std::uint64_t cpu_samples_ = 0;
};

/// Samples up to number `end`; fewer where the deadline comes.
void extend(SampledBlock& block, std::uint64_t end, const SamplingLimits& limits, Advance& advance,
            Monitor& monitor) {
  Round(block, end, limits, advance, monitor).draw();
}

bool good_enough(const std::vector<SampledBlock>& blocks, const SamplingLimits& limits) {
  std::vector<SampledMean> means;
  means.reserve(blocks.size());
  for (const SampledBlock& block : blocks) means.push_back(block.mean);
  const SampledMean product = join(means);
  return product.doubt.empty() &&
         interval_of(product, limits.confidence).high - product.log_mean <= std::log1p(limits.relative_error);
}

/// What the second sampler says of as many samples as there are.
void examine(SampledBlock& block, SamplingLimits limits, Advance& advance, Monitor& monitor) {
  if (!block.second) return;
  limits.cpu = true;
  limits.gpus.clear();
  SampledBlock& second = *block.second;
  second.drawn.goal = second_samples(block.sampler, second.sampler, block.drawn.moments.samples);
  if (second.drawn.moments.samples < second.drawn.goal)
    extend(second, second.drawn.goal, limits, advance, monitor);
  block.mean = sampled_mean(block.drawn.moments, block.sampler.walks());
  block.contradiction = contradiction(
      block.mean, second.mean, std::string(sampler_info(second.sampler.kind()).name), limits.confidence);
  if (!block.contradiction.empty()) block.mean.doubt = block.contradiction;
}

double uncertainty(const SampledBlock& block) {
  return block.mean.doubt.empty()
             ? block.mean.variance + block.mean.unseen * block.mean.unseen
             : std::numeric_limits<double>::max() / static_cast<double>(block.drawn.moments.samples);
}

std::uint64_t next_target(const SampledBlock& block, std::size_t blocks, const SamplingLimits& limits) {
  double growth = most_growth;
  if (block.mean.doubt.empty()) {
    const auto all = static_cast<double>(blocks);
    const double wanted = wanted_growth(block.mean.variance * all, block.mean.unseen * all, limits);
    growth = std::clamp(growth_margin * wanted, least_growth, most_growth);
  }
  return static_cast<std::uint64_t>(std::ceil(static_cast<double>(block.drawn.moments.samples) * growth));
}

}  // namespace

bool sample_blocks(std::vector<SampledBlock>& blocks, SamplingLimits limits, Monitor& monitor) {
  const double begin = monitor.elapsed();
  const SamplingLimits of_second = limits;
  const bool checked = std::any_of(blocks.begin(), blocks.end(),
                                   [](const SampledBlock& block) { return block.second != nullptr; });
  if (checked && std::isfinite(limits.deadline_seconds))
    limits.deadline_seconds -= time_of_second * std::max(limits.deadline_seconds - begin, 0.0);
  Advance advance(blocks, limits, monitor);
  monitor.enter("drawing the first samples");
  monitor.allow_grace(grace_seconds);
  const bool some_can = std::any_of(blocks.begin(), blocks.end(), [](const SampledBlock& block) {
    return block.sampler.device_obstacle().empty();
  });
  bool may_come = some_can && limits.more_gpus;
  const auto up_to = [&](SampledBlock& block, std::uint64_t end) {
    block.drawn.goal = end;
    while (block.drawn.moments.samples < end && monitor.elapsed() <= limits.deadline_seconds) {
      if (may_come && monitor.elapsed() - begin > seconds_before_gpus) {
        limits.gpus = limits.more_gpus();
        may_come = false;
      }
      // By halves, as long as GPUs may come to help.
      const std::uint64_t half = std::max(first_samples, 2 * block.drawn.moments.samples);
      extend(block, may_come ? std::min(end, half) : end, limits, advance, monitor);
    }
    examine(block, of_second, advance, monitor);
  };
  for (SampledBlock& block : blocks) {
    // Where a session ended with fewer than it was to draw, those come first: no interval is looked at
    // before.
    block.drawn.goal = limits.samples > 0 ? limits.samples : std::max(block.drawn.goal, first_samples);
    // Something of every block, whatever the time: of GPUs, which take as long for a few as for many, all;
    // where they may come, no more than shows how long a sample takes.
    const bool at_once =
        limits.samples > 0 && !limits.gpus.empty() && block.sampler.device_obstacle().empty();
    const std::uint64_t some =
        may_come ? static_cast<std::uint64_t>(std::max(limits.threads, 1)) : first_samples;
    extend(block, at_once ? block.drawn.goal : std::min(block.drawn.goal, some), limits, advance, monitor);
    if (block.drawn.moments.samples == 0) monitor.throw_if_stopped();
    up_to(block, block.drawn.goal);
  }
  const auto all_drawn = [&blocks] {
    return std::all_of(blocks.begin(), blocks.end(), [](const SampledBlock& block) {
      return block.drawn.moments.samples >= block.drawn.goal;
    });
  };
  if (limits.samples > 0) return all_drawn();
  while (!(all_drawn() && good_enough(blocks, limits))) {
    if (monitor.elapsed() > limits.deadline_seconds) return false;
    SampledBlock& least_certain = *std::max_element(
        blocks.begin(), blocks.end(),
        [](const SampledBlock& a, const SampledBlock& b) { return uncertainty(a) < uncertainty(b); });
    up_to(least_certain, next_target(least_certain, blocks.size(), limits));
  }
  return true;
}

}  // namespace countpm
