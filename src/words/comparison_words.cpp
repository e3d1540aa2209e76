#include "src/words/comparison_words.hpp"

#include <fmt/format.h>

#include <cmath>

#include "src/text/format_duration.hpp"
#include "src/text/format_number.hpp"

namespace countpm::words {
namespace {

// A factor of the exact count; what is far off in powers of ten.
std::string ratio_text(double log10_ratio, Rounding rounding = Rounding::nearest) {
  if (std::abs(log10_ratio) >= 3) return format_log10(log10_ratio, 2, rounding);
  const double units = std::pow(10, log10_ratio) * 1e5;
  const double whole = rounding == Rounding::down ? std::floor(units)
                       : rounding == Rounding::up ? std::ceil(units)
                                                  : std::round(units);
  return fmt::format("{:.5f}", whole / 1e5);
}

std::string interval_text(const ComparisonStart& start, const ComparedEstimate& row) {
  const Estimate& estimate = row.estimate;
  if (!start.exact)
    return fmt::format("{} .. {}", format_log10(estimate.low_log10, 3, Rounding::down),
                       format_log10(estimate.high_log10, 3, Rounding::up));
  return fmt::format("{} .. {}", ratio_text(estimate.low_log10 - start.exact->log10, Rounding::down),
                     ratio_text(estimate.high_log10 - start.exact->log10, Rounding::up));
}

}  // namespace

std::string exact_text(const ComparisonStart& start) {
  if (!start.exact) return fmt::format("no exact count: {}", start.refusal);
  return fmt::format("{}{}, by {} in {}", start.exact->count, start.exact->exact ? " exactly" : "",
                     start.exact->method, format_duration(start.exact->seconds.total));
}

std::string nothing_sampled_text(const ComparisonStart& start) {
  // Without a perfect matching the count is 0, and nothing is reduced.
  return start.exact && start.exact->violator ? "nothing to sample: there is no perfect matching"
                                              : "nothing to sample: the reductions leave no block";
}

std::string interval_head(const ComparisonStart& start) {
  return start.exact ? "interval / exact" : "interval";
}

std::string coverage_text(const ComparedCoverage& coverage) {
  std::string text =
      fmt::format("{}, {}: of {} seeds {} intervals are shown, and {} cover the count", coverage.sampler,
                  counted(coverage.samples, "sample"), coverage.runs, coverage.shown, coverage.covered);
  if (coverage.shown == 0) return text;
  return text + fmt::format(": so few of {:.6g}% by chance with probability {:.2g}",
                            100 * coverage.confidence, coverage.probability);
}

ComparedWords compared_words(const ComparisonStart& start, const ComparedEstimate& row) {
  const Estimate& estimate = row.estimate;
  ComparedWords words;
  words.estimate = format_log10(estimate.log10, 5);
  words.ratio = row.log10_ratio ? ratio_text(*row.log10_ratio) : "-";
  words.claimed = estimate.doubt.empty() ? "+-" + format_percent(estimate.relative_error) : "doubt";
  words.interval = interval_text(start, row);
  words.covered = row.covered ? (*row.covered ? "yes" : "NO") : "-";
  words.seconds = fmt::format("{:.3f}", row.seconds);
  words.seconds_for_percent =
      row.seconds_for_percent ? fmt::format("{:.2g}", *row.seconds_for_percent) : std::string("-");
  if (was_moved(estimate))
    words.moved =
        fmt::format("moved to a certified bound from {}", format_log10(estimate.log10_sample_mean, 5));
  return words;
}

}  // namespace countpm::words
