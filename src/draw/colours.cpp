#include "src/draw/colours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace countpm::draw {
namespace {

using Triple = std::array<double, 3>;

constexpr Triple white{0.95047, 1.0, 1.08883};  // D65
constexpr double knee = 6.0 / 29;               // where CIE's cube root turns into a line

double cube_of(double t) {
  return t > knee ? t * t * t : 3 * knee * knee * (t - 4.0 / 29);
}
double gamma_of(double linear) {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

int byte_of(double linear) {
  return static_cast<int>(std::llround(255 * std::clamp(gamma_of(std::max(linear, 0.0)), 0.0, 1.0)));
}

std::string from_lab(const Triple& lab) {
  const double middle = (lab[0] + 16) / 116;
  const double x = white[0] * cube_of(middle + lab[1] / 500);
  const double y = white[1] * cube_of(middle);
  const double z = white[2] * cube_of(middle - lab[2] / 200);
  return fmt::format("#{:02x}{:02x}{:02x}", byte_of(3.2404542 * x - 1.5371385 * y - 0.4985314 * z),
                     byte_of(-0.9692660 * x + 1.8760108 * y + 0.0415560 * z),
                     byte_of(0.0556434 * x - 0.2040259 * y + 1.0572252 * z));
}

}  // namespace

std::string map_colour(double share) {
  const double t = std::clamp(share, 0.0, 1.0);
  const double lightness = 95 - 80 * t;
  // Hue runs from sand (88 degrees) through rose to indigo (-77); chroma is largest in between, as sRGB is.
  const double hue = (88 - 165 * t) * std::numbers::pi / 180;
  const double chroma = 14 + 35 * std::sin(std::numbers::pi * t) + 14 * t;
  return from_lab({lightness, chroma * std::cos(hue), chroma * std::sin(hue)});
}

}  // namespace countpm::draw
