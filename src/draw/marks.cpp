#include "src/draw/marks.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace countpm::draw {
namespace {

// Paths from the middle, all about as large as a disc of radius 2.6.
constexpr std::array<std::string_view, 6> outlines{
    "m-2.6 0a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0 -5.2 0z",
    "m-2.4 -2.4h4.8v4.8h-4.8z",
    "m0 -3.2l3.1 5.3h-6.2z",
    "m0 -3.5l3 3.5l-3 3.5l-3 -3.5z",
    "m0 3.2l3.1 -5.3h-6.2z",
    "m-1.1 -3.2h2.2v2.1h2.1v2.2h-2.1v2.1h-2.2v-2.1h-2.1v-2.2h2.1z",
};
constexpr std::array<std::string_view, 4> dashes{"none", "7 3", "2 3", "9 3 2 3"};

}  // namespace

void draw_mark(SvgWriter& svg, std::size_t curve, double x, double y, const Colour& colour, Mark mark) {
  const std::string data = fmt::format("M{} {}{}", number(x), number(y), outlines[curve % outlines.size()]);
  if (mark == Mark::hollow) {
    svg.path(data, {{"class", "ring"}, {"fill", white_paper}, {"stroke", colour.code}});
  } else {
    svg.path(data, {{"class", mark == Mark::filled ? "point" : "sample"}, {"fill", colour.code}});
  }
}

std::string dashes_of(std::size_t curve) {
  return std::string(dashes[curve % dashes.size()]);
}

}  // namespace countpm::draw
