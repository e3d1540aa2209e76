#include "src/estimate/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

#include "src/estimate/second_sampler.hpp"
#include "src/run/scheduler.hpp"
#include "src/units/in_order.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t first_samples = 64;
// Batches take about so long: stops are prompt and threads evenly busy.
constexpr double batch_seconds = 0.05;
constexpr double least_batch_seconds = 0.001;
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

/// How many times as many samples make an interval of this variance and what may not have been seen narrow
/// enough, the skewness aside: g with z sqrt(variance / g) + unseen / g = ln(1 + relative error), or with
/// variance / g + (unseen / g)^2 = log_error^2.
double wanted_growth(double variance, double unseen, const SamplingLimits& limits) {
  if (limits.log_error) {
    const double square = *limits.log_error * *limits.log_error;
    return (variance + std::sqrt(variance * variance + 4 * square * unseen * unseen)) / (2 * square);
  }
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
      unseen += block.mean.unseen + block.mean.tail_excess;
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
class Round : public Work {
 public:
  Round(SampledBlock& block, std::uint64_t end, const SamplingLimits& limits, Advance& advance,
        Monitor& monitor)
      : block_(block),
        limits_(limits),
        advance_(advance),
        monitor_(monitor),
        begin_(monitor.elapsed()),
        before_(block.drawn.seconds),
        samples_{block.drawn.moments.samples, std::max(end, block.drawn.moments.samples)},
        in_order_(samples_.first) {}

  void draw() {
    const double each = draw_with_crew() ? crew_seconds_each_ : draw_here();
    // A sample that the time limit ended is dropped; what there is before it is worth having.
    if (!monitor_.limit_is_over()) monitor_.throw_if_stopped();
    if (block_.drawn.moments.samples == 0) return;
    block_.mean = sampled_mean(block_.drawn.moments, block_.sampler.walks());
    advance_.tell();
    if (each > 0) block_.cpu_seconds_a_sample = each;
  }

 private:
  struct Batch {
    SampleMoments moments;
    std::vector<double> ln_weights;  // where they are asked for
  };

  /// By this process alone. The seconds that a sample took a thread; 0: none did.
  double draw_here() {
    const bool on_gpus = !limits_.gpus.empty() && block_.sampler.device_obstacle().empty();
    const std::size_t gpus = on_gpus ? limits_.gpus.size() : 0;
    if (on_gpus) block_.on_gpus.resize(gpus);
    const int threads = limits_.cpu || !on_gpus ? threads_beside(gpus, limits_.threads) : 0;
    Scheduler scheduler(*this, gpus, threads, monitor_.stop_signal());
    scheduler.put(0, samples_);
    scheduler.run();
    return scheduler.cpu_seconds_each(0);
  }

  /// Together with others, where there are any and it is worth their while.
  bool draw_with_crew() {
    if (limits_.crew == nullptr || samples_.empty()) return false;
    BlockDrawer drawer(block_.sampler, &limits_.gpus, &block_.on_gpus);
    SampleRound round;
    round.series = block_.series;
    round.weights = static_cast<bool>(block_.weights);
    if (round.weights) drawer.keep_weights();
    round.drawer = &drawer;
    round.samples = samples_;
    round.seconds_a_sample =
        block_.cpu_seconds_a_sample > 0 ? block_.cpu_seconds_a_sample : block_.sampler.work() * 1e-9;
    round.log2_most = block_.log2_most;
    round.threads = limits_.threads;
    round.cpu = limits_.cpu;
    round.give = [this](SampleBatch&& batch, bool by_gpu) {
      give(batch.range, {std::move(batch.moments), std::move(batch.ln_weights)},
           by_gpu ? batch.range.size() : 0);
    };
    round.ended = [this] { return ended(); };
    if (round.seconds() < limits_.crew->least_seconds()) return false;
    crew_seconds_each_ = limits_.crew->draw(round, monitor_);
    return true;
  }

  Pace on_cpu(std::size_t) const override {
    Pace pace;
    pace.seconds = batch_seconds;
    pace.least_seconds = least_batch_seconds;
    pace.most = largest_batch;
    if (block_.cpu_seconds_a_sample > 0) pace.rate = 1 / block_.cpu_seconds_a_sample;
    return pace;
  }

  GpuRunner on_gpu(std::size_t, std::size_t gpu) override {
    std::unique_ptr<DeviceSampler>& device = block_.on_gpus[gpu];
    if (!device) device = block_.sampler.on_device(limits_.gpus[gpu]);
    GpuRunner runner;
    runner.pace.seconds = gpu_batch_seconds;
    runner.pace.least = device->few();
    runner.run = [this, &device](const UnitRange& range) {
      give(range, {device->run(block_.first_sample + range.first, range.size(), monitor_.stop_signal()), {}},
           range.size());
    };
    return runner;
  }

  void run(std::size_t, const UnitRange& range) override {
    if (!block_.weights) {
      const std::uint64_t first = block_.first_sample + range.first;
      return give(range, {block_.sampler.run(first, range.size(), monitor_.stop_signal()), {}}, 0);
    }
    SampleBatch batch;
    batch.range = range;
    BlockDrawer drawer(block_.sampler);
    drawer.keep_weights();
    drawer.draw(batch, monitor_.stop_signal());
    give(range, {std::move(batch.moments), std::move(batch.ln_weights)}, 0);
  }

  bool ended() override { return monitor_.elapsed() > limits_.deadline_seconds; }
  void stop_others() override { monitor_.request_stop(); }

  /// Joins batches in the order of their samples: nothing is ever missing between those that the block, and a
  /// journal, has.
  void give(const UnitRange& range, Batch batch, std::uint64_t by_gpu) {
    const std::lock_guard lock(mutex_);
    block_.drawn_on_gpus += by_gpu;
    in_order_.add(range, std::move(batch), [this](const UnitRange& numbers, Batch&& next) {
      block_.drawn.moments.join(next.moments);
      if (block_.weights) block_.weights(numbers.first, std::move(next.ln_weights));
    });
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
  double crew_seconds_each_ = 0;
  UnitRange samples_;
  std::mutex mutex_;
  InOrder<Batch> in_order_;
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
  if (limits.log_error) return product.doubt.empty() && product.standard_error() <= *limits.log_error;
  return product.doubt.empty() &&
         interval_of(product, limits.confidence).high - product.log_mean <= std::log1p(limits.relative_error);
}

/// What the second sampler says of as many samples as there are.
void examine(SampledBlock& block, SamplingLimits limits, Advance& advance, Monitor& monitor) {
  if (!block.second) return;
  limits.cpu = true;
  limits.gpus.clear();
  SampledBlock& second = *block.second;
  second.drawn.goal =
      second_samples(block.sampler, second.sampler, block.drawn.moments.samples, limits.share_of_second);
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
    const double wanted =
        wanted_growth(block.mean.variance * all, (block.mean.unseen + block.mean.tail_excess) * all, limits);
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
    limits.deadline_seconds -= limits.share_of_second / (1 + limits.share_of_second) *
                               std::max(limits.deadline_seconds - begin, 0.0);
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
