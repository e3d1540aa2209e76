// The writer, the colours and the page: what every picture is made with.
#include "src/draw/page.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "src/draw/entry_colours.hpp"
#include "tests/contrast.hpp"
#include "tests/draw/lab.hpp"
#include "tests/draw/svg_reader.hpp"

namespace countpm::test {
namespace {

using namespace draw;

TEST(Svg, NumbersAreShort) {
  EXPECT_EQ(number(1.5), "1.5");
  EXPECT_EQ(number(12), "12");
  EXPECT_EQ(number(100), "100");
  EXPECT_EQ(number(-1.0 / 3), "-0.333");
  EXPECT_EQ(number(-0.0001), "0");
}

TEST(Svg, AnyTextIsWellFormed) {
  EXPECT_EQ(escape("a<b>&\"c'"), "a&lt;b&gt;&amp;&quot;c&#39;");
  EXPECT_EQ(escape("gr\xC3\xBC\xC3\x9F\xF0\x9F\x98\x80"), "gr\xC3\xBC\xC3\x9F\xF0\x9F\x98\x80");
  // Control characters, a byte of no character, a cut and an overlong one, a surrogate.
  for (const char* bad : {"\x01", "\xFF", "\xC3", "\xC0", "\xED\xA0\x80"})
    EXPECT_EQ(escape(bad).substr(0, 3), "\xEF\xBF\xBD") << bad;
  SvgWriter svg(10, 20, "<&\x02", "\"'");
  svg.text(1, 2, 3, "]]><\xFF");
  const auto root = parse_svg(svg.finish());
  EXPECT_EQ(root.get<std::string>("title"), "<&\xEF\xBF\xBD");
  EXPECT_EQ(root.get<std::string>("desc"), "\"'");
  EXPECT_EQ(root.get<std::string>("text"), "]]><\xEF\xBF\xBD");
  EXPECT_EQ(attribute(root, "viewBox"), "0 0 10 20");
}

TEST(Svg, ClosesItsGroups) {
  SvgWriter svg(1, 1, "", "");
  svg.open_group({{"id", "outer"}});
  svg.open_group({{"id", "inner"}, {"stroke-width", 0.25}});
  svg.path("M0 0h1", {{"fill", "none"}});
  const auto root = parse_svg(svg.finish());
  EXPECT_EQ(attribute(root.get_child("g.g"), "stroke-width"), "0.25");
  EXPECT_EQ(attribute(root.get_child("g.g.path"), "d"), "M0 0h1");
}

// Known: CIE's white, black and the L* of the middle grey.
TEST(Colours, LabIsCie) {
  EXPECT_NEAR(to_lab("#ffffff")[0], 100, 0.01);
  EXPECT_NEAR(to_lab("#000000")[0], 0, 0.01);
  EXPECT_NEAR(to_lab("#777777")[0], 50, 0.2);
  EXPECT_NEAR(to_lab("#ff0000")[1], 80.1, 0.1);
  EXPECT_NEAR(to_lab("#ff0000")[2], 67.2, 0.1);
}

TEST(Colours, KindsDifferInLightness) {
  for (std::size_t k = 0; k + 1 < kinds.size(); ++k)
    EXPECT_GE(to_lab(kinds[k + 1].code)[0] - to_lab(kinds[k].code)[0], 10) << kinds[k].name;
}

TEST(Colours, CurvesAreFarApart) {
  for (std::size_t a = 0; a < curves.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const auto one = to_lab(curves[a].code);
      const auto other = to_lab(curves[b].code);
      EXPECT_GE(std::hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]), 25)
          << curves[a].name << ' ' << curves[b].name;
    }
  }
}

// W3C, WCAG 2.1, 1.4.11. The paper is white in a dark window, too. Fills that lie side by side are told apart
// by their lightness (above), and the map by its scale; lines of a grid and edges that only stand behind
// others may be pale.
TEST(Colours, LinesAndDotsCanBeSeen) {
  for (const std::string_view ground : {white_paper, matrix_ground}) {
    for (const Colour& curve : curves) EXPECT_GE(testing::contrast(curve.code, ground), 3) << curve.name;
    for (const EntryColour& entry : entry_colours)
      EXPECT_GE(testing::contrast(entry.colour.code, ground), 3) << entry.of_entry;
    EXPECT_GE(testing::contrast(ink.code, ground), 4.5);
  }
  EXPECT_GE(testing::contrast(grey.code, white_paper), 3) << "frames and bonds";
}

// Sheets of pictures lie on white in both schemes (src/html/style.cpp); the site's are in
// packaging/site/site.css.
TEST(Colours, ThePaperIsInEveryPicture) {
  EXPECT_NE(SvgWriter(10, 10, "a", "b").finish().find("fill=\"" + std::string(white_paper) + '"'),
            std::string::npos);
}

TEST(Colours, TheMapGetsDarkerInEqualSteps) {
  constexpr int steps = 20;
  for (int k = 0; k <= steps; ++k)
    EXPECT_NEAR(to_lab(map_colour(1.0 * k / steps))[0], 95 - 80.0 * k / steps, 2.5) << k;
  // Equal steps look about equally large in hue and chroma, too.
  double least = 1e9;
  double most = 0;
  for (int k = 0; k < steps; ++k) {
    const auto from = to_lab(map_colour(1.0 * k / steps));
    const auto to = to_lab(map_colour(1.0 * (k + 1) / steps));
    const double step = std::hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    least = std::min(least, step);
    most = std::max(most, step);
  }
  EXPECT_LT(most / least, 2.2);
  EXPECT_EQ(map_colour(-1), map_colour(0));
  EXPECT_EQ(map_colour(2), map_colour(1));
}

TEST(Page, HasCaptionDrawingAndLegend) {
  Legend legend{"a < b",
                "two things",
                {{blue, "one kind"}, {red, "the other"}},
                Scale{"share", "0", "1"},
                {"and more"}};
  EXPECT_EQ(lines_of(legend).size(), 4U);
  Page page(100, 50, legend);
  page.svg().circle(1, 1, 1, {});
  const Picture picture = page.finish();
  const auto root = parse_svg(picture.svg);
  EXPECT_EQ(root.get<std::string>("title"), "a < b");
  EXPECT_NE(root.get<std::string>("desc").find("the other"), std::string::npos);
  EXPECT_EQ(only(root, "text", "caption").data(), "two things");
  EXPECT_EQ(elements(only(root, "g", "drawing"), "circle").size(), 1U);
  const auto drawn = only(root, "g", "legend");
  const auto swatches = elements(drawn, "rect", "swatch");
  ASSERT_EQ(swatches.size(), 2U);
  EXPECT_EQ(attribute(swatches[1].tree, "fill"), red.code);
  EXPECT_EQ(elements(drawn, "text").size(), 2U + 3 + 1);
}

}  // namespace
}  // namespace countpm::test
