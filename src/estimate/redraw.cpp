#include "src/estimate/redraw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <random>
#include <utility>
#include <vector>

#include "kernels/method.hpp"
#include "kernels/support/parallel_ranges.hpp"

namespace countpm {
namespace {

constexpr const char* check_name = "journal run again";
constexpr double share_of_drawing = 0.01;
constexpr double least_seconds = 1;
constexpr double share_of_limit = 0.1;
// Pieces that are dealt to threads, and about how long one draws between two looks at the clock.
constexpr std::uint64_t pieces = 256;
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

class Redrawing {
 public:
  Redrawing(const DrawSamples& draw, int threads, double seconds, Monitor& monitor)
      : draw_(draw), threads_(threads), monitor_(monitor), deadline_(monitor.elapsed() + seconds) {}

  /// Nothing where it is expected to take too long, or does.
  void draw_again(std::size_t block, const SampleStretch& stretch) {
    const std::uint64_t count = length(stretch);
    const auto side_by_side =
        static_cast<double>(std::min(count, static_cast<std::uint64_t>(std::max(threads_, 1))));
    if (monitor_.elapsed() + stretch.seconds / side_by_side > deadline_) return;
    SampleMoments all = stretch.before;
    std::mutex mutex;
    const std::uint64_t piece = std::max<std::uint64_t>(1, count / pieces);
    try {
      parallel_ranges(threads_, count, piece, [&](std::uint64_t first, std::uint64_t last) {
        // A few at first: a GPU may have drawn them, and a journal say what it likes of how many there are.
        for (std::uint64_t batch = 1; first < last;) {
          const double start = monitor_.elapsed();
          if (start > deadline_) return;
          const std::uint64_t some = std::min(batch, last - first);
          const SampleMoments part = draw_(block, stretch.before.samples + first, some);
          first += some;
          if (monitor_.elapsed() - start < redrawn_batch_seconds) batch *= 2;
          const std::lock_guard lock(mutex);
          all.join(part);
        }
      });
    } catch (const Stopped&) {
      monitor_.throw_if_stopped();
      throw;
    }
    if (all.samples != stretch.after.samples) return;
    if (!alike(all, stretch.after)) {
      Checks::failed(
          check_name, fmt::format("the journal's sums after sample {} of block {}", all.samples, block + 1),
          fmt::format("others, with samples {} to {} drawn again", stretch.before.samples, all.samples - 1));
    }
    again_ += count;
  }
  std::uint64_t again() const { return again_; }

 private:
  const DrawSamples& draw_;
  int threads_;
  Monitor& monitor_;
  double deadline_;
  std::uint64_t again_ = 0;
};

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
  const double seconds =
      std::min(std::max(share_of_drawing * drawing, least_seconds), share_of_limit * seconds_left);
  Redrawing redrawing(draw, threads, seconds, monitor);
  for (const auto& [block, stretch] : stretches) redrawing.draw_again(block, *stretch);
  if (redrawing.again() > 0) {
    checks.passed(check_name, fmt::format("{} journaled sample{} the same again", redrawing.again(),
                                          redrawing.again() == 1 ? " is" : "s are"));
  } else {
    checks.not_applicable(check_name,
                          "what the checkpoint has takes longer to draw again than there is time");
  }
}

}  // namespace countpm
