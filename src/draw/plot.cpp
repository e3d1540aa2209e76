#include "src/draw/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "src/draw/marks.hpp"

namespace countpm::draw {
namespace {

// Pixels.
constexpr double plot_width = 520;
constexpr double plot_height = 260;
constexpr double left = 74;   // of the frame: ticks' labels and the axis' title
constexpr double above = 26;  // the panel's title
constexpr double below = 52;
constexpr double right = 12;
constexpr double right_of_levels = 64;  // their names
constexpr double plot_text_size = 11;
constexpr double tick_length = 5;
constexpr double half_cap = 3;  // of a bar's ends
constexpr int most_ticks = 7;
constexpr double headroom = 0.06;  // of the range, beyond the outermost points

/// From values to pixels.
class Scaling {
 public:
  Scaling(double low, double high, bool logarithmic, double from, double to)
      : low_(at(low, logarithmic)),
        high_(at(high, logarithmic)),
        logarithmic_(logarithmic),
        from_(from),
        to_(to) {}

  bool shows(double value) const { return std::isfinite(value) && (!logarithmic_ || value > 0); }
  /// Far beyond the frame is as good as infinite.
  double operator()(double value) const {
    constexpr double far = 4;
    const double share =
        logarithmic_ && value <= 0 ? -far : (at(value, logarithmic_) - low_) / (high_ - low_);
    return from_ + std::clamp(share, -far, far) * (to_ - from_);
  }

 private:
  static double at(double value, bool logarithmic) { return logarithmic ? std::log10(value) : value; }

  double low_;
  double high_;
  bool logarithmic_;
  double from_;
  double to_;
};

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value, bool logarithmic) {
    if (!std::isfinite(value) || (logarithmic && value <= 0)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

/// With some room, and never empty.
Range settled(Range range, const Axis& axis, double room) {
  if (range.low > range.high) range = {1, 10};
  if (axis.logarithmic) {
    const double factor = range.high / range.low <= 1 + 1e-9 ? 2 : std::pow(range.high / range.low, room);
    range = {range.low / factor, range.high * factor};
  } else {
    // What differs in its last digits alone has no ticks in between.
    const double size = std::max({std::abs(range.low), std::abs(range.high), 1.0});
    const bool alike = range.high - range.low <= 1e-9 * size;
    const double step = alike ? size / 10 : room * (range.high - range.low);
    range = {range.low - step, range.high + step};
  }
  if (axis.least) range.low = *axis.least;
  if (axis.most) range.high = *axis.most;
  return range;
}

Range x_range(const Panel& panel) {
  Range range;
  for (const Curve& curve : panel.curves) {
    for (const PlotPoint& point : curve.points) range.add(point.x, panel.x.logarithmic);
  }
  return settled(range, panel.x, headroom / 2);
}

Range y_range(const Panel& panel) {
  Range range;
  for (const Curve& curve : panel.curves) {
    for (const PlotPoint& point : curve.points) {
      for (const double value : {point.low, point.y, point.high}) range.add(value, panel.y.logarithmic);
    }
  }
  for (const Level& level : panel.levels) range.add(level.y, panel.y.logarithmic);
  return settled(range, panel.y, headroom);
}

class PanelDrawer {
 public:
  PanelDrawer(SvgWriter& svg, const Panel& panel, std::size_t index, double top)
      : svg_(svg),
        panel_(panel),
        clip_(fmt::format("frame{}", index)),
        top_(top + above),
        x_range_(x_range(panel)),
        y_range_(y_range(panel)),
        x_(x_range_.low, x_range_.high, panel.x.logarithmic, left, left + plot_width),
        y_(y_range_.low, y_range_.high, panel.y.logarithmic, top_ + plot_height, top_) {}

  void draw() {
    svg_.open_group({{"class", "panel"}});
    svg_.text(left, top_ - 10, plot_text_size + 1, panel_.title,
              {{"fill", ink.code}, {"font-weight", "bold"}});
    axes();
    svg_.open_clipped(clip_, left, top_, plot_width, plot_height);
    for (const Curve& curve : panel_.curves) curve.bars ? bars(curve) : band(curve);
    for (const Level& level : panel_.levels) line_of(level);
    for (std::size_t k = 0; k < panel_.curves.size(); ++k) curve_of(panel_.curves[k], k);
    svg_.close_group();
    svg_.rectangle(left, top_, plot_width, plot_height, {{"fill", "none"}, {"stroke", grey.code}});
    for (const Level& level : panel_.levels) name_of(level);
    svg_.close_group();
  }

 private:
  static std::vector<double> ticks_of(const Axis& axis, const Range& range) {
    return axis.logarithmic ? decade_ticks(range.low, range.high, most_ticks)
                            : linear_ticks(range.low, range.high, most_ticks);
  }

  void axes() {
    const double bottom = top_ + plot_height;
    for (const double value : ticks_of(panel_.x, x_range_)) {
      const double x = x_(value);
      svg_.line(x, bottom, x, bottom + tick_length, {{"stroke", grey.code}});
      svg_.text(x, bottom + tick_length + plot_text_size + 2, plot_text_size, fmt::format("{:g}", value),
                {{"class", "x-tick"}, {"text-anchor", "middle"}, {"fill", ink.code}});
    }
    for (const double value : ticks_of(panel_.y, y_range_)) {
      const double y = y_(value);
      svg_.line(left, y, left + plot_width, y, {{"stroke", pale.code}});
      svg_.line(left - tick_length, y, left, y, {{"stroke", grey.code}});
      svg_.text(left - tick_length - 3, y + plot_text_size / 3, plot_text_size, fmt::format("{:g}", value),
                {{"class", "y-tick"}, {"text-anchor", "end"}, {"fill", ink.code}});
    }
    svg_.text(left + plot_width / 2, bottom + 40, plot_text_size + 1, panel_.x.title,
              {{"text-anchor", "middle"}, {"fill", ink.code}});
    const double x = 12;
    const double y = top_ + plot_height / 2;
    svg_.text(x, y, plot_text_size + 1, panel_.y.title,
              {{"text-anchor", "middle"},
               {"fill", ink.code},
               {"transform", fmt::format("rotate(-90 {} {})", number(x), number(y))}});
  }

  bool shows(const PlotPoint& point) const { return x_.shows(point.x) && y_.shows(point.y); }

  void band(const Curve& curve) {
    std::string upper;
    std::string lower;
    std::size_t points = 0;
    bool wide = false;
    for (const PlotPoint& point : curve.points) {
      if (!shows(point)) continue;
      const std::string x = number(x_(point.x));
      upper += fmt::format("{}{} {}", points == 0 ? "M" : "L", x, number(y_(point.high)));
      lower.insert(0, fmt::format("L{} {}", x, number(y_(point.low))));
      wide = wide || point.low < point.high;
      ++points;
    }
    if (points < 2 || !wide) return;
    svg_.path(upper + lower + "Z",
              {{"class", "band"}, {"fill", curve.colour.code}, {"fill-opacity", "0.16"}});
  }

  void bars(const Curve& curve) {
    for (const PlotPoint& point : curve.points) {
      if (!shows(point) || !(point.low < point.high)) continue;
      const double x = x_(point.x);
      const double low = y_(point.low);
      const double high = y_(point.high);
      const std::string cap = fmt::format("h{}", number(2 * half_cap));
      svg_.path(fmt::format("M{0} {1}V{2}M{3} {1}{4}M{3} {2}{4}", number(x), number(low), number(high),
                            number(x - half_cap), cap),
                {{"class", "bar"}, {"fill", "none"}, {"stroke", curve.colour.code}});
    }
  }

  void curve_of(const Curve& curve, std::size_t place) {
    std::string data;
    for (const PlotPoint& point : curve.points) {
      if (shows(point))
        data += fmt::format("{}{} {}", data.empty() ? "M" : "L", number(x_(point.x)), number(y_(point.y)));
    }
    if (data.empty()) return;
    if (curve.joined) {
      svg_.path(data, {{"class", "curve"},
                       {"fill", "none"},
                       {"stroke", curve.colour.code},
                       {"stroke-width", "1.8"},
                       {"stroke-dasharray", dashes_of(place)}});
    }
    for (const PlotPoint& point : curve.points) {
      if (shows(point))
        draw_mark(svg_, place, x_(point.x), y_(point.y), curve.colour,
                  point.hollow ? Mark::hollow : Mark::filled);
    }
  }

  void line_of(const Level& level) {
    if (!y_.shows(level.y)) return;
    const double y = y_(level.y);
    svg_.line(left, y, left + plot_width, y,
              {{"class", "level"}, {"stroke", ink.code}, {"stroke-dasharray", "5 4"}});
  }

  // Outside the frame: no curve ends there.
  void name_of(const Level& level) {
    if (!y_.shows(level.y)) return;
    svg_.text(left + plot_width + 5, y_(level.y) + plot_text_size / 3, plot_text_size, level.name,
              {{"class", "level-name"}, {"fill", ink.code}});
  }

  SvgWriter& svg_;
  const Panel& panel_;
  std::string clip_;
  double top_;  // of the frame
  Range x_range_;
  Range y_range_;
  Scaling x_;
  Scaling y_;
};

}  // namespace

std::vector<double> linear_ticks(double low, double high, int most) {
  const double least_step = (high - low) / most;
  const double power = std::pow(10, std::floor(std::log10(least_step)));
  double step = power;
  for (const double factor : {1.0, 2.0, 5.0, 10.0, 20.0}) {
    step = factor * power;
    if (std::floor(high / step) - std::ceil(low / step) + 1 <= most) break;
  }
  std::vector<double> ticks;
  for (double k = std::ceil(low / step); k * step <= high; ++k) ticks.push_back(k == 0 ? 0 : k * step);
  return ticks;
}

std::vector<double> decade_ticks(double low, double high, int most) {
  const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
  const int each = std::max(1, (last - first + most) / most);
  std::vector<double> ticks;
  if (last <= first) {
    for (int power = first - 1; power <= last + 1; ++power) {
      for (const double factor : {1.0, 2.0, 5.0}) {
        const double value = factor * std::pow(10, power);
        if (value >= low && value <= high) ticks.push_back(value);
      }
    }
    return ticks;
  }
  for (int power = first; power <= last; power += each) ticks.push_back(std::pow(10, power));
  return ticks;
}

Picture draw_panels(const std::vector<Panel>& panels, Legend legend, const PageStyle& style) {
  const double height = above + plot_height + below;
  const bool levels =
      std::any_of(panels.begin(), panels.end(), [](const Panel& one) { return !one.levels.empty(); });
  Page page(left + plot_width + (levels ? right_of_levels : right),
            height * static_cast<double>(panels.size()), std::move(legend), style);
  for (std::size_t k = 0; k < panels.size(); ++k)
    PanelDrawer(page.svg(), panels[k], k, height * static_cast<double>(k)).draw();
  return page.finish();
}

}  // namespace countpm::draw
