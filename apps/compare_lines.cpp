#include "apps/compare_lines.hpp"

#include <fmt/format.h>

#include <cmath>

#include "apps/csv.hpp"
#include "apps/json.hpp"
#include "graph/text.hpp"
#include "src/words/comparison_words.hpp"
#include "src/words/result_words.hpp"

namespace countpm::app {
namespace {

constexpr const char* table_row = "{:<24}  {:>10}  {:>12}  {:>10}  {:>9}  {:>19}  {:>5}  {:>9}  {:>9}{}\n";

// A finite number, or nothing; the last of a double's digits are rounding errors.
std::string finite_or_blank(double value) {
  return std::isfinite(value) ? fmt::format("{:.15g}", value) : "";
}

std::string comparison_csv_line(const ComparisonStart& start, const ComparedEstimate& row) {
  const Estimate& estimate = row.estimate;
  const std::vector<std::string> cells{
      csv_field(start.input.path),
      start.exact ? csv_field(start.exact->count) : "",
      start.exact ? finite_or_blank(start.exact->log10) : "",
      start.exact ? csv_field(start.exact->method) : "",
      start.exact ? fmt::format("{:.6f}", start.exact->seconds.total) : "",
      row.sampler,
      std::to_string(row.samples),
      std::to_string(estimate.samples),
      std::to_string(estimate.nonzero),
      finite_or_blank(estimate.log10),
      row.log10_ratio ? finite_or_blank(std::pow(10, *row.log10_ratio)) : "",
      finite_or_blank(estimate.relative_error),
      finite_or_blank(estimate.confidence),
      finite_or_blank(estimate.low_log10),
      finite_or_blank(estimate.high_log10),
      row.covered ? (*row.covered ? "yes" : "no") : "",
      csv_field(estimate.doubt),
      std::to_string(estimate.seed),
      fmt::format("{:.6f}", row.seconds),
      finite_or_blank(estimate.log10_sample_mean),
      was_moved(estimate) ? "yes" : "no",
      row.seconds_for_percent ? finite_or_blank(*row.seconds_for_percent) : "",
      row.device};
  return fmt::format("{}\r\n", fmt::join(cells, ","));
}

}  // namespace

CompareLines::CompareLines(const Request& request)
    : style_(request.json  ? Style::json
             : request.csv ? Style::csv
                           : Style::table),
      seed_(request.count.seed) {}

std::string CompareLines::head() const {
  if (style_ != Style::csv) return "";
  return "input,true_count,log10_true_count,method,count_seconds,sampler,samples,drawn,nonzero,log10,ratio,"
         "relative_error,confidence,log10_low,log10_high,covered,doubt,seed,seconds,"
         "log10_sample_mean,moved,seconds_for_percent,device\r\n";
}

std::string CompareLines::start(const ComparisonStart& start) const {
  if (style_ != Style::table) return "";
  const std::string text = fmt::format("# {}; seed {}\n# {}\n", words::input_text(start), seed_,
                                       printable(words::exact_text(start)));
  return text + fmt::format(table_row, "sampler", "samples", "estimate", "ratio", "claimed",
                            words::interval_head(start), "covers", "seconds", "s for 1%", "");
}

std::string CompareLines::line(const ComparisonStart& start, const ComparedEstimate& row) const {
  if (style_ == Style::csv) return comparison_csv_line(start, row);
  if (style_ == Style::json) return one_line(json_of(ComparedObject{start, &row})) + "\n";
  const words::ComparedWords cells = words::compared_words(start, row);
  return fmt::format(table_row, row.sampler, row.estimate.samples, cells.estimate, cells.ratio, cells.claimed,
                     cells.interval, cells.covered, cells.seconds, cells.seconds_for_percent,
                     cells.moved.empty() ? "" : "  " + cells.moved);
}

std::string CompareLines::coverage(const ComparisonStart& start, const ComparedCoverage& coverage) const {
  if (style_ == Style::csv) return "";
  if (style_ == Style::table) return fmt::format("# {}\n", words::coverage_text(coverage));
  return one_line(json_of(CoverageObject{start, coverage})) + "\n";
}

std::string CompareLines::nothing_sampled(const ComparisonStart& start) const {
  if (style_ == Style::csv) return "";
  if (style_ == Style::json) return one_line(json_of(ComparedObject{start})) + "\n";
  return fmt::format("# {}\n", words::nothing_sampled_text(start));
}

}  // namespace countpm::app
