#include "graph/lattice_geometry.hpp"

#include <charconv>
#include <numbers>

namespace countpm {
namespace {

constexpr double half_root3 = std::numbers::sqrt3 / 2;

bool has_triangles(const LatticeInfo& lattice) {
  return lattice.shape == "honeycomb" || lattice.shape == "honeycomb-torus" || lattice.shape == "hexagon";
}

}  // namespace

std::optional<LatticeSite> site_of_label(std::string_view label) {
  LatticeSite site{0, 0, 0};
  const bool cubic = label.starts_with('x');
  const std::string_view letters = cubic ? "xyz" : "rc";
  const char* at = label.data();
  const char* const end = at + label.size();
  for (std::size_t axis = 0; axis < letters.size(); ++axis) {
    if (at == end || *at != letters[axis]) return std::nullopt;
    const auto [next, error] = std::from_chars(at + 1, end, site[axis]);
    if (error != std::errc{} || site[axis] < 0) return std::nullopt;
    at = next;
  }
  if (!cubic && at != end && (*at == 'a' || *at == 'b')) site[2] = *at++ - 'a';
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
  if (lattice.shape == "cubic") {
    const auto third = static_cast<double>(site[2]);
    return {first + 0.4 * second, third - 0.3 * second};
  }
  return {second, first};
}

std::vector<Point> lattice_periods(const LatticeInfo& lattice) {
  const auto rows = static_cast<std::int64_t>(lattice.size[0]);
  const auto columns = static_cast<std::int64_t>(lattice.size[1]);
  if (lattice.shape == "cylinder") return {{static_cast<double>(columns), 0}};
  if (lattice.shape == "torus") {
    return {{static_cast<double>(columns), 0}, {0, static_cast<double>(rows)}};
  }
  if (lattice.shape == "triangular-torus") {
    const auto down = static_cast<double>(rows);
    return {{static_cast<double>(columns), 0}, {-down / 2, half_root3 * down}};
  }
  if (lattice.shape == "honeycomb-torus") return {triangle_corner(0, columns), triangle_corner(rows, 0)};
  return {};
}

}  // namespace countpm
