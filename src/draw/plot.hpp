#pragma once
// Plots of curves with error bands or bars, panel below panel on one page.
#include <optional>
#include <string>
#include <vector>

#include "src/draw/page.hpp"

namespace countpm::draw {

struct PlotPoint {
  double x = 0;
  double y = 0;  // what is not finite is left out
  double low = y;
  double high = y;      // of the band around y; may be infinite
  bool hollow = false;  // its mark is not filled
};

struct Curve {
  std::string name;               // its swatch says what it is
  Colour colour;                  // its mark and its dashes go by its place in the panel
  std::vector<PlotPoint> points;  // by rising x
  bool joined = true;             // by a line
  bool bars = false;              // low and high of each point as a bar, in place of a band
};

/// A dashed line across the panel.
struct Level {
  double y = 0;
  std::string name;  // written on it
};

struct Axis {
  std::string title;
  bool logarithmic = false;  // then points that are not positive are left out
  std::optional<double> least;
  std::optional<double> most;  // without them: what the points (of y: the levels, too) need
};

struct Panel {
  std::string title;
  Axis x;
  Axis y;
  std::vector<Curve> curves;
  std::vector<Level> levels;
};

/// Multiples of 1, 2 or 5 times a power of ten within low .. high, at most `most` >= 2 of them. low < high,
/// finite.
std::vector<double> linear_ticks(double low, double high, int most);
/// Powers of ten within low .. high, every k-th so that there are at most `most` >= 2; where there is only
/// one or none, 2 and 5 times them, too. 0 < low < high.
std::vector<double> decade_ticks(double low, double high, int most);

/// What of a curve or band is beyond a panel's axes is cut off there.
Picture draw_panels(const std::vector<Panel>& panels, Legend legend, const PageStyle& style = {});

}  // namespace countpm::draw
