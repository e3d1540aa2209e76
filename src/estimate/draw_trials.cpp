#include "src/estimate/draw_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "src/watch/first_failure.hpp"

namespace countpm {
namespace {

constexpr double trial_batch_seconds = 0.02;
constexpr std::uint64_t most_trials_a_batch = 1 << 20;
constexpr double batches_a_thread = 4;
// Those of a GPU are longer, and their launches within them short.
constexpr double gpu_trial_batch_seconds = 0.1;

/// Gives the rule its trials in the order of their numbers, in whatever order batches come back.
class TrialSearch {
 public:
  TrialSearch(GuaranteedBlock& block, int threads, Monitor& monitor)
      : block_(block),
        threads_(threads),
        monitor_(monitor),
        begin_(monitor.elapsed()),
        before_(block.drawn.seconds),
        next_(block.drawn.moments.samples),
        done_(block.rule.enough(block.drawn)) {
    block.drawn.goal = block.rule.goal();
    block.drawn.share_bits = block.rule.share_bits();
  }

  /// The next `count` trials.
  bool take(std::uint64_t& first, std::uint64_t count) {
    const std::lock_guard lock(mutex_);
    if (done_ || monitor_.stop_signal().requested()) return false;
    first = next_;
    next_ += count;
    return true;
  }

  void give(std::uint64_t first, std::uint64_t count, std::vector<TrialHits> hits, bool by_gpu) {
    const std::lock_guard lock(mutex_);
    (by_gpu ? block_.drawn_on_gpus : block_.drawn_on_cpu) += count;
    waiting_.emplace(first, Batch{count, std::move(hits)});
    const double before = block_.done_seconds();
    while (!done_ && !waiting_.empty() && waiting_.begin()->first == block_.drawn.moments.samples) {
      const Batch& batch = waiting_.begin()->second;
      done_ = block_.rule.add(block_.drawn, batch.trials, batch.hits);
      waiting_.erase(waiting_.begin());
    }
    block_.drawn.seconds = before_ + (monitor_.elapsed() - begin_) * threads_;
    if (block_.ledger != nullptr) block_.ledger->put(block_.drawn);
    monitor_.finish(block_.done_seconds() - before);
  }

  std::string progress_text() {
    const std::lock_guard lock(mutex_);
    return block_.rule.progress_text(block_.drawn);
  }

 private:
  struct Batch {
    std::uint64_t trials;
    std::vector<TrialHits> hits;
  };

  std::mutex mutex_;
  GuaranteedBlock& block_;
  int threads_;
  Monitor& monitor_;
  double begin_;
  double before_;
  std::uint64_t next_;  // trial
  bool done_;
  std::map<std::uint64_t, Batch> waiting_;  // by first trial
};

/// Trials of a batch that takes `seconds` at most, and leaves some to `sharers` that draw, too.
std::uint64_t batch_size(const GuaranteedBlock& block, double trial_seconds, double seconds, double sharers) {
  const double trials = block.rule.expected_trials();
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
      const int threads = means_.drawing_threads();
      if (threads > 0) {
        const std::uint64_t batch = std::min(
            batch_size(block_, block_.trial_seconds, trial_batch_seconds, threads), most_trials_a_batch);
#pragma omp parallel num_threads(threads) if (threads > 1)
        {
          guarded([&] {
            draw(batch, false, [&](std::uint64_t first) {
              return block_.trials.hits(first, batch, block_.rule.share_bits(), monitor_.stop_signal());
            });
          });
        }
      }
    }
    failure_.rethrow();
    monitor_.throw_if_stopped();
  }

 private:
  template <class Work>
  void guarded(const Work& work) {
    if (!failure_.guard(work)) monitor_.request_stop();
  }

  template <class Hits>
  void draw(std::uint64_t batch, bool by_gpu, const Hits& hits) {
    std::uint64_t first = 0;
    while (search_.take(first, batch)) {
      search_.give(first, batch, hits(first), by_gpu);
      monitor_.describe(fmt::format("rejection, {}", search_.progress_text()), number_, blocks_);
    }
  }

  void feed(std::size_t gpu) {
    const auto gpus = static_cast<double>(means_.gpus.size());
    const std::uint64_t batch =
        std::max(batch_size(block_, block_.gpu_trial_seconds[gpu], gpu_trial_batch_seconds, gpus),
                 block_.on_gpus[gpu]->few());
    draw(batch, true, [&](std::uint64_t first) {
      return hits_on_gpu(block_, gpu, first, batch, means_, monitor_.stop_signal());
    });
  }

  GuaranteedBlock& block_;
  std::size_t number_;
  std::size_t blocks_;
  const TrialMeans& means_;
  Monitor& monitor_;
  TrialSearch search_;
  FirstFailure failure_;
};

}  // namespace

int TrialMeans::drawing_threads() const {
  if (!cpu) return 0;
  const int feeding = static_cast<int>(gpus.size());
  return std::max(threads - feeding, feeding > 0 ? 0 : 1);
}

int TrialMeans::feeding_threads() const {
  const std::size_t feeders = std::max<std::size_t>(gpus.size(), 1);
  return cpu ? 1 : std::max(1, threads / static_cast<int>(feeders));
}

std::vector<TrialHits> hits_on_gpu(GuaranteedBlock& block, std::size_t gpu, std::uint64_t first,
                                   std::uint64_t count, const TrialMeans& means, const StopSignal& stop) {
  const std::vector<std::uint64_t> numbers = block.on_gpus[gpu]->successes(first, count, stop);
  if (block.rule.share_bits() > 0)
    return block.trials.hits_of(numbers, block.rule.share_bits(), means.feeding_threads(), stop);
  std::vector<TrialHits> coins;
  coins.reserve(numbers.size());
  for (const std::uint64_t number : numbers) coins.push_back({number, 1});
  return coins;
}

void draw_trials(GuaranteedBlock& block, std::size_t number, std::size_t blocks, const TrialMeans& means,
                 Monitor& monitor) {
  Drawing(block, number, blocks, means, monitor).run();
}

}  // namespace countpm
