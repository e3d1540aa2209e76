#include "src/estimate/redraw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <random>
#include <utility>
#include <vector>

#include "src/checks/rerun_seconds.hpp"
#include "src/estimate/draw_trials.hpp"
#include "src/run/scheduler.hpp"

namespace countpm {
namespace {

// About how long a thread draws between two looks at the clock.
constexpr double redrawn_batch_seconds = 0.02;

// Where mathematical functions round otherwise, the last digits of samples differ.
constexpr double largest_log2_difference = 1e-9;

bool alike(const ExactSum& one, const ExactSum& other) {
  if (one.is_zero() || other.is_zero()) return one.is_zero() && other.is_zero();
  return std::abs(one.log2() - other.log2()) <= largest_log2_difference;
}

bool alike(const SampleMoments& one, const SampleMoments& other) {
  return one.nonzero == other.nonzero && alike(one.sum, other.sum) && alike(one.squares, other.squares) &&
         alike(one.cubes, other.cubes);
}

std::uint64_t length(const SampleStretch& stretch) {
  return stretch.after.samples - stretch.before.samples;
}

/// One stretch drawn again, in batches that threads take.
class Redrawing : public Work {
 public:
  Redrawing(const DrawSamples& draw, std::size_t block, const SampleStretch& stretch, double deadline,
            Monitor& monitor)
      : draw_(draw),
        block_(block),
        samples_{stretch.before.samples, stretch.after.samples},
        deadline_(deadline),
        monitor_(monitor),
        all_(stretch.before) {}

  /// All samples up to the stretch's end; not so many where the time is over before.
  SampleMoments moments(int threads) {
    Scheduler scheduler(*this, 0, std::max(threads, 1), monitor_.stop_signal());
    scheduler.put(0, samples_);
    scheduler.run();
    monitor_.throw_if_stopped();
    return std::move(all_);
  }

 private:
  /// One at first: a GPU may have drawn them, and a journal say what it likes of how many there are.
  Pace on_cpu(std::size_t) const override {
    Pace pace;
    pace.seconds = redrawn_batch_seconds;
    return pace;
  }
  void run(std::size_t, const UnitRange& range) override {
    const SampleMoments part = draw_(block_, range.first, range.size());
    const std::lock_guard lock(mutex_);
    all_.join(part);
  }
  bool ended() override { return monitor_.elapsed() > deadline_; }
  void stop_others() override { monitor_.request_stop(); }

  const DrawSamples& draw_;
  std::size_t block_;
  UnitRange samples_;
  double deadline_;
  Monitor& monitor_;
  std::mutex mutex_;
  SampleMoments all_;
};

/// What is drawn again, and whose it was, in words.
struct Redrawn {
  const char* check;    // its name
  const char* sample;   // "checkpointed sample is"
  const char* samples;  // "checkpointed samples are"
  const char* owner;    // "the checkpoint's sums"
};
constexpr Redrawn of_journal{"checkpoint run again", "checkpointed sample is", "checkpointed samples are",
                             "the checkpoint's sums"};
constexpr Redrawn of_others{"samples of others", "sample of others is", "samples of others are",
                            "the sums of somebody else's samples"};

/// How many samples are the same again: none where that is expected to take too long, or does.
std::uint64_t draw_again(const Redrawn& words, const DrawSamples& draw, std::size_t block,
                         const SampleStretch& stretch, int threads, double deadline, Monitor& monitor) {
  const std::uint64_t count = length(stretch);
  const auto side_by_side =
      static_cast<double>(std::min(count, static_cast<std::uint64_t>(std::max(threads, 1))));
  if (monitor.elapsed() + stretch.seconds / side_by_side > deadline) return 0;
  const SampleMoments all = Redrawing(draw, block, stretch, deadline, monitor).moments(threads);
  if (all.samples != stretch.after.samples) return 0;
  if (!alike(all, stretch.after)) {
    Checks::failed(
        words.check, fmt::format("{} after sample {} of block {}", words.owner, all.samples, block + 1),
        fmt::format("others, with samples {} to {} drawn again", stretch.before.samples, all.samples - 1));
  }
  return count;
}

void report(const Redrawn& words, std::uint64_t again, const char* otherwise, Checks& checks) {
  if (again > 0) {
    checks.passed(words.check,
                  fmt::format("{} {} the same again", again, again == 1 ? words.sample : words.samples));
  } else {
    checks.not_applicable(words.check, otherwise);
  }
}

}  // namespace

void redraw_journaled_samples(const Journal& journal, const DrawSamples& draw, int threads,
                              double seconds_left, Monitor& monitor, Checks& checks) {
  double drawing = 0;
  std::vector<std::pair<std::size_t, const SampleStretch*>> stretches;
  for (std::size_t b = 0; b < journal.stretches.size(); ++b) {
    drawing += journal.drawn[b].seconds / std::max(threads, 1);
    for (const SampleStretch& stretch : journal.stretches[b]) stretches.emplace_back(b, &stretch);
  }
  if (stretches.empty()) return;
  std::mt19937_64 random{std::random_device{}()};
  std::shuffle(stretches.begin(), stretches.end(), random);
  // The shortest of every block first, the others as they come.
  std::vector<const SampleStretch*> shortest(journal.stretches.size(), nullptr);
  for (const auto& [block, stretch] : stretches) {
    const SampleStretch*& least = shortest[block];
    if (least == nullptr || length(*stretch) < length(*least)) least = stretch;
  }
  std::stable_partition(stretches.begin(), stretches.end(),
                        [&](const auto& stretch) { return shortest[stretch.first] == stretch.second; });
  const double deadline = monitor.elapsed() + rerun_seconds(drawing, seconds_left);
  std::uint64_t again = 0;
  for (const auto& [block, stretch] : stretches)
    again += draw_again(of_journal, draw, block, *stretch, threads, deadline, monitor);
  report(of_journal, again, "what the checkpoint has takes longer to draw again than there is time", checks);
}

void redraw_samples_of_others(const std::vector<SampleBatch>& batches, const DrawSamples& draw, int threads,
                              double seconds_left, Monitor& monitor, Checks& checks) {
  if (batches.empty()) return;
  const double deadline = monitor.elapsed() + rerun_seconds(0, seconds_left);
  std::uint64_t again = 0;
  for (const SampleBatch& batch : batches) {
    SampleStretch stretch;
    stretch.before.samples = batch.range.first;
    stretch.after = batch.moments;
    if (!batch.hits.empty()) stretch.after = moments_of_trials(batch.range.size(), batch.hits);
    stretch.after.samples = batch.range.last;
    stretch.seconds = batch.seconds;
    const DrawSamples of_series = [&](std::size_t, std::uint64_t first, std::uint64_t count) {
      return draw(batch.series, first, count);
    };
    again +=
        draw_again(of_others, of_series, batch.series / series_a_block, stretch, threads, deadline, monitor);
  }
  report(of_others, again, "they take longer to draw again than there is time", checks);
}

}  // namespace countpm
