#pragma once
// Benzenoids by their hexagons. A hexagon (q, r) has (q+1, r) to its right, (q, r+1) to the lower right and
// (q-1, r+1) to the lower left.
#include <compare>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.hpp"

namespace countpm {

struct Hexagon {
  std::int64_t q = 0;
  std::int64_t r = 0;
  auto operator<=>(const Hexagon&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// The hexagons within the boundary that a boundary-edges code walks along: a digit for each hexagon that it
/// passes, clockwise, how many of its sides are passed there (naphthalene 55, pyrene 4343). `why_not` is
/// empty, or says why there are none. P. Hansen, C. Lebatteux, M. Zheng, J. Mol. Struct. Theochem 363 (1996)
/// 237.
struct CodedHexagons {
  std::set<Hexagon> hexagons;
  std::string why_not;
};
CodedHexagons hexagons_of_code(std::string_view code);

/// Whether every hexagon is reached from every other over common sides.
bool is_connected(const std::set<Hexagon>& hexagons);

/// The corners as vertices C1, C2, ..., row by row from the top, and the sides as edges; with positions.
Graph benzenoid_graph(const std::set<Hexagon>& hexagons);

}  // namespace countpm
