#pragma once
// The marks and dashes of curves, so that colour is not all that tells them apart: 12 of both together.
#include <cstddef>
#include <string>

#include "src/draw/colours.hpp"
#include "src/draw/svg.hpp"

namespace countpm::draw {

enum class Mark { filled, hollow, in_legend };

/// The mark of the k-th curve around (x, y), of class "point", "ring" or "sample": disc, square, triangle,
/// diamond, triangle upside down, cross.
void draw_mark(SvgWriter& svg, std::size_t curve, double x, double y, const Colour& colour, Mark mark);

/// Its line's stroke-dasharray: none, long, short, long and short.
std::string dashes_of(std::size_t curve);

}  // namespace countpm::draw
