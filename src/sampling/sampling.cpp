#include "src/sampling/sampling.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

#include "src/run/scheduler.hpp"
#include "src/sampling/second_sampler.hpp"
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
// A GPU takes about so long to start. It does so while the CPU draws, where what is left to draw seems to
// take twice as long.
constexpr double gpu_start_seconds = 0.3;
constexpr double worth_gpu_seconds = 2 * gpu_start_seconds;
// Where it does not, it is looked for once the CPU has drawn for so long.
constexpr double seconds_before_gpus = 1;
// The CPU's threads draw beside GPUs where they draw at least so many times as many.
constexpr double least_share_of_threads = 0.5;
// Samples that are predicted to take less than this share of the time left will be drawn before the limit.
constexpr double sure_share_of_limit = 0.25;
// A block's samples grow by at least and at most these factors at a time: fewer looks at the interval mean
// fewer chances to stop when it happens to be narrow.
constexpr double least_growth = 1.25;
constexpr double most_growth = 2;
constexpr double growth_margin = 1.05;

/// How many times as many samples make an interval of this variance and what may not have been seen narrow
/// enough, the skewness aside: g with z sqrt(variance / g) + unseen / g = ln(1 + relative error), or with
/// variance / g + (unseen / g)^2 = ln_error^2.
double wanted_growth(double variance, double unseen, const SamplingLimits& limits) {
  if (limits.ln_error) {
    const double square = *limits.ln_error * *limits.ln_error;
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

/// Of a sample on a thread of the CPU: as seen, or before that as predicted.
double cpu_seconds_a_sample(const SampledBlock& block) {
  return block.cpu_seconds_a_sample > 0 ? block.cpu_seconds_a_sample : block.sampler.work() * 1e-9;
}

/// How many samples the second sampler of a block is to have beside so many of the first.
std::uint64_t samples_beside(const SampledBlock& block, std::uint64_t drawn, const SamplingLimits& limits) {
  return second_samples(block.sampler, block.second->sampler, drawn, limits.share_of_second);
}

/// One round of drawing: samples of a block, by the CPU's threads and GPUs. While GPUs draw, the CPU's
/// threads also draw what the second sampler is to have then.
class Round : public Work {
 public:
  Round(SampledBlock& block, std::uint64_t end, const SamplingLimits& limits, Advance& advance,
        Monitor& monitor)
      : limits_(limits),
        advance_(advance),
        monitor_(monitor),
        begin_(monitor.elapsed()),
        on_gpus_(!limits.gpus.empty() && block.sampler.device_obstacle().empty()),
        on_cpu_(!on_gpus_ || (limits.cpu && worth_threads(block, limits))) {
    add_series(block, end);
    begun_ = series_[0].samples.empty() || series_[0].samples.first > 0;
    if (on_gpus_ && block.second) add_series(*block.second, samples_beside(block, end, limits));
  }

  void draw() {
    if (!draw_with_crew()) draw_here();
    // A sample that the time limit ended is dropped; what there is before it is worth having.
    if (!monitor_.limit_is_over()) monitor_.throw_if_stopped();
    for (const Series& one : series_) {
      SampledBlock& block = *one.block;
      if (block.drawn.moments.samples == 0) continue;
      block.mean = sampled_mean(block.drawn.moments, block.sampler.walks());
      if (one.cpu_seconds_each > 0) block.cpu_seconds_a_sample = one.cpu_seconds_each;
    }
    if (series_[0].block->drawn.moments.samples > 0) advance_.tell();
  }

 private:
  struct Batch {
    SampleMoments moments;
    std::vector<double> ln_weights;  // where they are asked for
  };
  /// A sampler's part of the round.
  struct Series {
    SampledBlock* block;
    UnitRange samples;
    double before;  // seconds
    InOrder<Batch> in_order;
    double drawing = 0;  // seconds of the CPU's threads, all together
    double cpu_seconds_each = 0;
  };

  /// Beside GPUs: whether threads draw enough of the samples. GPUs would have to wait for their last ones,
  /// and have drawn some of theirs ahead. GPUs that are new draw alone, to show how fast they are, unless all
  /// samples are in one round.
  static bool worth_threads(const SampledBlock& block, const SamplingLimits& limits) {
    double by_gpus = 0;
    for (const auto& gpu : block.on_gpus) by_gpus += gpu ? gpu->samples_a_second() : 0;
    if (by_gpus == 0) return limits.samples > 0;
    return limits.threads > least_share_of_threads * by_gpus * cpu_seconds_a_sample(block);
  }

  void add_series(SampledBlock& block, std::uint64_t end) {
    const std::uint64_t first = block.drawn.moments.samples;
    series_.push_back({&block, {first, std::max(end, first)}, block.drawn.seconds, InOrder<Batch>(first)});
  }

  /// By this process alone.
  void draw_here() {
    const std::size_t gpus = on_gpus_ ? limits_.gpus.size() : 0;
    if (on_gpus_) series_[0].block->on_gpus.resize(gpus);
    const bool threads_draw = on_cpu_ || series_.size() > 1;
    Scheduler scheduler(*this, gpus, threads_draw ? threads_beside(gpus, limits_.threads) : 0,
                        monitor_.stop_signal());
    for (std::size_t k = 0; k < series_.size(); ++k) scheduler.put(k, series_[k].samples);
    scheduler.run();
    for (std::size_t k = 0; k < series_.size(); ++k)
      series_[k].cpu_seconds_each = scheduler.cpu_seconds_each(k);
  }

  /// Together with others, where there are any and it is worth their while: the first sampler's alone.
  bool draw_with_crew() {
    Series& own = series_[0];
    SampledBlock& block = *own.block;
    if (limits_.crew == nullptr || own.samples.empty()) return false;
    BlockDrawer drawer(block.sampler, &limits_.gpus, &block.on_gpus);
    SampleRound round;
    round.series = block.series;
    round.weights = static_cast<bool>(block.weights);
    if (round.weights) drawer.keep_weights();
    round.drawer = &drawer;
    round.samples = own.samples;
    round.seconds_a_sample = cpu_seconds_a_sample(block);
    round.log2_most = block.log2_most;
    round.threads = limits_.threads;
    round.cpu = limits_.cpu;
    round.give = [this, &own](SampleBatch&& batch, bool by_gpu) {
      give(own, batch.range, {std::move(batch.moments), std::move(batch.ln_weights)},
           by_gpu ? batch.range.size() : 0);
    };
    round.ended = [this] { return ended(); };
    if (round.seconds() < limits_.crew->least_seconds()) return false;
    begun_ = true;  // they draw the first batch, whatever the time
    own.cpu_seconds_each = limits_.crew->draw(round, monitor_);
    return true;
  }

  bool takes(std::size_t task, bool gpu) const override {
    if (gpu) return task == 0;
    return task > 0 || on_cpu_;
  }

  Pace on_cpu(std::size_t task) const override {
    Pace pace;
    pace.seconds = batch_seconds;
    pace.least_seconds = least_batch_seconds;
    pace.most = largest_batch;
    const double seconds = series_[task].block->cpu_seconds_a_sample;
    if (seconds > 0) pace.rate = 1 / seconds;
    return pace;
  }

  GpuRunner on_gpu(std::size_t task, std::size_t gpu) override {
    Series& own = series_[task];
    const SampledBlock& block = *own.block;
    std::unique_ptr<DeviceSampler>& device = own.block->on_gpus[gpu];
    if (!device) device = block.sampler.on_device(limits_.gpus[gpu]);
    // What others may be dealt is theirs.
    const bool alone = limits_.gpus.size() == 1 && !on_cpu_;
    const std::uint64_t last = limits_.samples > 0 ? limits_.samples : most_samples_of_a_series;
    device->may_draw_ahead(alone ? block.first_sample + last : 0);
    GpuRunner runner;
    runner.pace.seconds = gpu_batch_seconds;
    runner.pace.least = device->few();
    runner.run = [this, &own, &block, &device](const UnitRange& range) {
      begun_ = true;
      const std::uint64_t first = block.first_sample + range.first;
      give(own, range, {device->run(first, range.size(), monitor_.stop_signal()), {}}, range.size());
    };
    return runner;
  }

  void run(std::size_t task, const UnitRange& range) override {
    Series& own = series_[task];
    const SampledBlock& block = *own.block;
    const double start = monitor_.elapsed();
    if (task == 0) begun_ = true;
    if (!block.weights) {
      const std::uint64_t first = block.first_sample + range.first;
      SampleMoments moments = block.sampler.run(first, range.size(), monitor_.stop_signal());
      return give(own, range, {std::move(moments), {}}, 0, monitor_.elapsed() - start);
    }
    SampleBatch batch;
    batch.range = range;
    BlockDrawer drawer(block.sampler);
    drawer.keep_weights();
    drawer.draw(batch, monitor_.stop_signal());
    give(own, range, {std::move(batch.moments), std::move(batch.ln_weights)}, 0, monitor_.elapsed() - start);
  }

  /// Whatever the time, something of the block is drawn.
  bool ended() override { return begun_ && monitor_.elapsed() > limits_.deadline_seconds; }
  void stop_others() override { monitor_.request_stop(); }

  /// Joins batches in the order of their samples: nothing is ever missing between those that the block, and a
  /// journal, has.
  void give(Series& own, const UnitRange& range, Batch batch, std::uint64_t by_gpu, double cpu_seconds = 0) {
    const std::lock_guard lock(mutex_);
    SampledBlock& block = *own.block;
    block.drawn_on_gpus += by_gpu;
    own.drawing += cpu_seconds;
    own.in_order.add(range, std::move(batch), [&block](const UnitRange& numbers, Batch&& next) {
      block.drawn.moments.join(next.moments);
      if (block.weights) block.weights(numbers.first, std::move(next.ln_weights));
    });
    // A second sampler's are its own: the first's samples are drawn at the same time.
    const bool beside = &own != series_.data();
    block.drawn.seconds =
        own.before + (beside ? own.drawing : (monitor_.elapsed() - begin_) * limits_.threads);
    if (block.ledger != nullptr) block.ledger->put(block.drawn);
    advance_.tell();
  }

  const SamplingLimits& limits_;
  Advance& advance_;
  Monitor& monitor_;
  double begin_;
  bool on_gpus_;
  bool on_cpu_;
  std::atomic<bool> begun_ = false;  // some samples of the block are there, or under way
  std::mutex mutex_;
  std::vector<Series> series_;  // the block's, then that of its second sampler
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
  if (limits.ln_error) return product.doubt.empty() && product.standard_error() <= *limits.ln_error;
  return product.doubt.empty() &&
         interval_of(product, limits.confidence).high - product.log_mean <= std::log1p(limits.relative_error);
}

/// What the second sampler says of as many samples as there are.
void examine(SampledBlock& block, SamplingLimits limits, Advance& advance, Monitor& monitor) {
  if (!block.second) return;
  limits.cpu = true;
  limits.gpus.clear();
  SampledBlock& second = *block.second;
  second.drawn.goal = samples_beside(block, block.drawn.moments.samples, limits);
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

/// The GPUs that join where the CPU takes long.
class ComingGpus {
 public:
  ComingGpus(const SamplingLimits& limits, const Monitor& monitor, bool wanted)
      : limits_(limits),
        monitor_(monitor),
        begin_(monitor.elapsed()),
        may_come_(wanted && limits.more_gpus) {}

  bool may_come() const { return may_come_; }

  /// Starts them where the samples of a block that are wanted, as far as those that there are tell, or before
  /// the first ones those that come first, are worth it.
  void look(const SampledBlock& block, std::size_t blocks) {
    if (!may_come_ || asked_ || !block.sampler.device_obstacle().empty()) return;
    const double passed = monitor_.elapsed() - begin_;
    if (!(seconds_left(block, blocks, passed) > worth_gpu_seconds)) return;
    asked_ = true;
    if (limits_.start_gpus && limits_.start_gpus()) ready_ = std::min(ready_, passed + gpu_start_seconds);
  }

  /// Those that have come.
  std::vector<GpuInfo> take() {
    if (!may_come_ || monitor_.elapsed() - begin_ < ready_) return {};
    may_come_ = false;
    return limits_.more_gpus();
  }

 private:
  double seconds_left(const SampledBlock& block, std::size_t blocks, double passed) const {
    const auto drawn = static_cast<double>(block.drawn.moments.samples);
    if (drawn == 0)
      return static_cast<double>(block.drawn.goal) * cpu_seconds_a_sample(block) /
             std::max(limits_.threads, 1);
    double growth = static_cast<double>(block.drawn.goal) / drawn;
    if (limits_.samples == 0 && block.mean.doubt.empty()) {
      const auto all = static_cast<double>(blocks);
      growth = wanted_growth(block.mean.variance * all, block.mean.unseen * all, limits_);
    }
    return passed * (growth - 1);
  }

  const SamplingLimits& limits_;
  const Monitor& monitor_;
  double begin_;
  bool may_come_;
  bool asked_ = false;
  double ready_ = seconds_before_gpus;
};

/// What the samples that are asked for and not there yet take the CPU's threads.
double missing_seconds(const std::vector<SampledBlock>& blocks, const SamplingLimits& limits) {
  double seconds = 0;
  for (const SampledBlock& block : blocks) {
    const std::uint64_t drawn = std::min(block.drawn.moments.samples, limits.samples);
    seconds += static_cast<double>(limits.samples - drawn) * cpu_seconds_a_sample(block);
  }
  return seconds / std::max(limits.threads, 1);
}

/// As many samples as are asked for of every block. Where the time limit may come before, always twice as
/// many of the one that has fewest, so that something of each is there in the end.
template <class DrawTo>
void draw_in_turn(std::vector<SampledBlock>& blocks, const SamplingLimits& limits, const DrawTo& draw_to,
                  const Monitor& monitor) {
  while (monitor.elapsed() <= limits.deadline_seconds) {
    SampledBlock& fewest =
        *std::min_element(blocks.begin(), blocks.end(), [](const SampledBlock& a, const SampledBlock& b) {
          return a.drawn.moments.samples < b.drawn.moments.samples;
        });
    const std::uint64_t drawn = fewest.drawn.moments.samples;
    if (drawn >= limits.samples) return;
    const double left = limits.deadline_seconds - monitor.elapsed();
    const bool at_once = blocks.size() == 1 || missing_seconds(blocks, limits) < sure_share_of_limit * left;
    draw_to(fewest,
            at_once ? limits.samples : std::min(limits.samples, std::max<std::uint64_t>(2 * drawn, 1)));
  }
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
  ComingGpus coming(of_second, monitor, some_can);
  // They show how long a sample takes.
  const auto few = static_cast<std::uint64_t>(std::max(limits.threads, 1));
  const auto draw_to = [&](SampledBlock& block, std::uint64_t end) {
    while (block.drawn.moments.samples < end && monitor.elapsed() <= limits.deadline_seconds) {
      coming.look(block, blocks.size());
      if (coming.may_come()) limits.gpus = coming.take();
      // By halves, as long as GPUs may come to help; others who draw are to have more than a few.
      const std::uint64_t half =
          std::max(limits.crew != nullptr ? first_samples : few, 2 * block.drawn.moments.samples);
      extend(block, coming.may_come() ? std::min(end, half) : end, limits, advance, monitor);
    }
  };
  const auto up_to = [&](SampledBlock& block, std::uint64_t end) {
    block.drawn.goal = end;
    draw_to(block, end);
    examine(block, of_second, advance, monitor);
  };
  // Something of every block, whatever the time; where GPUs may come, no more than shows how long a sample
  // takes.
  for (SampledBlock& block : blocks) {
    // Where a session ended with fewer than it was to draw, those come first: no interval is looked at
    // before.
    block.drawn.goal = limits.samples > 0 ? limits.samples : std::max(block.drawn.goal, first_samples);
    const std::uint64_t some = coming.may_come() ? few : first_samples;
    coming.look(block, blocks.size());
    extend(block, std::min(block.drawn.goal, some), limits, advance, monitor);
    if (block.drawn.moments.samples == 0) monitor.throw_if_stopped();
  }
  const auto all_drawn = [&blocks] {
    return std::all_of(blocks.begin(), blocks.end(), [](const SampledBlock& block) {
      return block.drawn.moments.samples >= block.drawn.goal;
    });
  };
  if (limits.samples > 0) {
    draw_in_turn(blocks, limits, draw_to, monitor);
    for (SampledBlock& block : blocks) examine(block, of_second, advance, monitor);
    return all_drawn();
  }
  for (SampledBlock& block : blocks) up_to(block, block.drawn.goal);
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
