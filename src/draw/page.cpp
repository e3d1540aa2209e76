#include "src/draw/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "src/draw/marks.hpp"

namespace countpm::draw {
namespace {

// Pixels.
constexpr double margin = 24;
constexpr double least_width = 460;
constexpr double title_size = 15;
constexpr double legend_text_size = 12;
constexpr double line_height = 20;
constexpr double head = margin + 44;  // title and caption
constexpr double legend_gap = 20;     // between drawing and legend
constexpr double swatch_size = 12;
constexpr double line_swatch_width = 30;
constexpr double scale_width = 240;
constexpr double scale_gap = 12;
constexpr int scale_steps = 60;

double room_for(const Swatch& swatch) {
  return (swatch.curve ? line_swatch_width : swatch_size) + 0.6 * swatch_size;
}

double page_width(double drawing, const Legend& legend) {
  double width = std::max(drawing, least_width - 2 * margin);
  width =
      std::max({width, text_width(legend.title, title_size), text_width(legend.caption, legend_text_size)});
  for (const Swatch& swatch : legend.swatches)
    width = std::max(width, room_for(swatch) + text_width(swatch.meaning, legend_text_size));
  for (const std::string& remark : legend.remarks)
    width = std::max(width, text_width(remark, legend_text_size));
  if (legend.scale)
    width = std::max(width, scale_width + scale_gap + text_width(legend.scale->quantity, legend_text_size));
  return width + 2 * margin;
}

double legend_height(const Legend& legend) {
  double lines = static_cast<double>(legend.swatches.size() + legend.remarks.size());
  if (legend.scale) lines += 2.1;
  return lines * line_height;
}

double page_height(double drawing, const Legend& legend, bool with_legend) {
  return head + drawing + (with_legend ? legend_gap + legend_height(legend) : 0) + margin;
}

Legend retitled(Legend legend, const PageStyle& style) {
  if (style.title) legend.title = *style.title;
  return legend;
}

std::string description(const Legend& legend) {
  std::string text = legend.caption;
  for (const std::string& line : lines_of(legend)) text += "; " + line;
  return text;
}

void draw_scale(SvgWriter& svg, const Scale& scale, double x, double y) {
  const double step = scale_width / scale_steps;
  for (int k = 0; k < scale_steps; ++k) {
    // A little too wide, so that no seam shows between two.
    svg.rectangle(x + k * step, y, step + (k + 1 < scale_steps ? 0.5 : 0), swatch_size,
                  {{"fill", map_colour((k + 0.5) / scale_steps)}});
  }
  const double below = y + swatch_size + 14;
  svg.text(x, below, legend_text_size, scale.lowest);
  svg.text(x + scale_width, below, legend_text_size, scale.highest, {{"text-anchor", "end"}});
  svg.text(x + scale_width + scale_gap, y + swatch_size - 1.5, legend_text_size, scale.quantity);
}

}  // namespace

std::vector<std::string> lines_of(const Legend& legend) {
  std::vector<std::string> lines;
  for (const Swatch& swatch : legend.swatches)
    lines.push_back(fmt::format("{:<10}  {}", swatch.colour.name, swatch.meaning));
  if (legend.scale) {
    lines.push_back(fmt::format("{:<10}  {}: {} pale to {} dark", map_name, legend.scale->quantity,
                                legend.scale->lowest, legend.scale->highest));
  }
  lines.insert(lines.end(), legend.remarks.begin(), legend.remarks.end());
  return lines;
}

Page::Page(double width, double height, Legend legend, const PageStyle& style)
    : legend_(retitled(std::move(legend), style)),
      with_legend_(style.legend),
      svg_(page_width(width, legend_), page_height(height, legend_, with_legend_), legend_.title,
           description(legend_), style.width),
      drawing_{(page_width(width, legend_) - width) / 2, head, width, height} {
  svg_.text(margin, margin + 8, title_size, legend_.title,
            {{"class", "title"}, {"fill", ink.code}, {"font-weight", "bold"}});
  svg_.text(margin, margin + 28, legend_text_size, legend_.caption,
            {{"class", "caption"}, {"fill", ink.code}});
  svg_.open_group({{"class", "drawing"},
                   {"transform", fmt::format("translate({} {})", number(drawing_.x), number(drawing_.y))}});
}

Picture Page::finish() {
  svg_.close_groups();
  if (!with_legend_) return {svg_.finish(), std::move(legend_), drawing_};
  svg_.open_group({{"class", "legend"}, {"fill", ink.code}});
  double y = drawing_.y + drawing_.height + legend_gap;
  for (const Swatch& swatch : legend_.swatches) {
    if (swatch.curve) {
      const double middle = y + swatch_size / 2;
      svg_.line(margin, middle, margin + line_swatch_width, middle,
                {{"class", "swatch"},
                 {"stroke", swatch.colour.code},
                 {"stroke-width", "1.8"},
                 {"stroke-dasharray", dashes_of(*swatch.curve)}});
      draw_mark(svg_, *swatch.curve, margin + line_swatch_width / 2, middle, swatch.colour, Mark::in_legend);
    } else {
      svg_.rectangle(margin, y, swatch_size, swatch_size,
                     {{"class", "swatch"}, {"fill", swatch.colour.code}});
    }
    svg_.text(margin + room_for(swatch), y + swatch_size - 1.5, legend_text_size, swatch.meaning);
    y += line_height;
  }
  if (legend_.scale) {
    draw_scale(svg_, *legend_.scale, margin, y);
    y += 2.1 * line_height;
  }
  for (const std::string& remark : legend_.remarks) {
    svg_.text(margin, y + swatch_size - 1.5, legend_text_size, remark);
    y += line_height;
  }
  return {svg_.finish(), std::move(legend_), drawing_};
}

}  // namespace countpm::draw
