#include "apps/compare_lines.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/csv.hpp"
#include "apps/estimate_report.hpp"
#include "apps/json.hpp"
#include "apps/report.hpp"
#include "apps/text.hpp"
#include "graph/text.hpp"

namespace countpm::app {
namespace {

constexpr const char* table_row = "{:<24}  {:>10}  {:>12}  {:>10}  {:>9}  {:>19}  {:>5}  {:>9}{}\n";

// A factor of the exact count; what is far off in powers of ten.
std::string ratio_text(double log10_ratio, Rounding rounding = Rounding::nearest) {
  if (std::abs(log10_ratio) >= 3) return format_log10(log10_ratio, 2, rounding);
  const double units = std::pow(10, log10_ratio) * 1e5;
  const double whole = rounding == Rounding::down ? std::floor(units)
                       : rounding == Rounding::up ? std::ceil(units)
                                                  : std::round(units);
  return fmt::format("{:.5f}", whole / 1e5);
}

// Behind the row: what the samples say, where that is not what is shown.
std::string moved_text(const Estimate& estimate) {
  return was_moved(estimate)
             ? fmt::format("  moved to a certified bound from {}", format_log10(estimate.samples_log10, 5))
             : "";
}

std::string held_text(const ComparedEstimate& row) {
  return row.held ? (*row.held ? "yes" : "NO") : "-";
}

std::string interval_text(const ComparisonStart& start, const ComparedEstimate& row) {
  const Estimate& estimate = row.estimate;
  if (!start.exact)
    return fmt::format("{} .. {}", format_log10(estimate.low_log10, 3, Rounding::down),
                       format_log10(estimate.high_log10, 3, Rounding::up));
  return fmt::format("{} .. {}", ratio_text(estimate.low_log10 - start.exact->log10, Rounding::down),
                     ratio_text(estimate.high_log10 - start.exact->log10, Rounding::up));
}

// A finite number, or nothing; the last of a double's digits are rounding errors.
std::string finite_or_blank(double value) {
  return std::isfinite(value) ? fmt::format("{:.15g}", value) : "";
}

std::string comparison_csv_line(const ComparisonStart& start, const ComparedEstimate& row) {
  const Estimate& estimate = row.estimate;
  const std::vector<std::string> cells{csv_field(start.input.path),
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
                                       row.held ? (*row.held ? "yes" : "no") : "",
                                       csv_field(estimate.doubt),
                                       std::to_string(estimate.seed),
                                       fmt::format("{:.6f}", row.seconds),
                                       finite_or_blank(estimate.samples_log10),
                                       was_moved(estimate) ? "yes" : "no",
                                       row.device};
  return fmt::format("{}\r\n", fmt::join(cells, ","));
}

nlohmann::ordered_json exact_json(const ComparisonStart& start) {
  if (!start.exact) return nullptr;
  return {{"count", start.exact->count},
          {"log10", finite_or_null(start.exact->log10)},
          {"exact", start.exact->exact},
          {"method", start.exact->method},
          {"seconds", start.exact->seconds.total}};
}

std::string comparison_json_line(const ComparisonStart& start, const ComparedEstimate* row) {
  using Json = nlohmann::ordered_json;
  Json object{{"input", start.input.path},
              {"vertices", start.vertices},
              {"edges", start.edges},
              {"exact", exact_json(start)},
              {"refusal", start.refusal.empty() ? Json(nullptr) : Json(start.refusal)},
              {"sampler", nullptr}};
  if (row == nullptr) return one_line(object) + "\n";
  object["sampler"] = row->sampler;
  object["samples"] = row->samples;
  object["ratio"] = row->log10_ratio ? finite_or_null(std::pow(10, *row->log10_ratio)) : Json(nullptr);
  object["held"] = row->held ? Json(*row->held) : Json(nullptr);
  object["estimate"] = to_json(row->estimate);
  object["seconds"] = row->seconds;
  object["device"] = row->device;
  return one_line(object) + "\n";
}

}  // namespace

CompareLines::CompareLines(const Request& request)
    : style_(request.json  ? Style::json
             : request.csv ? Style::csv
                           : Style::table),
      seed_(request.count.seed) {}

std::string CompareLines::head() const {
  if (style_ != Style::csv) return "";
  return "input,exact,exact_log10,exact_method,exact_seconds,sampler,samples,drawn,nonzero,log10,ratio,"
         "relative_error,confidence,low_log10,high_log10,held,doubt,seed,seconds,"
         "samples_log10,moved,device\r\n";
}

std::string CompareLines::start(const ComparisonStart& start) const {
  if (style_ != Style::table) return "";
  std::string text = fmt::format("# {}; seed {}\n", input_text(start), seed_);
  if (start.exact) {
    text += fmt::format("# {}{}, by {} in {}\n", start.exact->count, start.exact->exact ? " exactly" : "",
                        start.exact->method, format_duration(start.exact->seconds.total));
  } else {
    text += fmt::format("# no exact count: {}\n", printable(start.refusal));
  }
  return text + fmt::format(table_row, "sampler", "samples", "estimate", "ratio", "claimed",
                            start.exact ? "interval / exact" : "interval", "held", "seconds", "");
}

std::string CompareLines::line(const ComparisonStart& start, const ComparedEstimate& row) const {
  if (style_ == Style::csv) return comparison_csv_line(start, row);
  if (style_ == Style::json) return comparison_json_line(start, &row);
  const Estimate& estimate = row.estimate;
  return fmt::format(
      table_row, row.sampler, estimate.samples, format_log10(estimate.log10, 5),
      row.log10_ratio ? ratio_text(*row.log10_ratio) : "-",
      estimate.doubt.empty() ? fmt::format("+-{:.2g}%", 100 * estimate.relative_error) : "doubt",
      interval_text(start, row), held_text(row), fmt::format("{:.3f}", row.seconds), moved_text(estimate));
}

std::string CompareLines::nothing_sampled(const ComparisonStart& start) const {
  if (style_ == Style::csv) return "";
  if (style_ == Style::json) return comparison_json_line(start, nullptr);
  if (start.problem == Problem::general_perfect_matchings)
    return "# nothing to sample: samplers take no graphs with odd cycles\n";
  return "# nothing to sample: the reductions leave no block\n";
}

}  // namespace countpm::app
