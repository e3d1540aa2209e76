#pragma once
// A picture's page: caption above, the drawing, and below it a legend that says what the colours mean.
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "src/draw/colours.hpp"
#include "src/draw/svg.hpp"

namespace countpm::draw {

/// One kind of thing in the picture.
struct Swatch {
  Colour colour;
  std::string meaning;                    // "north: horizontal, ..."
  std::optional<std::size_t> curve = {};  // of a plot: with that curve's mark and dashes
};

/// What the colours of the map mean, from the palest to the darkest.
struct Scale {
  std::string quantity;  // "probability of the edge"
  std::string lowest;    // "0.19"
  std::string highest;
};

/// What a command says of a picture, and what stands on its page.
struct Legend {
  std::string title;                 // "lattice:aztec:50"
  std::string caption;               // "a random perfect matching as dominoes: 2550"
  std::vector<Swatch> swatches;      // may be empty
  std::optional<Scale> scale;        // where the map is used
  std::vector<std::string> remarks;  // lines below the colours: what is not a colour
};

/// What a user wants otherwise.
struct PageStyle {
  std::optional<std::string> title;  // in place of the picture's own
  double width = 0;                  // of the page in pixels, all else in proportion; 0: as it comes
  bool legend = true;                // below the drawing; lines_of() tells it anyway
};

/// Where the drawing is on the page, in pixels from its upper left corner.
struct DrawingBox {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

/// A finished picture.
struct Picture {
  std::string svg;
  Legend legend;
  DrawingBox drawing = {};
};

/// The legend as lines of words: "blue     north: ...", "dusk     0 (pale) to 1 (dark): ...".
std::vector<std::string> lines_of(const Legend& legend);

/// Lays the page out around a drawing of that size (pixels), in the middle. What is drawn between the
/// constructor and finish() has its origin at the drawing's upper left corner.
class Page {
 public:
  Page(double width, double height, Legend legend, const PageStyle& style = {});
  SvgWriter& svg() { return svg_; }
  Picture finish();

 private:
  Legend legend_;
  bool with_legend_;
  SvgWriter svg_;
  DrawingBox drawing_;
};

}  // namespace countpm::draw
