#include "apps/compare_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "src/draw/plot.hpp"

namespace countpm::app {
namespace {

constexpr double logarithmic_beyond = 10;  // times the exact count, or one part of it in so many
constexpr double headroom = 0.08;          // of the heights' range, above and below

std::vector<std::string> samplers_of(const std::vector<ComparedInput>& inputs) {
  std::vector<std::string> names;
  for (const ComparedInput& input : inputs) {
    for (const ComparedEstimate& row : input.estimates) {
      if (std::find(names.begin(), names.end(), row.sampler) == names.end()) names.push_back(row.sampler);
    }
  }
  return names;
}

draw::PlotPoint point_of(const ComparedInput& input, const ComparedEstimate& row) {
  const Estimate& estimate = row.estimate;
  const auto x = static_cast<double>(estimate.samples);
  const bool moved = was_moved(estimate);
  if (!input.start.exact) return {x, estimate.log10, estimate.low_log10, estimate.high_log10, moved};
  const double exact = input.start.exact->log10;
  if (std::isinf(estimate.log10)) return {x, std::numeric_limits<double>::quiet_NaN()};
  return {x, std::pow(10, estimate.log10 - exact), std::pow(10, estimate.low_log10 - exact),
          std::pow(10, estimate.high_log10 - exact), moved};
}

/// From the lowest to the highest of the exact count, the estimates, and the intervals that are not in doubt:
/// those in doubt reach to proven bounds, many powers of ten away.
struct Heights {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;

  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

Heights heights_of(const ComparedInput& input) {
  Heights heights;
  if (input.start.exact) heights.add(1);
  for (const ComparedEstimate& row : input.estimates) {
    const draw::PlotPoint point = point_of(input, row);
    heights.add(point.y);
    if (!row.estimate.doubt.empty()) continue;
    heights.add(point.low);
    heights.add(point.high);
  }
  return heights;
}

void set_heights(const Heights& heights, draw::Axis& axis) {
  if (!(heights.low < heights.high)) return;
  if (axis.logarithmic) {
    const double room = std::pow(heights.high / heights.low, headroom);
    axis.least = heights.low / room;
    axis.most = heights.high * room;
  } else {
    const double room = headroom * (heights.high - heights.low);
    axis.least = heights.low - room;
    axis.most = heights.high + room;
  }
}

draw::Panel panel_of(const ComparedInput& input, const std::vector<std::string>& samplers) {
  draw::Panel panel;
  panel.title = quoted(input.start.input.path, 60);
  panel.x.title = "samples";
  panel.x.logarithmic = true;
  for (std::size_t k = 0; k < samplers.size(); ++k) {
    draw::Curve curve{samplers[k], draw::curves[k], {}};
    for (const ComparedEstimate& row : input.estimates) {
      if (row.sampler == samplers[k]) curve.points.push_back(point_of(input, row));
    }
    std::stable_sort(curve.points.begin(), curve.points.end(),
                     [](const auto& a, const auto& b) { return a.x < b.x; });
    panel.curves.push_back(std::move(curve));
  }
  const Heights heights = heights_of(input);
  if (input.start.exact) {
    panel.y.title = "estimate / exact count";
    panel.y.logarithmic =
        heights.low > 0 && (heights.high > logarithmic_beyond || heights.low < 1 / logarithmic_beyond);
    panel.levels.push_back({1, "exact"});
  } else {
    panel.y.title = "log10 of the estimate";
  }
  set_heights(heights, panel.y);
  return panel;
}

}  // namespace

draw::Picture compare_plot(const std::vector<ComparedInput>& inputs, const draw::PageStyle& style) {
  const std::vector<std::string> samplers = samplers_of(inputs);
  const double confidence = inputs.front().estimates.front().estimate.confidence;
  draw::Legend legend;
  legend.title = "estimates and their claimed intervals";
  legend.caption = fmt::format("bands: the interval claimed at {:g} % confidence", 100 * confidence);
  for (std::size_t k = 0; k < samplers.size(); ++k) legend.swatches.push_back({draw::curves[k], samplers[k]});
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
    legend.remarks.emplace_back(
        "bands cut off at the frame: intervals up to a proven bound, for too few samples");
  if (some([](const ComparedEstimate& row) { return was_moved(row.estimate); }))
    legend.remarks.emplace_back("rings: the samples' mean is beyond a certified bound, which is drawn");
  std::vector<draw::Panel> panels;
  panels.reserve(inputs.size());
  for (const ComparedInput& input : inputs) panels.push_back(panel_of(input, samplers));
  return draw::draw_panels(panels, std::move(legend), style);
}

}  // namespace countpm::app
