#pragma once
// Pictures of height functions.
#include <string>

#include "src/draw/page.hpp"
#include "src/matchings/height_function.hpp"

namespace countpm::draw {

/// Every corner as a square (dominoes) or hexagon (lozenges) coloured by its height, the lowest pale; the
/// tiling's outlines and the heights themselves where there is room. Precondition: at least one pair.
Picture draw_heights(const LatticeMatching& matching, const HeightFunction& heights,
                     const std::string& caption, const PageStyle& style = {});

}  // namespace countpm::draw
