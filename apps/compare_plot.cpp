#include "apps/compare_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "src/draw/plot.hpp"

namespace countpm::app {
namespace {

const double ln_of_ten = std::log(10.0);
constexpr double least_seconds = 1e-6;  // no clock tells less
constexpr double room_beside = 1.3;     // a factor of seconds, beyond the first and the last

std::vector<std::string> samplers_of(const std::vector<ComparedInput>& inputs) {
  std::vector<std::string> names;
  for (const ComparedInput& input : inputs) {
    for (const ComparedEstimate& row : input.estimates) {
      if (std::find(names.begin(), names.end(), row.sampler) == names.end()) names.push_back(row.sampler);
    }
  }
  return names;
}

double seconds_of(const ComparedEstimate& row) {
  return std::max(row.seconds, least_seconds);
}

/// ln of the estimate over the exact count, or of the estimate where there is none, with its interval; in
/// doubt a hollow mark without one. A sum of 0 has no point.
draw::PlotPoint point_of(const ComparedInput& input, const ComparedEstimate& row) {
  const Estimate& estimate = row.estimate;
  const double exact = input.start.exact ? input.start.exact->log10 : 0;
  const auto ln = [&](double log10) { return (log10 - exact) * ln_of_ten; };
  if (std::isinf(estimate.log10)) return {seconds_of(row), std::numeric_limits<double>::quiet_NaN()};
  const double y = ln(estimate.log10);
  if (!estimate.doubt.empty()) return {seconds_of(row), y, y, y, true};
  return {seconds_of(row), y, ln(estimate.low_log10), ln(estimate.high_log10), was_moved(estimate)};
}

/// The error that it claims; a hollow mark where the exact count is beyond the interval.
std::optional<draw::PlotPoint> claimed_by(const ComparedEstimate& row) {
  const Estimate& estimate = row.estimate;
  if (!estimate.doubt.empty() || std::isinf(estimate.log10)) return std::nullopt;
  const double error = estimate.relative_error;
  return draw::PlotPoint{seconds_of(row), error, error, error, row.covered && !*row.covered};
}

template <class PointOf>
std::vector<draw::Curve> curves_of(const ComparedInput& input, const std::vector<std::string>& samplers,
                                   const PointOf& point_of_row) {
  std::vector<draw::Curve> curves;
  for (std::size_t k = 0; k < samplers.size(); ++k) {
    draw::Curve curve{samplers[k], draw::curves[k], {}};
    curve.bars = true;
    for (const ComparedEstimate& row : input.estimates) {
      if (row.sampler != samplers[k]) continue;
      if (const std::optional<draw::PlotPoint> point = point_of_row(row)) curve.points.push_back(*point);
    }
    std::stable_sort(curve.points.begin(), curve.points.end(),
                     [](const auto& a, const auto& b) { return a.x < b.x; });
    curves.push_back(std::move(curve));
  }
  return curves;
}

/// Both panels of an input have the same seconds.
draw::Panel panel_with(const ComparedInput& input, const std::string& title, const std::string& y) {
  draw::Panel panel;
  panel.title = title;
  panel.x.title = "seconds of sampling";
  panel.x.logarithmic = true;
  const auto [least, most] = std::minmax_element(
      input.estimates.begin(), input.estimates.end(),
      [](const ComparedEstimate& a, const ComparedEstimate& b) { return seconds_of(a) < seconds_of(b); });
  panel.x.least = seconds_of(*least) / room_beside;
  panel.x.most = seconds_of(*most) * room_beside;
  panel.y.title = y;
  return panel;
}

void add_panels(const ComparedInput& input, const std::vector<std::string>& samplers,
                std::vector<draw::Panel>& panels) {
  const std::string name = quoted(input.start.input.path, 60);
  draw::Panel ratio =
      panel_with(input, name, input.start.exact ? "ln (estimate / exact count)" : "ln of the estimate");
  ratio.curves = curves_of(input, samplers,
                           [&](const ComparedEstimate& row) { return std::optional(point_of(input, row)); });
  if (input.start.exact) ratio.levels.push_back({0, "exact"});
  panels.push_back(std::move(ratio));
  draw::Panel claimed = panel_with(input, name + ": errors claimed", "relative error claimed");
  claimed.y.logarithmic = true;
  claimed.curves = curves_of(input, samplers, claimed_by);
  const auto some = [](const draw::Curve& curve) { return !curve.points.empty(); };
  if (std::any_of(claimed.curves.begin(), claimed.curves.end(), some)) panels.push_back(std::move(claimed));
}

}  // namespace

draw::Picture compare_plot(const std::vector<ComparedInput>& inputs, const draw::PageStyle& style) {
  const std::vector<std::string> samplers = samplers_of(inputs);
  const double confidence = inputs.front().estimates.front().estimate.confidence;
  draw::Legend legend;
  legend.title = "estimates and their claimed intervals";
  legend.caption = fmt::format("bars: the intervals claimed at {:g} % confidence", 100 * confidence);
  for (std::size_t k = 0; k < samplers.size(); ++k)
    legend.swatches.push_back({draw::curves[k], samplers[k], k});
  const auto exact = [](const ComparedInput& input) { return input.start.exact.has_value(); };
  if (std::any_of(inputs.begin(), inputs.end(), exact))
    legend.remarks.emplace_back("dashed: the exact count");
  if (!std::all_of(inputs.begin(), inputs.end(), exact))
    legend.remarks.emplace_back("no dashed line: the exact count is beyond the limits");
  const auto some = [&](const auto& is) {
    return std::any_of(inputs.begin(), inputs.end(), [&](const ComparedInput& input) {
      return std::any_of(input.estimates.begin(), input.estimates.end(), is);
    });
  };
  if (some([](const ComparedEstimate& row) { return !row.estimate.doubt.empty(); }))
    legend.remarks.emplace_back("hollow marks without a bar: in doubt, no error is claimed");
  if (some([](const ComparedEstimate& row) { return row.estimate.doubt.empty() && was_moved(row.estimate); }))
    legend.remarks.emplace_back(
        "hollow marks with a bar: the samples' mean is beyond a certified bound, which is drawn");
  if (some([](const ComparedEstimate& row) {
        return row.estimate.doubt.empty() && row.covered && !*row.covered;
      }))
    legend.remarks.emplace_back("hollow marks among claimed errors: the exact count is beyond the interval");
  std::vector<draw::Panel> panels;
  for (const ComparedInput& input : inputs) add_panels(input, samplers, panels);
  return draw::draw_panels(panels, std::move(legend), style);
}

}  // namespace countpm::app
