#pragma once
// How light a colour is, and how far from another: CIE L*a*b*, of which src/draw/colours.cpp has the way
// back.
#include <array>
#include <cmath>
#include <string_view>

namespace countpm::test {

inline constexpr std::array<double, 3> white{0.95047, 1.0, 1.08883};  // D65
inline constexpr double knee = 6.0 / 29;  // where CIE's cube root turns into a line

inline double root_of(double t) {
  return t > knee * knee * knee ? std::cbrt(t) : t / (3 * knee * knee) + 4.0 / 29;
}
inline double linear_of(double value) {
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}
inline int hexadecimal(char digit) {
  return digit <= '9' ? digit - '0' : digit - 'a' + 10;
}

/// Lightness, a*, b* of a colour "#rrggbb" of sRGB (IEC 61966-2-1), under D65 (CIE 15).
inline std::array<double, 3> to_lab(std::string_view code) {
  std::array<double, 3> rgb{};
  for (std::size_t k = 0; k < 3; ++k)
    rgb[k] = linear_of((hexadecimal(code[1 + 2 * k]) * 16 + hexadecimal(code[2 + 2 * k])) / 255.0);
  const double x = root_of((0.4124564 * rgb[0] + 0.3575761 * rgb[1] + 0.1804375 * rgb[2]) / white[0]);
  const double y = root_of(0.2126729 * rgb[0] + 0.7151522 * rgb[1] + 0.0721750 * rgb[2]);
  const double z = root_of((0.0193339 * rgb[0] + 0.1191920 * rgb[1] + 0.9503041 * rgb[2]) / white[2]);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

}  // namespace countpm::test
