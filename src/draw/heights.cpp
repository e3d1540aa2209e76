#include "src/draw/heights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "graph/stop_poll.hpp"
#include "src/draw/outlines.hpp"
#include "src/draw/paths.hpp"

namespace countpm::draw {
namespace {

constexpr std::int64_t most_levels = 64;  // colours of the map
constexpr double least_outline_unit = 8;  // pixels a cell for the tiles' outlines
constexpr double least_number_unit = 26;  // and for numbers

/// Heights to colours; heights that share a colour are neighbours.
class Levels {
 public:
  explicit Levels(const HeightFunction& heights)
      : lowest_(heights.lowest), span_(std::max<std::int64_t>(1, heights.highest - heights.lowest)) {}
  std::int64_t level(std::int64_t height) const {
    return span_ < most_levels ? height - lowest_ : (height - lowest_) * (most_levels - 1) / span_;
  }
  double share(std::int64_t level) const {
    return static_cast<double>(level) / static_cast<double>(std::min(span_, most_levels - 1));
  }

 private:
  std::int64_t lowest_;
  std::int64_t span_;
};

// Squares around the corners; neighbours in a row of one colour are one stroke of a cell's width.
void draw_squares(SvgWriter& svg, const HeightFunction& heights, const Levels& levels) {
  std::map<std::int64_t, std::string> paths;
  const std::vector<HeightPoint>& points = heights.points;
  StopPoll poll;
  for (std::size_t k = 0; k < points.size();) {
    poll.step();
    const std::int64_t level = levels.level(points[k].height);
    std::size_t end = k + 1;
    while (end < points.size() && points[end].row == points[k].row &&
           points[end].column == points[end - 1].column + 1 && levels.level(points[end].height) == level)
      ++end;
    paths[level] += fmt::format("M{} {}h{}", points[k].column, points[k].row, end - k);
    k = end;
  }
  svg.open_group({{"transform", "translate(-.5 0)"}, {"fill", "none"}, {"stroke-width", 1.0}});
  for (const auto& [level, path] : paths)
    svg.path(path, {{"class", "level"}, {"stroke", map_colour(levels.share(level))}});
  svg.close_group();
}

// Hexagons around the corners: what is nearer to a corner than to any other.
void draw_hexagons(SvgWriter& svg, const HeightFunction& heights, const Levels& levels) {
  std::map<std::int64_t, std::string> paths;
  StopPoll poll;
  for (const HeightPoint& point : heights.points) {
    poll.step();
    const Point middle = triangle_corner(point.row, point.column);
    std::string& path = paths[levels.level(point.height)];
    for (int k = 0; k < 6; ++k) {
      const double angle = k * std::numbers::pi / 3;
      path +=
          fmt::format("{}{} {}", k == 0 ? "M" : " ", number(middle.x + std::cos(angle) / std::numbers::sqrt3),
                      number(middle.y + std::sin(angle) / std::numbers::sqrt3));
    }
    path += 'z';
  }
  for (const auto& [level, path] : paths) {
    const std::string colour = map_colour(levels.share(level));
    // The stroke covers the seams.
    svg.path(path, {{"class", "level"}, {"fill", colour}, {"stroke", colour}, {"stroke-width", 0.04}});
  }
}

std::vector<Point> positions(const LatticeMatching& matching, const HeightFunction& heights) {
  std::vector<Point> result;
  for (const HeightPoint& point : heights.points) {
    result.push_back(has_lozenges(matching.lattice)
                         ? triangle_corner(point.row, point.column)
                         : Point{static_cast<double>(point.column), static_cast<double>(point.row)});
  }
  return result;
}

void draw_numbers(SvgWriter& svg, const std::vector<Point>& where, const HeightFunction& heights,
                  const Levels& levels, double size) {
  svg.open_group({{"class", "numbers"}, {"text-anchor", "middle"}});
  for (std::size_t k = 0; k < where.size(); ++k) {
    const std::int64_t height = heights.points[k].height;
    const double share = levels.share(levels.level(height));
    const bool dark = share > 0.5;
    svg.circle(where[k].x, where[k].y, 0.8 * size, {{"fill", map_colour(share)}});
    svg.text(where[k].x, where[k].y + size * 0.36, size, std::to_string(height),
             {{"fill", dark ? "#ffffff" : ink.code}});
  }
  svg.close_group();
}

}  // namespace

Picture draw_heights(const LatticeMatching& matching, const HeightFunction& heights,
                     const std::string& caption, const PageStyle& style) {
  const std::vector<Point> where = positions(matching, heights);
  Box box = bounds(where);
  box = {box.left - 0.6, box.top - 0.6, box.right + 0.6, box.bottom + 0.6};
  const double unit = pixels_a_unit(std::max(box.width(), box.height()));
  const Levels levels(heights);
  Legend legend{matching.spec,
                caption,
                {},
                Scale{"height", std::to_string(heights.lowest), std::to_string(heights.highest)},
                {}};
  const bool outlined = unit >= least_outline_unit;
  if (outlined) legend.remarks.emplace_back("White lines: the tiles' outlines.");
  Page page(box.width() * unit, box.height() * unit, std::move(legend), style);
  SvgWriter& svg = page.svg();
  svg.open_group({{"class", "heights"},
                  {"transform", fmt::format("scale({}) translate({} {})", number(unit), number(-box.left),
                                            number(-box.top))},
                  {"shape-rendering", outlined || has_lozenges(matching.lattice) ? "auto" : "crispEdges"}});
  if (has_lozenges(matching.lattice)) {
    draw_hexagons(svg, heights, levels);
  } else {
    draw_squares(svg, heights, levels);
  }
  if (outlined) {
    svg.path(tile_outlines(matching), {{"class", "outlines"},
                                       {"fill", "none"},
                                       {"stroke", "#ffffff"},
                                       {"stroke-opacity", 0.85},
                                       {"stroke-width", (unit < 20 ? 0.8 : 1.5) / unit},
                                       {"stroke-linejoin", "round"}});
  }
  if (unit >= least_number_unit) draw_numbers(svg, where, heights, levels, 11 / unit);
  return page.finish();
}

}  // namespace countpm::draw
