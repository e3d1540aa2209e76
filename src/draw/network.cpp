#include "src/draw/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "graph/stop_poll.hpp"
#include "src/draw/entry_colours.hpp"
#include "src/draw/paths.hpp"

namespace countpm::draw {
namespace {

constexpr int levels = 64;            // colours of the map
constexpr double least_dot_unit = 5;  // pixels an edge below which vertices get no dots
constexpr double label_edge = 44;     // pixels of an edge with a label beside it
constexpr double longest_edge = 36;   // of one without
constexpr double border = 0.5;        // around the drawing, in units

using Segment = std::pair<Point, Point>;

/// Where a graph lies on its page.
class Frame {
 public:
  Frame(const Graph& graph, const Layout& layout, double most_unit)
      : graph_(graph), layout_(layout), box_(bounds(layout.position)) {
    box_ = {box_.left - border, box_.top - border, box_.right + border, box_.bottom + border};
    unit_ = std::max(pixels_a_unit(std::max(box_.width(), box_.height()), most_unit),
                     most_unit > longest_edge ? label_edge : 0);
  }

  double width() const { return box_.width() * unit_; }
  double height() const { return box_.height() * unit_; }
  double unit() const { return unit_; }

  Point pixel(const Point& point) const {
    return {(point.x - box_.left) * unit_, (point.y - box_.top) * unit_};
  }
  Point vertex(Index v) const { return pixel(layout_.position[v]); }

  // One segment, or the two halves of an edge over a closed border.
  std::vector<Segment> segments(const Edge& edge) const {
    const Index shift = graph_.kind == GraphKind::bipartite ? graph_.left_labels.size() : 0;
    const Point& from = layout_.position[edge.from];
    const Point& to = layout_.position[edge.to + shift];
    const Image way = nearest_image(from, to);
    if (way.is_none()) return {{pixel(from), pixel(to)}};
    const Point there = way.of(to);
    const Point half{(there.x + from.x) / 2, (there.y + from.y) / 2};
    return {{pixel(from), pixel(half)}, {pixel(to), pixel(way.back(half))}};
  }

 private:
  /// A translation, upside down where there is a mirror.
  struct Image {
    Point by;
    std::optional<double> mirror;

    bool is_none() const { return by.x == 0 && by.y == 0 && !mirror; }
    Point of(const Point& point) const {
      return {point.x + by.x, (mirror ? *mirror - point.y : point.y) + by.y};
    }
    Point back(const Point& point) const {
      const double y = point.y - by.y;
      return {point.x - by.x, mirror ? *mirror - y : y};
    }
  };

  // The one that brings `to` nearest to `from`.
  Image nearest_image(const Point& from, const Point& to) const {
    Image best;
    double least = std::hypot(to.x - from.x, to.y - from.y) - 1e-9;
    for (int i = -1; i <= 1; ++i) {
      for (int j = -1; j <= 1; ++j) {
        const Image way{translation(i, j), i == 0 ? std::nullopt : layout_.mirror};
        const Point there = way.of(to);
        const double length = std::hypot(there.x - from.x, there.y - from.y);
        if (length < least) best = way, least = length - 1e-9;
      }
    }
    return best;
  }
  Point translation(int i, int j) const {
    Point way;
    if (!layout_.periods.empty()) way = {i * layout_.periods[0].x, i * layout_.periods[0].y};
    if (layout_.periods.size() > 1) {
      way.x += j * layout_.periods[1].x;
      way.y += j * layout_.periods[1].y;
    }
    return way;
  }

  const Graph& graph_;
  const Layout& layout_;
  Box box_;
  double unit_ = 1;
};

std::string subpath(const Segment& segment) {
  return fmt::format("M{} {}L{} {}", number(segment.first.x), number(segment.first.y),
                     number(segment.second.x), number(segment.second.y));
}

void draw_dots(SvgWriter& svg, const Frame& frame, std::size_t vertices, double radius) {
  if (frame.unit() < least_dot_unit) return;
  svg.open_group({{"class", "vertices"}, {"fill", ink.code}});
  for (Index v = 0; v < vertices; ++v) svg.circle(frame.vertex(v).x, frame.vertex(v).y, radius, {});
  svg.close_group();
}

// One labelled edge a line: in chemistry, a bond.
void draw_bonds(SvgWriter& svg, const Frame& frame, const Graph& graph,
                const std::vector<EdgeValue>& values) {
  constexpr double thinnest = 1.5;
  constexpr double widest = 9;
  svg.open_group({{"class", "edges"}, {"stroke-linecap", "round"}});
  for (std::size_t e = 0; e < values.size(); ++e) {
    const double share = std::clamp(values[e].value, 0.0, 1.0);
    for (const Segment& segment : frame.segments(graph.edges[e])) {
      svg.path(subpath(segment), {{"class", "edge"},
                                  {"stroke", map_colour(0.12 + 0.88 * share)},
                                  {"stroke-width", thinnest + (widest - thinnest) * share}});
    }
  }
  svg.close_group();
}

// The text's height is a share of its edge's length, as far as that is readable.
void draw_labels(SvgWriter& svg, const Frame& frame, const Graph& graph,
                 const std::vector<EdgeValue>& values) {
  constexpr double largest = 11;
  constexpr double smallest = 4;
  constexpr double height = 1.24;  // of a label's box, in sizes of its letters
  struct Label {
    Point middle;
    double width = 0;  // of its box, in sizes of its letters
    double size = 0;
  };
  std::vector<Label> labels;
  for (std::size_t e = 0; e < values.size(); ++e) {
    const Segment segment = frame.segments(graph.edges[e]).front();
    const double length = std::hypot(segment.first.x - segment.second.x, segment.first.y - segment.second.y);
    const double width = text_width(values[e].text, 1);
    labels.push_back({{(segment.first.x + segment.second.x) / 2, (segment.first.y + segment.second.y) / 2},
                      width + 0.4,
                      0.62 * length / width});
  }
  // So small that no box touches another: two of the same size are apart across or down.
  for (std::size_t e = 0; e < labels.size(); ++e) {
    for (std::size_t f = 0; f < e; ++f) {
      Label& one = labels[e];
      Label& other = labels[f];
      const double apart = std::max(2 * std::abs(one.middle.x - other.middle.x) / (one.width + other.width),
                                    std::abs(one.middle.y - other.middle.y) / height);
      one.size = std::min(one.size, apart);
      other.size = std::min(other.size, apart);
    }
  }
  svg.open_group({{"class", "labels"}, {"text-anchor", "middle"}, {"fill", ink.code}});
  for (std::size_t e = 0; e < values.size(); ++e) {
    const Point middle = labels[e].middle;
    const double size = std::clamp(labels[e].size, smallest, largest);
    const double width = labels[e].width * size;
    svg.rectangle(middle.x - width / 2, middle.y - height / 2 * size, width, height * size,
                  {{"rx", size / 3}, {"fill", "#ffffff"}, {"fill-opacity", 0.88}});
    svg.text(middle.x, middle.y + 0.36 * size, size, values[e].text);
  }
  svg.close_group();
}

// Many edges: one path a colour.
void draw_levels(SvgWriter& svg, const Frame& frame, const Graph& graph, const std::vector<EdgeValue>& values,
                 const ValueRange& range) {
  std::map<std::int64_t, std::vector<std::size_t>> by_level;
  StopPoll poll;
  for (std::size_t e = 0; e < values.size(); ++e) {
    poll.step();
    by_level[std::llround(range.share(values[e].value) * (levels - 1))].push_back(e);
  }
  svg.open_group({{"class", "edges"},
                  {"fill", "none"},
                  {"stroke-width", std::max(1.0, 0.34 * frame.unit())},
                  {"stroke-linecap", "round"}});
  for (const auto& [level, some] : by_level) {
    svg.open_group({{"stroke", map_colour(static_cast<double>(level) / (levels - 1))}});
    PathChunks paths(svg, "level");
    for (const std::size_t e : some) {
      for (const Segment& segment : frame.segments(graph.edges[e])) paths.add(subpath(segment));
    }
    paths.flush();
    svg.close_group();
  }
  svg.close_group();
}

std::size_t all_vertices(const Graph& graph) {
  return graph.left_labels.size() + std::size_t{graph.right_labels.size()};
}

}  // namespace

double ValueRange::share(double value) const {
  if (scale != MapScale::log) return std::clamp((value - least) / (most - least), 0.0, 1.0);
  if (!(value > least)) return 0;
  return std::clamp(std::log(value / least) / std::log(most / least), 0.0, 1.0);
}

namespace {

/// Of positive values alone; empty where they do not differ.
std::optional<ValueRange> logarithmic_range(const std::vector<EdgeValue>& values) {
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  bool others = false;
  for (const EdgeValue& one : values) {
    others = others || !(one.value > 0);
    if (one.value > 0) least = std::min(least, one.value);
    most = std::max(most, one.value);
  }
  if (!(least < most)) return std::nullopt;
  return ValueRange{least, most, fmt::format("{:.3g}{}", least, others ? " or less" : ""),
                    fmt::format("{:.3g}", most), MapScale::log};
}

/// Empty where the percentiles are one value.
std::optional<ValueRange> clipped_range(const std::vector<EdgeValue>& values) {
  std::vector<double> sorted;
  sorted.reserve(values.size());
  for (const EdgeValue& one : values) sorted.push_back(one.value);
  std::sort(sorted.begin(), sorted.end());
  const std::size_t beyond = sorted.size() / 50;
  const double least = sorted[beyond];
  const double most = sorted[sorted.size() - 1 - beyond];
  if (!(least < most)) return std::nullopt;
  const auto text = [&](double value, bool clipped, const char* side) {
    return fmt::format("{:.4g}{}", value, clipped ? side : "");
  };
  return ValueRange{least, most, text(least, sorted.front() < least, " or less"),
                    text(most, sorted.back() > most, " or more"), MapScale::clip};
}

}  // namespace

ValueRange range_of(const std::vector<EdgeValue>& values, MapScale scale) {
  if (scale != MapScale::linear) {
    const auto range = scale == MapScale::log ? logarithmic_range(values) : clipped_range(values);
    if (range) return *range;
  }
  const auto [least, most] = std::minmax_element(
      values.begin(), values.end(), [](const EdgeValue& a, const EdgeValue& b) { return a.value < b.value; });
  if (least->value == most->value) {
    // One value: told by the map from 0 to 1 where it is one of these.
    ValueRange range;
    range.least = std::min(0.0, std::floor(least->value));
    range.most = std::max(1.0, std::ceil(least->value));
    range.lowest = number(range.least);
    range.highest = number(range.most);
    return range;
  }
  return {least->value, most->value, fmt::format("{:.3g}", least->value), fmt::format("{:.3g}", most->value),
          MapScale::linear};
}

std::string quantity_of(const ValueRange& range) {
  return range.scale == MapScale::log    ? "probability of the edge, by its logarithm"
         : range.scale == MapScale::clip ? "probability of the edge, 96 % of all edges between the ends"
                                         : "probability of the edge";
}

Picture draw_matching(const Graph& graph, const Layout& layout, const std::vector<bool>& chosen,
                      const std::string& title, const std::string& caption, const PageStyle& style) {
  const Frame frame(graph, layout, longest_edge);
  const auto size = static_cast<std::size_t>(std::count(chosen.begin(), chosen.end(), true));
  Page page(frame.width(), frame.height(),
            {title,
             caption,
             {{blue, fmt::format("edges of the matching ({})", size)},
              {pale, fmt::format("the other edges ({})", chosen.size() - size)}},
             {},
             {"Drawn " + layout.about + "."}},
            style);
  SvgWriter& svg = page.svg();
  svg.open_group({{"fill", "none"}, {"stroke-linecap", "round"}});
  for (const bool on : {false, true}) {
    svg.open_group({{"class", on ? "chosen" : "others"},
                    {"stroke", on ? blue.code : pale.code},
                    {"stroke-width", std::max(1.0, (on ? 0.22 : 0.08) * frame.unit())}});
    PathChunks paths(svg, "edge");
    StopPoll poll;
    for (std::size_t e = 0; e < chosen.size(); ++e) {
      poll.step();
      if (chosen[e] != on) continue;
      for (const Segment& segment : frame.segments(graph.edges[e])) paths.add(subpath(segment));
    }
    paths.flush();
    svg.close_group();
  }
  svg.close_group();
  draw_dots(svg, frame, all_vertices(graph), 0.09 * frame.unit());
  return page.finish();
}

Picture draw_edge_kinds(const Graph& graph, const Layout& layout, const std::vector<EntryKind>& kinds,
                        const std::string& title, const std::string& caption) {
  const Frame frame(graph, layout, longest_edge);
  Legend legend{title, caption, {}, {}, {"Drawn " + layout.about + "."}};
  for (const EntryColour& info : entry_colours) {
    const auto count = std::count(kinds.begin(), kinds.end(), info.kind);
    if (count != 0) legend.swatches.push_back({info.colour, fmt::format("{} ({})", info.of_edge, count)});
  }
  Page page(frame.width(), frame.height(), std::move(legend));
  SvgWriter& svg = page.svg();
  svg.open_group({{"fill", "none"}, {"stroke-linecap", "round"}});
  for (const EntryColour& info : entry_colours) {
    if (std::find(kinds.begin(), kinds.end(), info.kind) == kinds.end()) continue;
    svg.open_group({{"class", "kind"},
                    {"stroke", info.colour.code},
                    {"stroke-width", std::max(1.0, 0.11 * frame.unit())}});
    PathChunks paths(svg, "edge");
    StopPoll poll;
    for (std::size_t e = 0; e < kinds.size(); ++e) {
      poll.step();
      if (kinds[e] != info.kind) continue;
      for (const Segment& segment : frame.segments(graph.edges[e])) paths.add(subpath(segment));
    }
    paths.flush();
    svg.close_group();
  }
  svg.close_group();
  draw_dots(svg, frame, all_vertices(graph), 0.11 * frame.unit());
  return page.finish();
}

Picture draw_probabilities(const Graph& graph, const Layout& layout, const std::vector<EdgeValue>& values,
                           const std::string& title, const std::string& caption, MapScale scale,
                           const PageStyle& style) {
  const bool labelled =
      scale == MapScale::linear && values.size() <= most_labelled_edges && layout.periods.empty();
  const Frame frame(graph, layout, labelled ? 64 : longest_edge);
  const ValueRange range = range_of(values, scale);
  Legend legend{title, caption, {}, Scale{quantity_of(range), range.lowest, range.highest}, {}};
  if (labelled) {
    legend.scale = Scale{"probability of the edge (its label)", "0", "1"};
    legend.remarks.emplace_back("The wider a line, the more probable its edge.");
  }
  legend.remarks.push_back("Drawn " + layout.about + ".");
  Page page(frame.width(), frame.height(), std::move(legend), style);
  SvgWriter& svg = page.svg();
  if (labelled) {
    draw_bonds(svg, frame, graph, values);
    draw_dots(svg, frame, all_vertices(graph), 3);
    draw_labels(svg, frame, graph, values);
  } else {
    draw_levels(svg, frame, graph, values, range);
  }
  return page.finish();
}

}  // namespace countpm::draw
