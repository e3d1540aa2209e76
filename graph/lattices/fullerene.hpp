#pragma once
// Cubic plane graphs by the face spirals of their duals.
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "graph/graph.hpp"

namespace countpm {

/// The edges between the vertices of the cubic plane graph whose faces, in the order of a spiral, have these
/// sizes; vertices are numbered from 0 in the order in which the spiral closes around them. On failure the
/// number of the face, from 1, at which the spiral gets stuck. P. W. Fowler, D. E. Manolopoulos, An Atlas of
/// Fullerenes (1995); D. E. Manolopoulos, J. C. May, S. E. Down, Chem. Phys. Lett. 181 (1991) 105. O(faces
/// log faces).
struct WoundSpiral {
  std::vector<Edge> edges;
  std::optional<std::size_t> stuck_at;
};
WoundSpiral wind_spiral(const std::vector<std::uint8_t>& face_sizes);

}  // namespace countpm
