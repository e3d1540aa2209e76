#include "graph/lattices/lattice_geometry.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

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

/// The bits' vectors have directions evenly over half a circle and different lengths, so that no two sums are
/// the same.
std::optional<Point> hypercube_position(std::string_view bits) {
  Point sum;
  const auto dimensions = static_cast<double>(bits.size());
  for (std::size_t k = 0; k < bits.size(); ++k) {
    if (bits[k] != '0' && bits[k] != '1') return std::nullopt;
    if (bits[k] == '0') continue;
    const auto number = static_cast<double>(k);
    const double angle = std::numbers::pi * (number + 0.5) / dimensions;
    const double length = 1.6 + 0.37 * number;
    sum.x += length * std::cos(angle);
    sum.y -= length * std::sin(angle);
  }
  return sum;
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
  if (lattice.shape == "cubic") return oblique(first, second, static_cast<double>(site[2]));
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
  // Neighbours on the circle are a unit apart; number 0 is on top.
  const double angle = 2 * std::numbers::pi * place / vertices;
  const double radius = vertices < 2 ? 0 : 0.5 / std::sin(std::numbers::pi / vertices);
  return Point{radius * std::sin(angle), -radius * std::cos(angle)};
}

std::vector<Point> lattice_periods(const LatticeInfo& lattice) {
  const auto rows = static_cast<std::int64_t>(lattice.size[0]);
  const auto columns = static_cast<std::int64_t>(lattice.size[1]);
  if (lattice.shape == "cylinder" || lattice.shape == "moebius") return {{static_cast<double>(columns), 0}};
  if (lattice.shape == "torus" || lattice.shape == "klein") {
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
