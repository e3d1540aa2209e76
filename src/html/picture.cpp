// Pictures within pages.
#include <fmt/format.h>

#include <algorithm>

#include "src/draw/colours.hpp"
#include "src/html/sections.hpp"

namespace countpm::html {
namespace {

constexpr std::size_t largest_picture = std::size_t{8} << 20U;  // bytes
constexpr double air = 6;                                       // pixels around a drawing
// What is written in a drawing is not made smaller than so; the sheet is moved sideways instead.
constexpr double least_scale = 0.75;

bool has_words(const std::string& svg) {
  const std::size_t begin = svg.find("class=\"drawing\"");
  const std::size_t end = svg.rfind("class=\"legend\"");
  return begin != std::string::npos && svg.substr(begin, end - begin).find("<text ") != std::string::npos;
}

/// The picture's <svg> element with the drawing alone in view: what is around it is HTML here.
std::string drawing_of(const draw::Picture& picture) {
  const draw::DrawingBox& box = picture.drawing;
  const std::string& svg = picture.svg;
  const std::size_t begin = svg.find("<svg ");
  const std::size_t sizes = svg.find(" width=", begin);
  const std::size_t rest = svg.find(" role=", sizes);
  const double width = box.width + 2 * air;
  const double height = box.height + 2 * air;
  const std::string least =
      has_words(svg) ? fmt::format("min-width:{}px;", draw::number(least_scale * width)) : "";
  return fmt::format("{} viewBox=\"{} {} {} {}\" style=\"{}max-width:{}px\"{}",
                     svg.substr(begin, sizes - begin), draw::number(box.x - air), draw::number(box.y - air),
                     draw::number(width), draw::number(height), least, draw::number(width), svg.substr(rest));
}

void write_scale(HtmlWriter& html, const draw::Scale& scale) {
  constexpr int steps = 8;
  std::string colours;
  for (int k = 0; k <= steps; ++k)
    colours += (k == 0 ? "" : ",") + draw::map_colour(static_cast<double>(k) / steps);
  const Within item(html, "li", {{"class", "scale"}});
  html.element("span", {}, scale.lowest);
  html.element(
      "span", {{"class", "ramp"}, {"style", fmt::format("background:linear-gradient(to right,{})", colours)}},
      "");
  html.element("span", {}, scale.highest);
  html.element("span", {}, scale.quantity);
}

void write_legend(HtmlWriter& html, const draw::Legend& legend) {
  const Within caption(html, "figcaption");
  html.element("p", {}, legend.caption);
  if (legend.swatches.empty() && !legend.scale && legend.remarks.empty()) return;
  const Within list(html, "ul", {{"class", "meanings"}});
  for (const draw::Swatch& swatch : legend.swatches) {
    const Within item(html, "li", {{"class", "colour"}});
    const std::string colour = fmt::format("background:{}", swatch.colour.code);
    html.element("span", {{"class", "patch"}, {"style", colour}}, "");
    html.text(fmt::format("{}: {}", swatch.colour.name, swatch.meaning));
  }
  if (legend.scale) write_scale(html, *legend.scale);
  for (const std::string& remark : legend.remarks) html.element("li", {}, remark);
}

}  // namespace

void write_picture(HtmlWriter& html, const Beside& beside) {
  const bool drawn = beside.picture != nullptr && beside.picture->svg.size() <= largest_picture;
  if (!drawn && beside.picture == nullptr && beside.no_picture.empty()) return;
  const Section section(html, "Picture", "large");
  if (!drawn) {
    html.element("p", {{"class", "soft"}},
                 beside.picture == nullptr ? "no picture: " + beside.no_picture
                                           : "the picture is too large for a page: --svg FILE writes it");
    return;
  }
  const Within figure(html, "figure");
  html.open("div", {{"class", "sheet"}, {"tabindex", "0"}, {"role", "group"}, {"aria-label", "picture"}});
  html.verbatim(drawing_of(*beside.picture));
  html.close();
  write_legend(html, beside.picture->legend);
}

}  // namespace countpm::html
