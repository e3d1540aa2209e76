#pragma once
// What ln Z per vertex goes to as a lattice grows, where that is known in closed form.
#include <optional>
#include <string>

namespace countpm {

struct KnownLimit {
  double per_vertex = 0;  // of ln Z, Z the number of perfect matchings
  std::string lattice;    // "square lattice: G / pi"
  std::string source;     // "P. W. Kasteleyn, Physica 27 (1961) 1209"
};

/// As all sizes of the lattice grow in the proportions of `spec`. None where none is known to us: other
/// shapes, weights by direction, removed vertices. The boundary is the lattice's own, and matters: an Aztec
/// diamond, a hexagon and a parallelogram of hexagons have their own limits. O(length of spec). Throws
/// UsageError for a spec that is none.
std::optional<KnownLimit> known_limit(const std::string& spec);

/// As the sizes go on growing as from `first` to `last`, two specs of one range: in proportion to their
/// differences. A side that does not grow makes a square lattice a strip.
std::optional<KnownLimit> known_limit(const std::string& first, const std::string& last);

}  // namespace countpm
