#pragma once
// How well a colour can be told from what is behind it: the contrast ratio of W3C, WCAG 2.1, from 1 to 21.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

namespace countpm::testing {

/// Of a colour "#rrggbb", from 0 to 1.
inline double luminance(std::string_view code) {
  double sum = 0;
  const std::array<double, 3> share{0.2126, 0.7152, 0.0722};
  for (std::size_t k = 0; k < 3; ++k) {
    const double value = std::stoi(std::string(code.substr(1 + 2 * k, 2)), nullptr, 16) / 255.0;
    sum += share[k] * (value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4));
  }
  return sum;
}

inline double contrast(std::string_view a, std::string_view b) {
  const double one = luminance(a) + 0.05;
  const double other = luminance(b) + 0.05;
  return std::max(one, other) / std::min(one, other);
}

}  // namespace countpm::testing
