#include "src/estimate/redraw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "kernels/parallel_ranges.hpp"

namespace countpm {
namespace {

constexpr const char* check_name = "journal run again";
constexpr double share_of_drawing = 0.01;
constexpr double least_seconds = 1;
constexpr double share_of_limit = 0.1;
// Pieces that a thread draws between two looks at the clock.
constexpr std::uint64_t pieces = 256;

// Where mathematical functions round otherwise, the last digits of samples differ.
constexpr double largest_log2_difference = 1e-9;

bool alike(const ExactSum& one, const ExactSum& other) {
  if (one.is_zero() || other.is_zero()) return one.is_zero() && other.is_zero();
  return std::abs(one.log2() - other.log2()) <= largest_log2_difference;
}

bool alike(const SampleMoments& one, const SampleMoments& other) {
  return one.nonzero == other.nonzero && alike(one.sum, other.sum) && alike(one.squares, other.squares);
}

std::uint64_t length(const SampleStretch& stretch) {
  return stretch.after.samples - stretch.before.samples;
}

}  // namespace

void redraw_journaled_samples(const Journal& journal, const DrawSamples& draw, int threads,
                              double seconds_left, Monitor& monitor, Checks& checks) {
  double drawing = 0;
  for (const DrawnSamples& drawn : journal.drawn) drawing += drawn.seconds / std::max(threads, 1);
  const double budget =
      std::min(std::max(share_of_drawing * drawing, least_seconds), share_of_limit * seconds_left);
  const double deadline = monitor.elapsed() + budget;
  std::uint64_t again = 0;
  bool some = false;
  for (std::size_t b = 0; b < journal.stretches.size(); ++b) {
    const std::vector<SampleStretch>& stretches = journal.stretches[b];
    if (stretches.empty()) continue;
    some = true;
    const SampleStretch& stretch =
        *std::min_element(stretches.begin(), stretches.end(),
                          [](const auto& one, const auto& other) { return length(one) < length(other); });
    const std::uint64_t count = length(stretch);
    SampleMoments all = stretch.before;
    std::mutex mutex;
    const std::uint64_t piece = std::max<std::uint64_t>(1, count / pieces);
    parallel_ranges(threads, count, piece, [&](std::uint64_t first, std::uint64_t last) {
      if (monitor.elapsed() > deadline) return;
      const SampleMoments part = draw(b, stretch.before.samples + first, last - first);
      const std::lock_guard lock(mutex);
      all.join(part);
    });
    if (all.samples != stretch.after.samples) continue;  // the time was over
    if (!alike(all, stretch.after)) {
      Checks::failed(
          check_name, fmt::format("the journal's sums after sample {} of block {}", all.samples, b + 1),
          fmt::format("others, with samples {} to {} drawn again", stretch.before.samples, all.samples - 1));
    }
    again += count;
  }
  if (again > 0) {
    checks.passed(check_name, fmt::format("{} journaled samples are the same again", again));
  } else if (some) {
    checks.not_applicable(check_name,
                          "what the checkpoint has takes longer to draw again than there is time");
  }
}

}  // namespace countpm
