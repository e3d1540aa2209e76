#pragma once
// A graph drawn on a closed surface, as its rotation system: in which order the neighbours of each vertex lie
// around it, and along which edges the senses of rotation disagree.
#include <cstdint>
#include <memory>
#include <vector>

#include "graph/sparse_matrix.hpp"

namespace countpm {

/// Of a simple graph without loops: every edge is in the lists of both its ends, twisted in both or in none.
struct Rotations {
  std::vector<std::uint64_t> start{0};
  std::vector<Index> neighbour;       // those of v in their order: from start[v] on, before start[v + 1]
  std::vector<std::uint8_t> twisted;  // beside it

  Index vertices() const { return static_cast<Index>(start.size() - 1); }
  bool operator==(const Rotations&) const = default;
};

/// Whether it is as Rotations says, of so many vertices. O(vertices + edges log edges).
bool is_sound(const Rotations& rotations, std::uint64_t vertices);

/// The surface that a rotation system closes: its faces become discs.
struct RotationSurface {
  std::uint64_t components = 0;
  std::uint64_t faces = 0;  // of a lone vertex one
  std::uint64_t loops = 0;  // independent ones: 2 components - vertices + edges - faces
  bool orientable = true;

  /// Of an orientable surface its handles, else its crosscaps; of several surfaces, all of them joined.
  std::uint64_t genus() const { return orientable ? loops / 2 : loops; }
};

/// Precondition: as Rotations says. B. Mohar, C. Thomassen, Graphs on Surfaces (2001), section 3.3.
/// O(vertices + edges log edges).
RotationSurface surface_of(const Rotations& rotations);

/// The rotations of some vertices, in a new order, without the edges that are not kept. number: of every
/// vertex its new number, or no_index; keep(v, w): by new numbers, the same as keep(w, v).
template <class Keep>
Rotations part_of(const Rotations& whole, const std::vector<Index>& vertices,
                  const std::vector<Index>& number, const Keep& keep) {
  Rotations part;
  part.start.reserve(vertices.size() + 1);
  for (Index v = 0; v < vertices.size(); ++v) {
    const std::uint64_t end = whole.start[vertices[v] + std::uint64_t{1}];
    for (std::uint64_t k = whole.start[vertices[v]]; k < end; ++k) {
      const Index w = number[whole.neighbour[k]];
      if (w == no_index || !keep(v, w)) continue;
      part.neighbour.push_back(w);
      part.twisted.push_back(whole.twisted[k]);
    }
    part.start.push_back(part.neighbour.size());
  }
  return part;
}
/// With all edges between them.
inline std::shared_ptr<const Rotations> part_of(const Rotations& whole, const std::vector<Index>& vertices,
                                                const std::vector<Index>& number) {
  const auto all = [](Index, Index) { return true; };
  return std::make_shared<const Rotations>(part_of(whole, vertices, number, all));
}

}  // namespace countpm
