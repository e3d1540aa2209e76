#include "src/estimate/draw_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <utility>

#include "graph/errors.hpp"
#include "src/run/scheduler.hpp"
#include "src/units/in_order.hpp"

namespace countpm {
namespace {

constexpr double trial_batch_seconds = 0.02;
constexpr std::uint64_t most_trials_a_batch = 1 << 20;
constexpr double batches_a_thread = 4;
// Those of a GPU are longer, and their launches within them short.
constexpr double gpu_trial_batch_seconds = 0.1;
constexpr std::uint64_t no_end = ~std::uint64_t{0};
// Rounds of trials that others draw, too: what is predicted to be missing and some more, for the rule may
// want it; a share of the whole at least.
constexpr double round_margin = 1.125;
constexpr double least_round_share = 0.125;
constexpr double least_round = 1024;
constexpr double most_round = 0x1p60;

/// All that draws a block's trials. The rule gets them in the order of their numbers, in whatever order
/// batches come back.
class Drawing : public Work {
 public:
  Drawing(GuaranteedBlock& block, std::size_t number, std::size_t blocks, const TrialMeans& means,
          Monitor& monitor)
      : block_(block),
        number_(number),
        blocks_(blocks),
        means_(means),
        monitor_(monitor),
        begin_(monitor.elapsed()),
        before_(block.drawn.seconds),
        in_order_(block.drawn.moments.samples),
        done_(block.rule.enough(block.drawn)) {
    block.drawn.goal = block.rule.goal();
    block.drawn.share_bits = block.rule.share_bits();
  }

  void draw() {
    while (!done_ && draw_with_crew()) monitor_.throw_if_stopped();
    Scheduler scheduler(*this, means_.gpus.size(), means_.drawing_threads(), monitor_.stop_signal());
    if (!done_) scheduler.put(0, {block_.drawn.moments.samples, no_end});
    scheduler.run();
    monitor_.throw_if_stopped();
  }

 private:
  /// A round, where there are others and it is worth their while.
  bool draw_with_crew() {
    if (means_.crew == nullptr) return false;
    const double expected = block_.rule.expected_trials();
    const double missing = expected - static_cast<double>(block_.drawn.moments.samples);
    const double wanted =
        std::clamp(round_margin * std::max(missing, least_round_share * expected), least_round, most_round);
    TrialDrawer drawer(block_, block_.rule.share_bits(), means_);
    SampleRound round;
    round.series = series_a_block * (number_ - 1);
    round.drawer = &drawer;
    round.share_bits = block_.rule.share_bits();
    round.samples.first = block_.drawn.moments.samples;
    round.samples.last = round.samples.first + static_cast<std::uint64_t>(wanted);
    round.seconds_a_sample =
        block_.trial_seconds > 0 ? block_.trial_seconds : block_.gpu_trial_seconds.front();
    round.threads = means_.threads;
    round.cpu = means_.cpu;
    round.give = [this](SampleBatch&& batch, bool by_gpu) {
      give(batch.range, std::move(batch.hits), by_gpu ? block_.drawn_on_gpus : block_.drawn_on_cpu);
    };
    round.ended = [this] { return ended(); };
    round.rest_counts = false;
    if (round.seconds() < means_.crew->least_seconds()) return false;
    means_.crew->draw(round, monitor_);
    return true;
  }

  Pace on_cpu(std::size_t) const override {
    Pace pace = pace_of(trial_batch_seconds, block_.trial_seconds, means_.drawing_threads());
    pace.most = std::min(pace.most, most_trials_a_batch);
    return pace;
  }

  GpuRunner on_gpu(std::size_t, std::size_t gpu) override {
    GpuRunner runner;
    runner.pace = pace_of(gpu_trial_batch_seconds, block_.gpu_trial_seconds[gpu],
                          static_cast<double>(means_.gpus.size()));
    runner.pace.least = block_.on_gpus[gpu]->few();
    runner.pace.most = std::max(runner.pace.most, runner.pace.least);
    runner.run = [this, gpu](const UnitRange& range) {
      give(range,
           hits_on_gpu(block_, gpu, range.first, range.size(), block_.rule.share_bits(), means_,
                       monitor_.stop_signal()),
           block_.drawn_on_gpus);
    };
    return runner;
  }

  void run(std::size_t, const UnitRange& range) override {
    give(range,
         block_.trials.hits(range.first, range.size(), block_.rule.share_bits(), monitor_.stop_signal()),
         block_.drawn_on_cpu);
  }

  bool ended() override {
    const std::lock_guard lock(mutex_);
    return done_;
  }
  void stop_others() override { monitor_.request_stop(); }

  /// Of batches that take `seconds` at most, and leave some to `sharers` that draw, too.
  Pace pace_of(double seconds, double trial_seconds, double sharers) const {
    Pace pace;
    pace.seconds = seconds;
    pace.most = static_cast<std::uint64_t>(
        std::max(block_.rule.expected_trials() / (batches_a_thread * sharers), 1.0));
    pace.rate = 1 / trial_seconds;
    return pace;
  }

  void give(const UnitRange& range, std::vector<TrialHits> hits, std::uint64_t& drawn) {
    const std::lock_guard lock(mutex_);
    drawn += range.size();
    const double before = block_.done_seconds();
    in_order_.add(range, std::move(hits), [this](const UnitRange& next, const std::vector<TrialHits>& found) {
      if (!done_) done_ = block_.rule.add(block_.drawn, next.size(), found);
    });
    block_.drawn.seconds = before_ + (monitor_.elapsed() - begin_) * means_.threads;
    if (block_.ledger != nullptr) block_.ledger->put(block_.drawn);
    monitor_.finish(block_.done_seconds() - before);
    monitor_.describe(fmt::format("rejection, {}", block_.rule.progress_text(block_.drawn)), number_,
                      blocks_);
  }

  GuaranteedBlock& block_;
  std::size_t number_;
  std::size_t blocks_;
  const TrialMeans& means_;
  Monitor& monitor_;
  double begin_;
  double before_;
  std::mutex mutex_;
  InOrder<std::vector<TrialHits>> in_order_;
  bool done_;
};

}  // namespace

int TrialMeans::drawing_threads() const {
  if (!cpu) return 0;
  return threads_beside(gpus.size(), threads);
}

int TrialMeans::feeding_threads() const {
  const std::size_t feeders = std::max<std::size_t>(gpus.size(), 1);
  return cpu ? 1 : std::max(1, threads / static_cast<int>(feeders));
}

std::vector<TrialHits> hits_on_gpu(GuaranteedBlock& block, std::size_t gpu, std::uint64_t first,
                                   std::uint64_t count, unsigned share_bits, const TrialMeans& means,
                                   const StopSignal& stop) {
  const std::vector<std::uint64_t> numbers = block.on_gpus[gpu]->successes(first, count, stop);
  if (share_bits > 0) return block.trials.hits_of(numbers, share_bits, means.feeding_threads(), stop);
  std::vector<TrialHits> coins;
  coins.reserve(numbers.size());
  for (const std::uint64_t number : numbers) coins.push_back({number, 1});
  return coins;
}

namespace {

void put_hits(SampleBatch& batch, std::vector<TrialHits> hits) {
  batch.moments = {};
  batch.moments.samples = batch.range.size();
  batch.moments.nonzero = hits.size();
  batch.hits = std::move(hits);
}

}  // namespace

void TrialDrawer::draw(SampleBatch& batch, const StopSignal& stop) const {
  put_hits(batch, block_.trials.hits(batch.range.first, batch.range.size(), share_bits_, stop));
}

std::uint64_t TrialDrawer::few_on(std::size_t gpu) {
  std::unique_ptr<DeviceTrials>& device = block_.on_gpus[gpu];
  if (!device) device = block_.trials.on_device(means_.gpus[gpu], share_bits_);
  return device->few();
}

void TrialDrawer::draw_on(std::size_t gpu, SampleBatch& batch, const StopSignal& stop) {
  put_hits(batch, hits_on_gpu(block_, gpu, batch.range.first, batch.range.size(), share_bits_, means_, stop));
}

std::string trials_plan(unsigned share_bits) {
  return share_bits == 0 ? "rejection" : fmt::format("rejection, hits of 2^-{}", share_bits);
}

unsigned share_bits_of(const std::string& plan, const std::string& who) {
  for (unsigned bits = 0; bits <= RejectionTrials::most_share_bits; ++bits) {
    if (plan == trials_plan(bits)) return bits;
  }
  throw UsageError(fmt::format("{} would draw trials, and the estimate is of samples by {}", who, plan));
}

SampleMoments moments_of_trials(std::uint64_t count, const std::vector<TrialHits>& hits) {
  SampleMoments moments;
  moments.samples = count;
  moments.nonzero = hits.size();
  std::uint64_t sum = 0;
  for (const TrialHits& trial : hits) sum += trial.hits;
  moments.sum.add(mpz_class(static_cast<std::uint64_t>(sum)), 0);
  return moments;
}

void draw_trials(GuaranteedBlock& block, std::size_t number, std::size_t blocks, const TrialMeans& means,
                 Monitor& monitor) {
  Drawing(block, number, blocks, means, monitor).draw();
}

}  // namespace countpm
