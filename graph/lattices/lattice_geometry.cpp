#include "graph/lattices/lattice_geometry.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "graph/lattices/subset_words.hpp"

namespace countpm {
namespace {

constexpr double half_root3 = std::numbers::sqrt3 / 2;

bool has_triangles(const LatticeInfo& lattice) {
  return lattice.shape == "honeycomb" || lattice.shape == "honeycomb-torus" || lattice.shape == "hexagon";
}

bool is_kagome(const LatticeInfo& lattice) {
  return lattice.shape == "kagome" || lattice.shape == "kagome-torus";
}
bool is_square_octagon(const LatticeInfo& lattice) {
  return lattice.shape == "square-octagon" || lattice.shape == "square-octagon-torus";
}
constexpr double octagon_cell = 1 + std::numbers::sqrt2;

Point oblique(double x, double y, double z) {
  return {x + 0.4 * y, z - 0.3 * y};
}

/// Of a vertex with these coordinates: the sum of a vector for each. The vectors have directions evenly over
/// half a circle and different lengths, so that no two sums are the same.
Point grid_position(const std::vector<std::int64_t>& coordinates) {
  Point sum;
  const auto dimensions = static_cast<double>(coordinates.size());
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    const auto number = static_cast<double>(k);
    const double angle = std::numbers::pi * (number + 0.5) / dimensions;
    const double length = (1.6 + 0.37 * number) * static_cast<double>(coordinates[k]);
    sum.x += length * std::cos(angle);
    sum.y -= length * std::sin(angle);
  }
  return sum;
}

std::optional<Point> hypercube_position(std::string_view bits) {
  std::vector<std::int64_t> coordinates;
  for (const char bit : bits) {
    if (bit != '0' && bit != '1') return std::nullopt;
    coordinates.push_back(bit - '0');
  }
  return grid_position(coordinates);
}

/// "a3b0c2".
std::optional<Point> hypercubic_position(std::string_view label) {
  std::vector<std::int64_t> coordinates;
  const char* at = label.data();
  const char* const end = at + label.size();
  while (at != end) {
    if (*at != static_cast<char>('a' + coordinates.size())) return std::nullopt;
    std::int64_t one = 0;
    const auto [next, error] = std::from_chars(at + 1, end, one);
    if (error != std::errc{} || one < 0) return std::nullopt;
    coordinates.push_back(one);
    at = next;
  }
  if (coordinates.empty()) return std::nullopt;
  return grid_position(coordinates);
}

/// Of place number `place` of so many on a circle, neighbours a unit apart and number 0 on top; `further`
/// from the middle.
Point circle_position(double place, double places, double further = 0) {
  const double angle = 2 * std::numbers::pi * place / places;
  const double radius = further + (places < 2 ? 0 : 0.5 / std::sin(std::numbers::pi / places));
  return {radius * std::sin(angle), -radius * std::cos(angle)};
}

/// The words of a Kneser graph stand on a circle, in their order.
std::optional<Point> kneser_position(std::string_view bits) {
  std::uint64_t word = 0;
  std::size_t ones = 0;
  if (bits.empty() || bits.size() > most_bits) return std::nullopt;
  for (const char bit : bits) {
    if (bit != '0' && bit != '1') return std::nullopt;
    word = 2 * word + (bit == '1' ? 1 : 0);
    ones += bit == '1' ? 1 : 0;
  }
  return circle_position(static_cast<double>(number_of_word(word)),
                         static_cast<double>(binomial(bits.size(), ones)));
}

}  // namespace

std::optional<LatticeSite> site_of_label(std::string_view label) {
  LatticeSite site{0, 0, 0, 0};
  const std::string_view letters = label.starts_with('x') ? "xyz" : "rc";
  const char* at = label.data();
  const char* const end = at + label.size();
  for (std::size_t axis = 0; axis < letters.size(); ++axis) {
    if (at == end || *at != letters[axis]) return std::nullopt;
    const auto [next, error] = std::from_chars(at + 1, end, site[axis]);
    if (error != std::errc{} || site[axis] < 0) return std::nullopt;
    at = next;
  }
  if (at != end && *at >= 'a' && *at <= 'd') site[letters.size()] = *at++ - 'a';
  if (at != end) return std::nullopt;
  return site;
}

Point triangle_corner(std::int64_t row, std::int64_t column) {
  return {half_root3 * static_cast<double>(row + column), 0.5 * static_cast<double>(row - column)};
}

Point lattice_position(const LatticeInfo& lattice, const LatticeSite& site) {
  const auto first = static_cast<double>(site[0]);
  const auto second = static_cast<double>(site[1]);
  if (has_triangles(lattice)) {
    // The triangle a touches the corner (r, c), b the corner (r + 1, c + 1); both have the diagonal.
    const Point corner = triangle_corner(site[0] + site[2], site[1] + site[2]);
    const double towards_the_middle = half_root3 * 2 / 3;
    return {corner.x + (site[2] == 0 ? towards_the_middle : -towards_the_middle), corner.y};
  }
  if (lattice.shape == "triangular" || lattice.shape == "triangular-torus")
    return {second - first / 2, half_root3 * first};
  if (lattice.shape == "cubic" || lattice.shape == "cubic-torus")
    return oblique(first, second, static_cast<double>(site[2]));
  if (lattice.shape == "diamond" || lattice.shape == "diamond-torus") {
    // In quarters of the cubic cell: x, y and z of the primitive cells go along the diagonals of its faces,
    // and b lies (1, 1, 1) from a.
    const double third = static_cast<double>(site[2]);
    const auto b = static_cast<double>(site[3]);
    return oblique((2 * (second + third) + b) / std::numbers::sqrt3,
                   (2 * (first + third) + b) / std::numbers::sqrt3,
                   (2 * (first + second) + b) / std::numbers::sqrt3);
  }
  if (lattice.shape == "prism") {
    // Two rings, the second within the first.
    return circle_position(second, static_cast<double>(lattice.size[0]), 1 - first);
  }
  if (is_kagome(lattice)) {
    const std::array<Point, 3> within{Point{0, 0}, Point{1, 0}, Point{0.5, half_root3}};
    const Point& at = within[static_cast<std::size_t>(std::min<std::int64_t>(site[2], 2))];
    return {2 * second + first + at.x, 2 * half_root3 * first + at.y};
  }
  if (is_square_octagon(lattice)) {
    constexpr double h = std::numbers::sqrt2 / 2;
    const std::array<Point, 4> within{Point{0, -h}, Point{h, 0}, Point{0, h}, Point{-h, 0}};
    const Point& at = within[static_cast<std::size_t>(std::min<std::int64_t>(site[2], 3))];
    return {octagon_cell * second + at.x, octagon_cell * first + at.y};
  }
  if (lattice.shape == "pyrochlore" || lattice.shape == "pyrochlore-torus") {
    // b, c and d lie half way to the next a along x, y and z.
    const auto along = [&](std::size_t axis) {
      return 2 * static_cast<double>(site[axis]) +
             (site[3] == static_cast<std::int64_t>(axis) + 1 ? 1.0 : 0.0);
    };
    return oblique(along(0), along(1), along(2));
  }
  return {second, first};
}

std::optional<Point> lattice_position(const LatticeInfo& lattice, std::string_view label) {
  if (lattice.shape == "hypercube") return hypercube_position(label);
  if (lattice.shape == "hypercubic" || lattice.shape == "hypercubic-torus") return hypercubic_position(label);
  if (lattice.shape == "kneser") return kneser_position(label);
  const bool two_sides = lattice.shape == "complete-bipartite";
  if (!two_sides && lattice.shape != "circulant" && lattice.shape != "complete") {
    const std::optional<LatticeSite> site = site_of_label(label);
    if (!site) return std::nullopt;
    return lattice_position(lattice, *site);
  }
  const bool second = two_sides && label.starts_with('b');
  std::uint64_t number = 0;
  const char* const end = label.data() + label.size();
  if (two_sides && label.empty()) return std::nullopt;
  const auto [at, error] = std::from_chars(label.data() + (two_sides ? 1 : 0), end, number);
  if (error != std::errc{} || at != end) return std::nullopt;
  const auto vertices = static_cast<double>(lattice.size[0]);
  const auto place = static_cast<double>(number);
  if (two_sides) {
    const auto longest = static_cast<double>(std::max(lattice.size[0], lattice.size[1]));
    return Point{longest / (static_cast<double>(lattice.size[second ? 1 : 0]) + 1) * (place + 1),
                 second ? std::max(longest / 3, 1.0) : 0};
  }
  return circle_position(place, vertices);
}

std::vector<Point> lattice_periods(const LatticeInfo& lattice) {
  const auto rows = static_cast<std::int64_t>(lattice.size[0]);
  const auto columns = static_cast<std::int64_t>(lattice.size[1]);
  if (lattice.shape == "cylinder" || lattice.shape == "moebius") return {{static_cast<double>(columns), 0}};
  if (lattice.shape == "torus" || lattice.shape == "klein" || lattice.shape == "brickwork-torus") {
    return {{static_cast<double>(columns), 0}, {0, static_cast<double>(rows)}};
  }
  if (lattice.shape == "triangular-torus") {
    const auto down = static_cast<double>(rows);
    return {{static_cast<double>(columns), 0}, {-down / 2, half_root3 * down}};
  }
  if (lattice.shape == "honeycomb-torus") return {triangle_corner(0, columns), triangle_corner(rows, 0)};
  const auto across = static_cast<double>(columns);
  const auto down = static_cast<double>(rows);
  if (lattice.shape == "kagome-torus") return {{2 * across, 0}, {down, 2 * half_root3 * down}};
  if (lattice.shape == "square-octagon-torus") return {{octagon_cell * across, 0}, {0, octagon_cell * down}};
  return {};
}

std::optional<double> lattice_mirror(const LatticeInfo& lattice) {
  if (lattice.shape != "moebius" && lattice.shape != "klein") return std::nullopt;
  return static_cast<double>(lattice.size[0]) - 1;
}

}  // namespace countpm
